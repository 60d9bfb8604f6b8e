/* SPDX-License-Identifier: MIT */
/*
 * A pool that has no threads, and what it takes to end it.
 */
#ifndef VERIFY_SCHED_NOTHING_H
#define VERIFY_SCHED_NOTHING_H

#include <unistd.h>

#include "sched/debug.h"
#include "sched/worker.h"

struct filch__debug filch__debug; /* the list of pools */

/* What a pool without threads has not got. */
void filch__overflow_unwatch(struct filch__stacks *stacks)
{
	(void)stacks;
}

void filch__stacks_destroy(struct filch__stacks *stacks)
{
	(void)stacks;
}

void filch__topology_destroy(struct filch__topology *topology)
{
	(void)topology;
}

void filch__stack_cache_flush(struct filch__stacks *stacks,
                              struct filch__stack_cache *cache)
{
	(void)stacks, (void)cache;
}

void filch__victims_destroy(struct filch__victims *victims)
{
	(void)victims;
}

void filch__trace_end(struct filch__trace *trace)
{
	(void)trace;
}

static inline struct filch_pool *pool_new(void)
{
	struct filch_pool *p = aligned_alloc(FILCH_LINE, sizeof *p);

	p->pid = getpid();
	p->workers = p->started = 0;
	p->cpus = 0;
	p->helpers = NULL;
	p->trace = NULL;
	p->next_pool = NULL;
	filch__debug.pools = p;
	p->worker = NULL;
	p->parker = NULL;
	atomic_init(&p->driver, NULL);
	atomic_init(&p->stop, 0);
	atomic_init(&p->guests, 0);
	atomic_init(&p->live, 1);
	return p;
}

#endif
