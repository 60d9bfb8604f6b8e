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
#include "sched/worker.h"

#undef FILCH__COUNT
#define FILCH__COUNT(w, name, n) ((void)(w), (void)(n))

#include "sched/strand.c"
#include "sched/worker.c"

/* A client has no tasks that anybody looks for. */
void filch__register_tasks(const struct filch__task *start, const struct filch__task *stop)
{
	(void)start, (void)stop;
}

void filch__unregister_tasks(const struct filch__task *start)
{
	(void)start;
}

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

static struct scene *c;

static inline void count(struct filch__record *r)
{
	((struct counted *)r)->times++;
}

static void begin(struct scene *scene, uint32_t workers, uint32_t cpus)
{
	static const struct filch_queue_options o = {2, 2, true, 0};

	c = scene;
	c->pool.workers = workers;
	c->pool.cpus = cpus;
	c->pool.worker = c->worker;
	filch__lot_init(&c->pool.lot, c->parker, workers);
	for (uint32_t i = 0; i < workers; i++) {
		c->worker[i].pool = &c->pool;
		c->worker[i].index = i;
		if (filch_runq_init(&c->worker[i].ready, &o))
			CHECK(!"the queue was made");
	}
}

static void end(void)
{
	CHECK(filch__inbox_empty(&c->pool.inbox));
	CHECK(load_rlx(&c->pool.lot.idle) == 0);
	for (uint32_t i = 0; i < c->pool.workers; i++)
		filch_runq_destroy(&c->worker[i].ready);
}

/* A strand that has stopped, on a stack of its own or in place. */
static inline void stop(struct filch__strand *s, bool in_place)
{
	strand_init(s, NULL, NULL, NULL);
	s->stack = in_place ? NULL : (struct filch__stack *)s;
	store_rlx(&s->state, FILCH__SUSPENDED);
}

/* Sleeps until there is something to run. */
static inline struct job wait_for_work(struct filch__worker *w)
{
	struct job job = {NULL, NULL};

	while (!sleep_on(w, NULL, &job))
		COVER("slept");
	return job;
}

#endif
