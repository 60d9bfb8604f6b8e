/* SPDX-License-Identifier: MIT */
/*
 * What clients of the scheduler share: a pool whose workers the client's threads play.
 * The real sources are included whole, to reach what is static in them; the linker drops
 * what a client does not call (verify/CMakeLists.txt). Counters are left out: each would
 * be one more write to switch at.
 */
#ifndef VERIFY_SCHED_FRAME_H
#define VERIFY_SCHED_FRAME_H

#include "client.h"
#include "sched/tasks.h"
#include "sched/worker.h"

#undef FILCH__COUNT
#define FILCH__COUNT(w, name, n) ((void)(w), (void)(n))

/* One look before sleeping is as good as two hundred. */
#define filch__relax() break
#include "sched/lock.c"
#undef filch__relax
#include "sched/lookout.c"
#include "sched/shelf.c"
#include "sched/steal.c"
#include "sched/strand.c"
#include "sched/worker.c"

#define WORKERS 3

struct scene {
	struct filch_pool pool;
	struct filch__worker worker[WORKERS];
	struct filch__parker parker[WORKERS];
	int result[2]; /* plain: what tasks leave, and must be seen */
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
	scene->pool.worker = scene->worker;
	filch__lot_init(&scene->pool.lot, scene->parker, workers, filch__lookout_kick);
	atomic_init(&scene->pool.timers.next, UINT64_MAX);
	for (uint32_t i = 0; i < workers; i++) {
		scene->worker[i].pool = &scene->pool;
		scene->worker[i].index = i;
		if (filch_runq_init(&scene->worker[i].ready, &o))
			CHECK(!"the queue was made");
	}
}

static inline void scene_end(void)
{
	CHECK(filch__inbox_empty(&scene->pool.inbox));
	CHECK(load_rlx(&scene->pool.lot.idle) == 0);
	for (uint32_t i = 0; i < scene->pool.workers; i++)
		filch_runq_destroy(&scene->worker[i].ready);
}

/* A strand that has stopped, on a stack of its own or in place. */
static inline void stop(struct filch__strand *s, bool in_place)
{
	s->ready.kind = FILCH__READY_STRAND;
	s->pool = &scene->pool;
	s->stack = in_place ? NULL : (struct filch__stack *)s;
	filch__strand_wait(s);
}

/* Sleeps until there is something to run. */
static inline struct filch__job wait_for_work(struct filch__worker *w)
{
	struct filch__job job = {NULL, NULL};

	while (!sleep_on(w, NULL, &job))
		COVER("slept");
	return job;
}

#endif
