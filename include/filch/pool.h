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

/* FILCH_TRACE=FILE, for all pools of a process: the process writes a trace of its workers
 * to this file when it ends, also when a signal ends it; %p in the name stands for the
 * process id. SIGUSR2, unless the program handles it, has the file written at once.
 * FILCH_TRACE_EVENTS is the number of events kept per worker, the newest ones: a power of
 * two from 64 to 16777216, 65536 by default. */

/* A field that is 0 or NULL takes the value of its environment variable, or else the
 * default. */
struct filch_pool_options {
	unsigned workers;   /* FILCH_WORKERS, 1 to 1024; by default as many as the
	                     * affinity and the cgroup quota allow */
	size_t stack_size;  /* FILCH_STACK_SIZE (K, M, G), bytes per strand; the default
	                     * is 8 times the limit on the main thread's stack, at
	                     * most 1 GiB, and 1 MiB for futures */
	const char *policy; /* FILCH_POLICY: random, sequential, last, best_of_two,
	                     * best_of_many, nearest (the default) */
	enum filch_switch probabilistic; /* FILCH_PROBABILISTIC: on, off (default) */
	enum filch_switch block_steal;   /* FILCH_BLOCK_STEAL: on (a thief takes up to 32
	                                  * tasks at once), off (one; the default) */
	const char *ask; /* FILCH_ASK, how a hungry worker asks: signal, poll */
	int signal; /* FILCH_SIGNAL, number or name; default SIGURG, or one from RTMIN+8 */
	size_t block_size; /* FILCH_BLOCK_SIZE, tasks per block of a queue; default 64 */
	const char *topology; /* FILCH_TOPOLOGY (hwloc, synthetic), else this machine */
	const char *bind;     /* FILCH_BIND, whether workers keep to the processors that
	                       * they are numbered by: auto (they return there when idle,
	                       * if the pool has a worker for each processor of a machine
	                       * with several caches or nodes, and nobody has set an
	                       * affinity), on (they never leave the processors that
	                       * share a cache or node), off */
	const char *io;       /* FILCH_IO, how files are read and written: auto (io_uring
	                       * where the kernel allows it, else helper threads), uring,
	                       * epoll (helper threads); see filch/io.h */
	unsigned helpers;     /* FILCH_HELPERS, 1 to 1024: the limit of threads that make
	                       * blocking calls; default 64 */
	enum filch_switch deadlocks; /* FILCH_DEADLOCKS: on (a deadlock ends the process
	                              * with a message; the default with FILCH_DEBUG),
	                              * off (otherwise the default) */
};

/* Starts a pool. With FILCH_WATCH=on in the environment, the process can be looked at
 * from its first pool on, by `filch top` and others (filch/watch.h).
 * Errors: -EINVAL (an option or environment variable), -EBUSY (the signal is in use),
 * -EAGAIN (not even one thread could be started), -EIO (hwloc cannot read this machine's
 * topology), -ENOMEM, and the error of a system call that FILCH_WATCH needs. *why (when
 * not NULL) then says in words what is wrong, until the thread's next call. */
int filch_pool_create(struct filch_pool **pool, const struct filch_pool_options *o,
                      const char **why);

/* Describes what a pool with these options (NULL: none) would be like in this process:
 * *text becomes a JSON object with the version and the build of the library, processors,
 * topology, stack guards, and every setting with its value and where it came from. The
 * manual page filch_pool_describe(3) lists the members. No pool is started. The caller
 * frees *text with free().
 * Errors, and then *why as above: -EINVAL (an option or environment variable), -EIO
 * (hwloc cannot read this machine's topology), -ENOMEM. */
int filch_pool_describe(char **text, const struct filch_pool_options *o,
                        const char **why);

/* Returns the name of the i-th environment variable that pools follow, from i = 0 on, and
 * sets *allowed to a text that says which values it may have. Returns NULL after the last
 * one. */
const char *filch_pool_variable(unsigned i, const char **allowed);

/* Ends a pool; NULL is allowed. Caller: not a worker of the pool.
 * Errors: -EBUSY, and nothing is changed, while tasks of the pool run or wait; -EDEADLK:
 * the caller is a worker of the pool; -ECHILD: the pool belongs to the parent process. */
int filch_pool_destroy(struct filch_pool *pool);

/* The pool that FILCH_RUN uses; the first call starts it. Returns NULL only if that
 * fails; *why (when not NULL) then says why. */
struct filch_pool *filch_pool_default(const char **why);

/* Return the number of workers of a pool, and the index of the worker that the caller
 * runs on, or -1. */
unsigned filch_pool_workers(const struct filch_pool *pool);
int filch_worker_index(void);

/* The counters of a worker, or of a whole pool: X(name, text). */
#define FILCH_COUNTERS(X)                                              \
	X(spawned, "tasks put into a queue by eager spawns")           \
	X(exposed, "tasks made stealable because a worker was hungry") \
	X(hidden, "tasks taken back after that")                       \
	X(stolen, "tasks taken from another worker")                   \
	X(empty, "steals that found nothing")                          \
	X(lost, "steals that lost a race")                             \
	X(refused, "victims not accepted by the dice")                 \
	X(asked, "times a busy worker was asked to expose")            \
	X(suspended, "strands that stopped to wait")                   \
	X(resumed, "strands resumed here")                             \
	X(mugged, "strands taken over from another worker")            \
	X(in_place, "tasks run without a stack of their own")          \
	X(parked, "times asleep")                                      \
	X(woken, "other workers woken")

struct filch_stats {
#define FILCH__COUNTER(name, text) uint64_t name;
	FILCH_COUNTERS(FILCH__COUNTER)
#undef FILCH__COUNTER
};

/* The counters of one worker, or the sums over all of them (worker -1). Private spawns
 * are not counted: counting would cost more than the spawn.
 * Errors: -EINVAL: there is no such worker. */
int filch_pool_stats(const struct filch_pool *pool, int worker, struct filch_stats *out);

#ifdef __cplusplus
}
#endif

#endif
