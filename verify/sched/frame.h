/* SPDX-License-Identifier: MIT */
/*
 * What clients of the scheduler share: a pool whose workers the client's threads play.
 * The real source is included whole, to reach what is static in it; the rest is linked
 * (verify/CMakeLists.txt).
 */
#ifndef VERIFY_SCHED_FRAME_H
#define VERIFY_SCHED_FRAME_H

#include "client.h"
#include "sched/call.h"
#define filch__worker_be(w) ((void)(w)) /* the checker's threads are one for the system */
#include "sched/idle.c"
#undef filch__worker_be
#include "strand/root.h"
#include "strand/tasks.h"

#define WORKERS 3
#ifndef ROWS
#define ROWS 1
#endif

struct scene {
	struct filch_pool pool;
	struct filch__seat seat[WORKERS];
	struct filch__parker parker[WORKERS];
	struct filch__timers timers[ROWS]; /* all the workers are in the first row */
	int result[2];                     /* plain: what tasks leave, and must be seen */
};

/* A record, and how often it was run: plain, so that its runners must know of each
 * other. */
struct counted {
	struct filch__record record; /* first */
	uint32_t times;
};

static struct scene *scene;

static inline void count(struct filch__record *r)
{
	((struct counted *)r)->times++;
}

static inline void scene_begin(struct scene *begun, uint32_t workers, uint32_t cpus)
{
	static const struct filch_queue_options o = {2, 2, true, 0};

	scene = begun;
	scene->pool.workers = workers;
	scene->pool.cpus = cpus;
	scene->pool.seat = scene->seat;
	filch__lot_init(&scene->pool.lot, scene->parker, workers, filch__lookout_kick);
	filch__tally_init(&scene->pool.busy, workers);
	filch__tally_init(&scene->pool.searching, workers);
	scene->pool.timers = scene->timers;
	scene->pool.rows = ROWS;
	for (uint32_t i = 0; i < ROWS; i++)
		atomic_init(&scene->timers[i].earliest, UINT64_MAX);
	for (uint32_t i = 0; i < workers; i++) {
		struct filch__worker *w = &scene->seat[i].worker;

		w->pool = &scene->pool;
		w->index = i;
		w->alone = workers == 1;
		w->inside = 1;
		w->deques.block_size = 2;
		if (filch_runq_init(&scene->seat[i].ready, &o))
			CHECK(!"the queue was made");
	}
}

static inline void scene_end(void)
{
	CHECK(filch__inbox_empty(&scene->pool.inbox));
	CHECK(filch__tally_sum(&scene->pool.lot.idle) == 0);
	for (uint32_t i = 0; i < scene->pool.workers; i++)
		filch_runq_destroy(&scene->seat[i].ready);
}

/* A strand that has stopped, on a stack of its own or in place. */
static inline void stop(struct filch__strand *s, bool in_place)
{
	s->ready.kind = FILCH__READY_STRAND;
	s->pool = &scene->pool;
	s->stack = in_place ? NULL : (struct filch__stack *)s;
	filch__strand_wait(s);
}

/* A deque with room for a few records, made by this worker, as a strand gets one. */
static inline struct filch__deque *deque_new(struct filch__worker *w)
{
	struct filch__strand s = {.deque = NULL};

	CHECK(filch__deque_ready(w));
	return filch__deque_attach(w, &s);
}

/* Sleeps until there is something to run. */
static inline struct filch__job wait_for_work(struct filch__seat *me)
{
	struct filch__job job = {0};

	while (!sleep_on(me, NULL, &job))
		COVER("slept");
	return job;
}

#endif
