/* SPDX-License-Identifier: MIT */
/* filch bench json: a plain loop; and two threads, each with half of the file. */
#include <errno.h>
#include <pthread.h>
#include <unistd.h>

#include "bench/json/piece.h"
#include "bench/json/run.h"

#define THREADS 2

static ssize_t read_plain(int fd, void *buffer, size_t size, off_t offset)
{
	ssize_t n;

	do
		n = pread(fd, buffer, size, offset);
	while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : n;
}

static void summarise_range(int fd, size_t begin, size_t end, struct summary *s)
{
	struct reader r = {fd, begin, end, read_plain};
	struct piece p = {0};
	int err;

	while (!(err = piece_fill(&p, &p, &r)) && p.size)
		piece_parse(&p, s);
	if (err)
		rounds_fail_errno("cannot read the file of events", -err);
	piece_free(&p);
}

static void summarise(const struct events_file *f, struct summary *s,
                      struct filch_pool *pool)
{
	(void)pool;
	summarise_range(f->fd, 0, f->size, s);
}

bool events_serial(const struct rounds_run *run, double *out)
{
	return events_measure(run, out, summarise);
}

/* ---- threads ---- */

struct share {
	pthread_t thread;
	int fd;
	size_t begin, end;
	struct summary found;
};

static void *share_main(void *arg)
{
	struct share *x = arg;

	summarise_range(x->fd, x->begin, x->end, &x->found);
	return NULL;
}

/* The beginning of a line, not long after this. */
static size_t line_after(const struct events_file *f, size_t at)
{
	char c = 0;

	while (c != '\n' && at < f->size && read_plain(f->fd, &c, 1, (off_t)at) == 1)
		at++;
	return at;
}

static void summarise_in_two(const struct events_file *f, struct summary *s,
                             struct filch_pool *pool)
{
	struct share x[THREADS] = {0};
	size_t begin = 0;
	int err;

	(void)pool;
	for (size_t i = 0; i < THREADS; i++) {
		x[i].fd = f->fd;
		x[i].begin = begin;
		x[i].end = begin = line_after(f, f->size / THREADS * (i + 1));
		err = pthread_create(&x[i].thread, NULL, share_main, &x[i]);
		if (err)
			rounds_fail_errno("cannot start a thread", err);
	}
	for (size_t i = 0; i < THREADS; i++) {
		pthread_join(x[i].thread, NULL);
		summary_merge(s, &x[i].found);
		summary_free(&x[i].found);
	}
}

bool events_thread(const struct rounds_run *run, double *out)
{
	return events_measure(run, out, summarise_in_two);
}
