/* SPDX-License-Identifier: MIT */
/* Uses plain ANSI sequences that every current terminal knows, and no library. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "cmd/top/top.h"

/* Switch to the alternate screen without cursor and line wrapping, and back. */
#define ENTER "\033[?1049h\033[?25l\033[?7l"
#define LEAVE "\033[?7h\033[?25h\033[?1049l"
#define HOME "\033[H"
#define REST_OF_LINE "\033[K"
#define REST_OF_SCREEN "\033[J"
#define REVERSE "\033[7m"
#define PLAIN "\033[0m"

static struct {
	bool open, keys; /* keys: the standard input is a terminal as well */
	struct termios before;
} screen;

static void write_all(const char *s, size_t n)
{
	while (n) {
		ssize_t done = write(STDOUT_FILENO, s, n);

		if (done < 0 && errno != EINTR)
			return; /* the terminal is gone; SIGHUP will follow */
		s += done > 0 ? done : 0;
		n -= done > 0 ? (size_t)done : 0;
	}
}

/* Has keys delivered one by one, without echo. */
static void take_keys(void)
{
	struct termios t = screen.before;

	t.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	t.c_cc[VMIN] = 1;
	t.c_cc[VTIME] = 0;
	tcsetattr(STDIN_FILENO, TCSAFLUSH, &t);
}

int screen_open(void)
{
	const char *term = getenv("TERM");

	if (!isatty(STDOUT_FILENO) || !term || !*term || !strcmp(term, "dumb"))
		return -ENOTTY;
	if (screen.open)
		return 0;
	screen.keys = !tcgetattr(STDIN_FILENO, &screen.before);
	if (screen.keys)
		take_keys();
	write_all(ENTER, strlen(ENTER));
	screen.open = true;
	return 0;
}

void screen_close(void)
{
	if (!screen.open)
		return;
	write_all(LEAVE, strlen(LEAVE));
	if (screen.keys)
		tcsetattr(STDIN_FILENO, TCSAFLUSH, &screen.before);
	screen.open = false;
}

static struct winsize size(void)
{
	struct winsize w = {0};

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) || !w.ws_row || !w.ws_col)
		w = (struct winsize){.ws_row = 24, .ws_col = 80};
	return w;
}

unsigned screen_rows(void)
{
	return size().ws_row;
}

/* Returns how many of the n bytes of a line fit into so many columns. A character is not
 * divided. */
static size_t fit(const char *line, size_t n, unsigned columns)
{
	size_t i = 0;

	while (i < n && columns--)
		for (i++; i < n && (line[i] & 0xc0) == 0x80;)
			i++;
	return i;
}

static void show_line(FILE *out, const char *line, size_t n, unsigned columns)
{
	const char *no_colour = getenv("NO_COLOR");
	bool marked = n && *line == PAGE_HEADING;
	bool reverse = marked && !(no_colour && *no_colour);

	line += marked;
	n -= marked;
	fprintf(out, "%s%.*s%s%s", reverse ? REVERSE : "", (int)fit(line, n, columns),
	        line, reverse ? PLAIN : "", REST_OF_LINE);
}

void screen_show(const char *text)
{
	struct winsize w = size();
	size_t length;
	char *whole = NULL;
	FILE *out = open_memstream(&whole, &length);

	if (!out)
		return; /* no memory; the next snapshot tries again */
	fputs(HOME, out);
	for (unsigned row = 0; *text && row < w.ws_row; row++) {
		size_t n = strcspn(text, "\n");

		if (row)
			fputs("\r\n", out);
		show_line(out, text, n, w.ws_col);
		text += n + (text[n] != 0);
	}
	fputs(REST_OF_SCREEN, out);
	if (!fclose(out))
		write_all(whole, length);
	free(whole);
}
