/* SPDX-License-Identifier: MIT */
/* The live view: one loop over snapshots, keys, signals and the clock. */
#include <errno.h>
#include <filch/time.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "cmd/top/top.h"

#define PATIENCE_MS 3000 /* after which the view says that no answer comes */

struct live {
	struct top_link *link;
	uint64_t interval_ns, next, asked_at; /* asked_at is 0 while no answer is due */
	json_t *now, *before;
	int signals; /* a signalfd */
	int keys;    /* the standard input, or -1 */
	bool silent; /* the view says that no answer comes */
	bool over;
	int signal; /* the signal that has ended the view, or 0 */
	enum top_result result;
};

static void draw(const struct live *v)
{
	struct page_options o = {.rows = screen_rows() - 1, .marks = true};
	char *text = NULL;
	size_t length;
	FILE *out;

	if (!v->now && !v->silent)
		return;
	out = open_memstream(&text, &length);
	if (!out)
		return;
	if (v->silent)
		fprintf(out, "No answer for %.0f seconds; is it stopped?   q: quit\n",
		        (double)(filch_now() - v->asked_at) / 1e9);
	if (v->now)
		page_write(out, v->now, v->before, &o);
	if (!fclose(out))
		screen_show(text);
	free(text);
}

static void finish(struct live *v, enum top_result result)
{
	v->result = result;
	v->over = true;
}

static void ask(struct live *v)
{
	uint64_t now = filch_now();
	enum top_result r;

	v->next = now + v->interval_ns;
	if (v->asked_at) { /* one question at a time */
		v->silent = now - v->asked_at > (uint64_t)PATIENCE_MS * 1000000;
		if (v->silent)
			draw(v);
		return;
	}
	r = link_ask(v->link);
	if (r != TOP_OK)
		finish(v, r);
	v->asked_at = now;
}

static void take_answer(struct live *v)
{
	const char *line;
	enum top_result r = link_receive(v->link, 0, &line);
	json_t *snapshot;

	if (r == TOP_SILENT)
		return; /* the rest of the line is still to come */
	snapshot = r == TOP_OK ? link_parse(line) : NULL;
	if (!snapshot) {
		finish(v, r == TOP_OK ? TOP_WRONG : r);
		return;
	}
	json_decref(v->before);
	v->before = v->now;
	v->now = snapshot;
	if (!v->before) /* rates need two snapshots, so the second is taken soon */
		v->next = filch_now() + v->interval_ns / 4;
	v->asked_at = 0;
	v->silent = false;
	draw(v);
}

static void take_key(struct live *v)
{
	char key;
	ssize_t n = read(v->keys, &key, 1);

	if (n == 1 && (key == 'q' || key == 'Q'))
		finish(v, TOP_OK);
	else if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
		v->keys = -1;
}

static void take_signal(struct live *v)
{
	struct signalfd_siginfo s;

	if (read(v->signals, &s, sizeof s) != sizeof s)
		return;
	if (s.ssi_signo == SIGTSTP) {
		screen_close();
		raise(SIGSTOP);
	}
	if (s.ssi_signo == SIGTSTP || s.ssi_signo == SIGCONT || s.ssi_signo == SIGWINCH) {
		screen_open();
		draw(v);
		return;
	}
	v->signal = (int)s.ssi_signo;
	finish(v, TOP_OK);
}

static int wait_ms(const struct live *v)
{
	uint64_t now = filch_now();

	return now < v->next ? (int)((v->next - now + 999999) / 1000000) : 0;
}

static void loop(struct live *v)
{
	while (!v->over) {
		struct pollfd p[] = {{.fd = v->link->fd, .events = POLLIN},
		                     {.fd = v->keys, .events = POLLIN},
		                     {.fd = v->signals, .events = POLLIN}};

		if (!wait_ms(v))
			ask(v);
		if (v->over || poll(p, 3, wait_ms(v)) < 0)
			continue;
		if (p[2].revents)
			take_signal(v);
		if (p[1].revents && !v->over)
			take_key(v);
		if (p[0].revents && !v->over)
			take_answer(v);
	}
}

static void our_signals(sigset_t *set)
{
	static const int list[] = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT,
	                           SIGTSTP, SIGCONT, SIGWINCH};

	sigemptyset(set);
	for (size_t i = 0; i < sizeof list / sizeof *list; i++)
		sigaddset(set, list[i]);
}

enum top_result live_view(struct top_link *l, unsigned interval_ms)
{
	struct live v = {.link = l, .interval_ns = (uint64_t)interval_ms * 1000000};
	sigset_t set, old;

	our_signals(&set);
	sigprocmask(SIG_BLOCK, &set, &old);
	v.signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	v.keys = isatty(STDIN_FILENO) ? STDIN_FILENO : -1;
	loop(&v);
	screen_close();
	json_decref(v.now);
	json_decref(v.before);
	close(v.signals);
	if (v.signal)
		signal(v.signal, SIG_DFL);
	sigprocmask(SIG_SETMASK, &old, NULL);
	if (v.signal)
		raise(v.signal); /* the signal now takes its usual effect */
	return v.result;
}
