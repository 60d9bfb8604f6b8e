/* SPDX-License-Identifier: MIT */
/*
 * The progress line on the terminal. A thread writes it: a strand would have to wait
 * until a worker is free.
 */
#include <errno.h>
#include <filch/time.h>
#include <stdio.h>

#include "cmd/dupes/dupes.h"

enum { TICK_MS = 100 };

void dupes_progress_clear(struct dupes *d)
{
	if (d->watched)
		fputs("\r\033[K", stderr);
}

static void show(struct dupes *d, uint64_t reading)
{
	const struct dupes_progress *p = &d->progress;
	uint64_t to_read = dupes_counted(&p->to_read), have = dupes_counted(&p->read);
	double s = (double)(filch_now() - reading) / 1e9;
	char done[32], all[32], rate[32];

	filch_mutex_lock(&d->said);
	dupes_progress_clear(d);
	if (!to_read) {
		fprintf(stderr, "%llu files in %llu directories",
		        (unsigned long long)dupes_counted(&p->files),
		        (unsigned long long)dupes_counted(&p->directories));
	} else {
		double speed = s > 0 ? (double)have / s : 0;

		dupes_size_text(have, done, sizeof done);
		dupes_size_text(to_read, all, sizeof all);
		dupes_size_text((uint64_t)speed, rate, sizeof rate);
		fprintf(stderr, "%llu files; %s of at most %s read, %s/s",
		        (unsigned long long)dupes_counted(&p->files), done, all, rate);
		if (speed > 0 && have < to_read)
			fprintf(stderr, ", %.0f s left",
			        (double)(to_read - have) / speed);
	}
	fflush(stderr);
	filch_mutex_unlock(&d->said);
}

static void *watch(void *dupes)
{
	struct dupes *d = dupes;
	uint64_t reading = filch_now();

	while (filch_event_wait_until(&d->over, filch_after(TICK_MS * FILCH_MS)) ==
	       -ETIMEDOUT) {
		if (!dupes_counted(&d->progress.to_read))
			reading = filch_now();
		show(d, reading);
	}
	return NULL;
}

void dupes_progress_begin(struct dupes *d)
{
	d->watched = true;
	if (pthread_create(&d->watcher, NULL, watch, d))
		d->watched = false;
}

void dupes_progress_end(struct dupes *d)
{
	if (!d->watched)
		return;
	filch_event_set(&d->over);
	pthread_join(d->watcher, NULL);
	dupes_progress_clear(d);
	d->watched = false;
}
