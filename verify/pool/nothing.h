/* SPDX-License-Identifier: MIT */
/*
 * A pool that has no threads, and what it takes to end it.
 */
#ifndef VERIFY_POOL_NOTHING_H
#define VERIFY_POOL_NOTHING_H

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include "client.h"
#include "strand/tasks.h"

/* A thread that waits in a loop for another one goes on when that one is done. */
#define sched_yield() ASSUME(false)
#define pthread_barrier_destroy(b) ((void)(b)) /* no threads were started */
#include "pool/pool.c"
#include "pool/threads.c"

struct filch__debug filch__debug; /* the list of pools */

/* Functions that do nothing in a pool without threads. */
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

void filch__bind_close(struct filch__pool_whole *p)
{
	(void)p;
}

void filch__stack_cache_flush(struct filch__stacks *stacks,
                              struct filch__stack_cache *cache)
{
	(void)stacks, (void)cache;
}

void filch__trace_end(struct filch__trace *trace)
{
	(void)trace;
}

static inline struct filch_pool *pool_of_nothing(void)
{
	struct filch__pool_whole *p = aligned_alloc(FILCH_LINE, sizeof *p);

	p->pid = getpid();
	p->pool.workers = p->started = 0;
	p->pool.cpus = 0;
	p->helpers = NULL;
	p->trace = NULL;
	p->next = NULL;
	filch__debug.pools = p;
	p->pool.seat = NULL;
	p->pool.timers = NULL;
	p->parker = NULL;
	atomic_init(&p->pool.driver, NULL);
	atomic_init(&p->pool.stop, 0);
	atomic_init(&p->pool.guests, 0);
	atomic_init(&p->pool.tenants, 0);
	atomic_init(&p->pool.holds.taken, 1);
	atomic_init(&p->pool.holds.released, 0);
	return &p->pool;
}

#endif
