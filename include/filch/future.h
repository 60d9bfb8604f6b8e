/* SPDX-License-Identifier: MIT */
/*
 * Futures: tasks on a strand of their own, which outlive the frame that starts them.
 *
 *   struct filch_future *f = FILCH_GO(fetch, url);      a task, see filch/task.h
 *   ...
 *   page = FILCH_AWAIT(fetch, f);                       its result
 *   filch_future_drop(f);                               once, by who has started it
 *
 *   f = filch_go(function, argument);                   the same for a plain function
 *   if (filch_await_until(f, filch_after(FILCH_S)) == 0)
 *       result = filch_result(f);
 *
 * Any number of strands and of threads outside may await a future, while it runs or when
 * it is done. Who uses it has kept it, or knows that somebody does meanwhile. Cancelling
 * is cooperative: a future that has not begun never runs; one that runs sees
 * filch_cancelled(), and its waits (reads, sleeps, locks with a deadline, ...) end with
 * -ECANCELED.
 */
#ifndef FILCH_FUTURE_H
#define FILCH_FUTURE_H

#include <filch/record.h>
#include <filch/task.h>
#include <filch/time.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct filch_future;

/* Starts function(argument) on the caller's pool, the default pool if it has none, or on
 * this one. NULL if there is no memory. */
struct filch_future *filch_go(void *(*function)(void *), void *argument);
struct filch_future *filch_go_on(struct filch_pool *pool, void *(*function)(void *),
                                 void *argument);

/* The same for a task; gives a struct filch_future *. */
#define FILCH_GO(task, ...) FILCH_GO_ON((struct filch_pool *)NULL, task, ##__VA_ARGS__)
#define FILCH_GO_ON(pool, task, ...)                                     \
	__extension__({                                                  \
		FILCH_FRAME(task) filch__h;                              \
                                                                         \
		task##__set(&filch__h.head, ##__VA_ARGS__);              \
		filch__future_go(pool, &filch__h.head, sizeof filch__h); \
	})

/* Waits until it is done. Any strand or thread.
 * Errors: -ETIMEDOUT; -ECANCELED: the future was cancelled before it began, so there is no
 * result, or the caller is cancelled; -EDEADLK: the future awaits itself, or another one
 * that awaits it in turn; -EINVAL: f is NULL; -ECHILD: it is the parent process's. */
int filch_await(struct filch_future *f);
int filch_await_until(struct filch_future *f, uint64_t deadline);

/* Waits until one of n is done, and returns which (the first of several); until all are.
 * Errors: as above, where a cancelled future counts as done; -EINVAL: n is 0, or one of
 * them NULL; -ENOMEM: any of more than 16. */
int filch_await_any(struct filch_future *const *f, size_t n);
int filch_await_any_until(struct filch_future *const *f, size_t n, uint64_t deadline);
int filch_await_all(struct filch_future *const *f, size_t n);
int filch_await_all_until(struct filch_future *const *f, size_t n, uint64_t deadline);

/* The result of one that is done: of a plain function; of a task. All zero if it was
 * cancelled before it began. */
void *filch_result(struct filch_future *f);
#define FILCH_RESULT(task, f) \
	task##__result(filch__future_record(f, (void (*)(void))task, #task))

/* Awaits it for good, not cancelled, and gives the result of its task. */
#define FILCH_AWAIT(task, f)                         \
	__extension__({                              \
		struct filch_future *filch__g = (f); \
                                                     \
		filch__future_await(filch__g);       \
		FILCH_RESULT(task, filch__g);        \
	})

bool filch_future_done(const struct filch_future *f);

/* Any number of times, and when it is done. */
void filch_future_cancel(struct filch_future *f);

/* Cancels it at that time, unless it is done by then; FILCH_NEVER takes that back. */
void filch_future_deadline(struct filch_future *f, uint64_t deadline);

/* One more who is to drop it. Returns f. */
struct filch_future *filch_future_keep(struct filch_future *f);

/* The caller needs it no more; NULL is none. A future that still runs goes on,
 * detached. */
void filch_future_drop(struct filch_future *f);

/* Starts a copy of the record; the record in it, checked; awaits it, or ends the program
 * with a message. */
struct filch_future *filch__future_go(struct filch_pool *pool,
                                      const struct filch__record *r, size_t size);
struct filch__record *filch__future_record(struct filch_future *f, void (*function)(void),
                                           const char *name);
void filch__future_await(struct filch_future *f);

#ifdef __cplusplus
}
#endif

#endif
