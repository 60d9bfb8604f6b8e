/* SPDX-License-Identifier: MIT */
/*
 * Futures: tasks on a strand of their own, which outlive the frame that starts them.
 *
 *   struct filch_future *f = FILCH_GO(fetch, url);      a task, see filch/task.h
 *   ...
 *   page = FILCH_AWAIT(fetch, f);                       its result
 *   filch_future_drop(f);                               once, by whoever has started it
 *
 *   f = filch_go(function, argument);                   the same for a plain function
 *   if (filch_await_until(f, filch_after(FILCH_S)) == 0)
 *       result = filch_result(f);
 *
 * Any number of strands, and of threads outside the pool, may await a future, while it
 * runs or when it is done. A function that uses a future must hold a reference to it (see
 * filch_future_keep()), or know that another holder keeps its own meanwhile. Cancelling
 * is cooperative: a future that has not begun never runs; in one that runs,
 * filch_cancelled() returns true, and its waits (reads, sleeps, locks with a deadline,
 * ...) end with -ECANCELED.
 *
 * What a C++ task throws is kept: every FILCH_AWAIT and FILCH_RESULT of its future throws
 * it again, while filch_await() and the like return 0. It is gone with the last
 * reference; if nobody has asked, nobody is told. No exception may leave a plain
 * function.
 */
#ifndef FILCH_FUTURE_H
#define FILCH_FUTURE_H

#include <filch/detail/record.h>
#include <filch/task.h>
#include <filch/time.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct filch_future;

/* Starts function(argument) on the caller's pool, or on the default pool if the caller
 * has none; filch_go_on() starts it on the given pool. Returns NULL if there is no
 * memory. */
struct filch_future *filch_go(void *(*function)(void *), void *argument);
struct filch_future *filch_go_on(struct filch_pool *pool, void *(*function)(void *),
                                 void *argument);

/* The same for a task. The value is a struct filch_future *. */
#define FILCH_GO(task, ...) FILCH_GO_ON((struct filch_pool *)NULL, task, ##__VA_ARGS__)
#define FILCH_GO_ON(pool, task, ...)                                     \
	__extension__({                                                  \
		FILCH_FRAME(task) filch__h;                              \
                                                                         \
		task##__set(&filch__h.head, ##__VA_ARGS__);              \
		filch__future_go(pool, &filch__h.head, sizeof filch__h); \
	})

/* Waits until the future is done. Caller: any strand or thread.
 * Errors: -ETIMEDOUT; -ECANCELED: the future was cancelled before it began, so that there
 * is no result, or the caller is cancelled; -EDEADLK: the future awaits itself, or awaits
 * another future that awaits it in turn; -EINVAL: f is NULL; -ECHILD: the future belongs
 * to the parent process. */
int filch_await(struct filch_future *f);
int filch_await_until(struct filch_future *f, uint64_t deadline);

/* Waits until one of n futures is done and returns its index (the first of several);
 * waits until all of them are done.
 * Errors: as above, where a cancelled future counts as done; -EINVAL: n is 0, or one of
 * the futures is NULL; -ENOMEM, only when waiting for any of more than 16 futures. */
int filch_await_any(struct filch_future *const *f, size_t n);
int filch_await_any_until(struct filch_future *const *f, size_t n, uint64_t deadline);
int filch_await_all(struct filch_future *const *f, size_t n);
int filch_await_all_until(struct filch_future *const *f, size_t n, uint64_t deadline);

/* The result of a future that is done, for a plain function and for a task. It is all
 * zero if the future was cancelled before it began. */
void *filch_result(struct filch_future *f);
#define FILCH_RESULT(task, f)                                      \
	((void)sizeof task##__is_no_task__define_it_by_FILCH_TASK, \
	 task##__result(filch__future_record(f, (void (*)(void))task, #task)))

/* Waits until the future is done, without a deadline and even if the caller is cancelled.
 * The value is the result of its task. */
#define FILCH_AWAIT(task, f)                         \
	__extension__({                              \
		struct filch_future *filch__g = (f); \
                                                     \
		filch__future_await(filch__g);       \
		FILCH_RESULT(task, filch__g);        \
	})

bool filch_future_done(const struct filch_future *f);

/* Cancels the future. May be called any number of times, even when the future is done. */
void filch_future_cancel(struct filch_future *f);

/* Cancels the future at that time unless it is done by then. FILCH_NEVER removes the
 * deadline. */
void filch_future_deadline(struct filch_future *f, uint64_t deadline);

/* Adds a reference; each holder must drop its own. Returns f. */
struct filch_future *filch_future_keep(struct filch_future *f);

/* Drops a reference; NULL is allowed. A future that still runs continues, detached. */
void filch_future_drop(struct filch_future *f);

/* Internal: start a copy of the record; return the record of a future after checking its
 * task; await the future, or end the program with a message. */
struct filch_future *filch__future_go(struct filch_pool *pool,
                                      const struct filch__record *r, size_t size);
struct filch__record *filch__future_record(struct filch_future *f, void (*function)(void),
                                           const char *name);
void filch__future_await(struct filch_future *f);

#ifdef __cplusplus
}
#endif

#endif
