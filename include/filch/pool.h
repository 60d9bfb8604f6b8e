/* SPDX-License-Identifier: MIT */
/*
 * Pools: the worker threads that tasks run on, their options and their counters.
 *
 * Most programs need none of this: FILCH_RUN starts a default pool, which follows the
 * environment variables named below.
 */
#ifndef FILCH_POOL_H
#define FILCH_POOL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct filch_pool;

enum filch_switch { FILCH_DEFAULT, FILCH_ON, FILCH_OFF };

/* FILCH_TRACE=FILE, for all pools of a process: a trace of what their workers do, written when
 * the process ends; %p in the name is the process. FILCH_TRACE_EVENTS: the newest so many
 * events of each worker, 64 to 16777216, a power of two; 65536. */

/* 0 or NULL in a field: what the environment variable says, else the default. */
struct filch_pool_options {
	unsigned workers;   /* FILCH_WORKERS, 1 to 1024; else affinity and cgroup quota */
	size_t stack_size;  /* FILCH_STACK_SIZE (K, M, G), bytes a strand; 1 MiB */
	const char *policy; /* FILCH_POLICY: random, sequential, last, best_of_two,
	                     * best_of_many, nearest (the default) */
	enum filch_switch probabilistic; /* FILCH_PROBABILISTIC: on (default), off */
	enum filch_switch block_steal;   /* FILCH_BLOCK_STEAL: on, off (default) */
	const char *ask; /* FILCH_ASK, how a hungry worker asks: signal, poll */
	int signal; /* FILCH_SIGNAL, a number or name; RTMIN+8, or the next free one */
	const char *queue; /* FILCH_QUEUE, kind of the strands' queues: bwos_lifo, ... */
	size_t block_size; /* FILCH_BLOCK_SIZE, of those queues; 64 */
	const char *topology; /* FILCH_TOPOLOGY, synthetic (hwloc); this machine */
	const char *io;       /* FILCH_IO: auto (io_uring where the kernel allows it, else
	                       * epoll), uring, epoll; see filch/io.h */
	unsigned helpers;     /* FILCH_HELPERS, 1 to 1024: most threads that make blocking
	                       * calls; 64 */
};

/* Starts a pool. With FILCH_WATCH=on in the environment, the process can be looked at from
 * the first one on, by `filch top`.
 * Errors: -EINVAL (an option or environment variable), -EBUSY (the signal is in use),
 * -EAGAIN (not even one thread could be started), -ENOMEM, and what a system call says for
 * which FILCH_WATCH cannot be; *why (when not NULL) then says in words what is wrong, until
 * the thread's next call. */
int filch_pool_create(struct filch_pool **pool, const struct filch_pool_options *o,
                      const char **why);

/* Ends a pool; NULL is none. Caller: not one of its workers.
 * Errors: -EBUSY, and nothing is changed, while tasks of the pool run or wait;
 * -EDEADLK from a worker of the pool; -ECHILD: it is the parent process's. */
int filch_pool_destroy(struct filch_pool *pool);

/* The pool that FILCH_RUN uses; started by the first call. NULL only if that fails, and
 * *why (when not NULL) says why. */
struct filch_pool *filch_pool_default(const char **why);

/* How many workers a pool has; of them, the one that the caller is, or -1. */
unsigned filch_pool_workers(const struct filch_pool *pool);
int filch_worker_index(void);

/* What a worker, or a whole pool, has done so far. X(name, text) */
#define FILCH_COUNTERS(X)                                              \
	X(spawned, "tasks put into a queue by eager spawns")           \
	X(exposed, "tasks made stealable because somebody was hungry") \
	X(hidden, "tasks taken back after that")                       \
	X(stolen, "tasks taken from another worker")                   \
	X(empty, "steals that found nothing")                          \
	X(lost, "steals that lost a race")                             \
	X(refused, "victims not accepted by the dice")                 \
	X(asked, "times a busy worker was asked to expose")            \
	X(suspended, "strands that stopped to wait")                   \
	X(resumed, "strands that went on here")                        \
	X(mugged, "strands taken over from another worker")            \
	X(in_place, "tasks run without a stack of their own")          \
	X(parked, "times asleep")                                      \
	X(woken, "others called from their sleep")

struct filch_stats {
#define FILCH__COUNTER(name, text) uint64_t name;
	FILCH_COUNTERS(FILCH__COUNTER)
#undef FILCH__COUNTER
};

/* The counters of one worker, or of all together (worker -1). Private spawns are not
 * counted: that would cost more than the spawn.
 * Errors: -EINVAL: no such worker. */
int filch_pool_stats(const struct filch_pool *pool, int worker, struct filch_stats *out);

#ifdef __cplusplus
}
#endif

#endif
