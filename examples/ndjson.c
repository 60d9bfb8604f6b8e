/* SPDX-License-Identifier: MIT */
/* Counts the words that each author has written, in a file with one JSON object a line:
 * pieces are read in order, counted at the same time, and added up in order. While one
 * waits for the disk, others are counted. */
#include <filch/io.h>
#include <filch/pipeline.h>
#include <stdio.h>
#include <string.h>

#define PIECES 8
#define SIZE 4096 /* no line is longer */
#define AUTHORS 3

static const char *const author[AUTHORS] = {"ada", "bob", "eve"};

struct piece {
	char text[SIZE + 1];
	size_t lines, filled; /* bytes: whole lines, and with the beginning of the next */
	unsigned long words[AUTHORS];
};

/* Pieces are used in turn: with so many tokens the oldest is through when it comes up. */
struct count {
	int fd;
	off_t at;
	size_t made;
	struct piece piece[PIECES];
	unsigned long words[AUTHORS];
};

static int read_piece(void **item, void *context)
{
	struct count *c = context;
	struct piece *before = &c->piece[(c->made + PIECES - 1) % PIECES];
	struct piece *p = &c->piece[c->made++ % PIECES];
	size_t rest = before->filled - before->lines;
	ssize_t n;

	memcpy(p->text, before->text + before->lines, rest);
	n = filch_pread(c->fd, p->text + rest, SIZE - rest, c->at);
	if (n < 0)
		return (int)n; /* ends the pipeline, which returns this */
	c->at += n;
	p->filled = p->lines = rest + (size_t)n;
	while (p->lines && p->text[p->lines - 1] != '\n')
		p->lines--;
	if (p->lines)
		*item = p; /* else it is the end */
	return 0;
}

/* The words of a string, which ends with a quote. */
static unsigned long words_of(const char *s)
{
	unsigned long n = 0;

	for (; *s != '"'; s++)
		n += *s != ' ' && (s[1] == ' ' || s[1] == '"');
	return n;
}

static int count_words(void **item, void *context)
{
	struct piece *p = *item;
	const char *end = p->text + p->lines;

	(void)context;
	memset(p->words, 0, sizeof p->words);
	for (const char *line = p->text; line < end; line = strchr(line, '\n') + 1) {
		const char *by = strstr(line, "\"by\":\"") + 6;
		const char *text = strstr(line, "\"text\":\"") + 8;

		for (int i = 0; i < AUTHORS; i++)
			if (!strncmp(by, author[i], 3))
				p->words[i] += words_of(text);
	}
	return 0;
}

static int add_up(void **item, void *context)
{
	struct count *c = context;
	const struct piece *p = *item;

	for (int i = 0; i < AUTHORS; i++)
		c->words[i] += p->words[i];
	return 0;
}

static int write_file(FILE *f)
{
	for (int i = 0; i < 20000; i++) {
		fprintf(f, "{\"id\":%d,\"by\":\"%s\",\"text\":\"", i,
		        author[i % AUTHORS]);
		for (int k = i * 7 % 13; k >= 0; k--)
			fprintf(f, "word%s", k ? " " : "");
		fputs("\"}\n", f);
	}
	return fflush(f) || ferror(f);
}

int main(void)
{
	static struct count c;
	struct filch_stage stage[] = {{FILCH_SERIAL, read_piece, &c},
	                              {FILCH_PARALLEL, count_words, NULL},
	                              {FILCH_SERIAL, add_up, &c}};
	FILE *f = tmpfile();
	int err;

	if (!f || write_file(f)) {
		perror("the file cannot be written");
		return 1;
	}
	c.fd = fileno(f);
	err = filch_pipeline(stage, 3, PIECES, NULL);
	if (err) {
		fprintf(stderr, "the pipeline ended early: %s\n", strerror(-err));
		return 1;
	}
	for (int i = 0; i < AUTHORS; i++)
		printf("%s %lu\n", author[i], c.words[i]);
	fclose(f);
}
