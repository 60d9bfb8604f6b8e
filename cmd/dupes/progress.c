/* SPDX-License-Identifier: MIT */
/*
 * A line on the terminal that says how far it is. By a thread of its own: a strand would
 * wait for a worker that has nothing better to do.
 */
#include <errno.h>
#include <filch/time.h>
#include <stdio.h>

#include "cmd/dupes/dupes.h"

enum { TICK_MS = 100 };

void dupes_size_text(uint64_t bytes, char *out, size_t size)
{
	static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
	double value = (double)bytes;
	size_t unit = 0;

	for (; value >= 1024 && unit < 4; unit++)
		value /= 1024;
	snprintf(out, size, unit ? "%.1f %s" : "%.0f %s", value, units[unit]);
}

void dupes_progress_clear(struct dupes *d)
{
	if (d->watched)
		fputs("\r\033[K", stderr);
}

static void show(struct dupes *d, uint64_t reading)
{
	const struct dupes_progress *p = &d->progress;
	/* Relaxed, all: counts that nothing depends on. */
	uint64_t to_read = load_rlx(&p->to_read), have = load_rlx(&p->read);
	double s = (double)(filch_now() - reading) / 1e9;
	char done[32], all[32], rate[32];

	filch_mutex_lock(&d->said);
	dupes_progress_clear(d);
	if (!to_read) {
		fprintf(stderr, "%llu files in %llu directories",
		        (unsigned long long)load_rlx(&p->files),
		        (unsigned long long)load_rlx(&p->directories));
	} else {
		double speed = s > 0 ? (double)have / s : 0;

		dupes_size_text(have, done, sizeof done);
		dupes_size_text(to_read, all, sizeof all);
		dupes_size_text((uint64_t)speed, rate, sizeof rate);
		fprintf(stderr, "%llu files; %s of at most %s read, %s/s",
		        (unsigned long long)load_rlx(&p->files), done, all, rate);
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
		if (!load_rlx(&d->progress.to_read)) /* relaxed: for who watches */
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
