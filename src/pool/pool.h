/* SPDX-License-Identifier: MIT */
/*
 * A pool as a whole: what its workers share (sched/seat.h), and what is needed to make
 * and end it. See README.md.
 */
#ifndef FILCH_POOL_POOL_H
#define FILCH_POOL_POOL_H

#include <filch/pool.h>
#include <signal.h>
#include <sys/types.h>

#include "base/topology.h"
#include "pool/options.h"
#include "sched/seat.h"

struct filch__trace;

/* bind.c: the homes of the workers. */
struct filch__bound {
	enum filch__home_kind kind; /* of all of them */
	bool took;                  /* no other pool has homes without being told so */
	cpu_set_t
		may; /* where the thread that made the pool may run, if any have homes */
};

struct filch__pool_whole {
	struct filch_pool pool; /* first */

	/* Constant once the pool is made. */
	struct filch__settings settings;
	struct filch__topology topology;
	struct filch__parker *parker; /* of the pool's lot */
	struct filch__trace *trace;   /* or NULL */
	struct filch__bound bound;
	pid_t pid;        /* of the process whose threads the workers are */
	uint64_t made_ns; /* when it was made */

	/* threads.c: */
	uint32_t started;          /* workers that have a thread; constant */
	_Atomic(uint32_t) gate;    /* 1: the workers may begin */
	struct filch__meeting end; /* where the threads meet before they exit */
	sigset_t outside;          /* the signal mask of the thread that made the pool */

	/* src/io: helper threads, made on first use, under a lock of src/io's own. */
	void *helpers;
	void (*helpers_destroy)(void *helpers);

	struct filch__pool_whole
		*next; /* in filch__debug.pools; under a lock of pool.c */
};

static inline struct filch__pool_whole *filch__pool_whole(struct filch_pool *pool)
{
	return (struct filch__pool_whole *)pool;
}

/* Visits the pools of this process. None is destroyed meanwhile. */
void filch__pools_each(void (*visit)(struct filch__pool_whole *pool, void *arg),
                       void *arg);

/* Reads the topology that these settings name. Errors: as filch__topology_init(), and
 * *why (when not NULL) says in words what is wrong. */
int filch__pool_topology(struct filch__topology *t, const struct filch__settings *s,
                         const char **why);

/* Keeps this text for *why (when not NULL) until the thread's next call. Returns
 * `err`. */
int filch__pool_fail(int err, const char **why, const char *text);

/* Returns true if the pool belongs to the process that this one was forked from. */
bool filch__pool_is_parents(struct filch_pool *pool);

#endif
