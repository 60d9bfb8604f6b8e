/* SPDX-License-Identifier: MIT */
/*
 * Filch without macros: tasks as plain functions with one argument, for other languages,
 * which can only call symbols, and for programs that have a function pointer.
 *
 *   filch_run(NULL, function, argument);           on the default pool, and waits
 *
 *   struct filch_frame x;                          on the stack, within a task
 *
 *   filch_spawn(&x, left, tree);                   may run elsewhere from here on
 *   right(tree);
 *   filch_join(&x);
 *
 * All other macros can be replaced by these functions, filch_go(), filch_group_begin()
 * and the like. The functions of filch/numbers.h, which are inline in C programs, are in
 * the library as well (see there). A spawn and a join by these calls take several times
 * as long as by the macros, which the compiler inlines.
 *
 * After a join or any other wait, a task resumes on whatever thread is free. A language
 * whose runtime depends on its thread (Python, Go, the JVM) can have its functions called
 * by filch_for() and the others as long as these functions do not wait for Filch in turn.
 * No exception may leave a function that is passed to Filch by its address; a task that
 * FILCH_TASK defines in C++ may throw.
 */
#ifndef FILCH_FOREIGN_H
#define FILCH_FOREIGN_H

#include <filch/group.h>
#include <filch/pool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Calls function(argument) as a task of the pool (NULL: the caller's pool, or else the
 * default pool) and returns its result. Caller: any thread. Ends the program with a
 * message if the default pool is needed and cannot start; filch_pool_default() tells
 * beforehand whether it can. */
void *filch_run(struct filch_pool *pool, void *(*function)(void *), void *argument);

/* A spawned call. It must lie on the stack, in the frame of a function that joins it
 * before it returns, because the runtime looks for spawned tasks there and only there. */
struct filch_frame {
	uint64_t filch__field[8];
} __attribute__((aligned(16)));

/* filch_spawn() spawns function(argument); filch_join() joins it and returns its result.
 * The task that has spawned it must join it, once. Outside a pool the join makes the
 * call. */
void filch_spawn(struct filch_frame *frame, void *(*function)(void *), void *argument);
void *filch_join(struct filch_frame *frame);

/* Spawns function(argument), whose result is not needed, into a group that was begun.
 * Errors: -ECANCELED: the group is cancelled, and nothing was spawned. */
int filch_group_spawn(struct filch_group *g, void *(*function)(void *), void *argument);

/* Returns the size of a struct of the public headers ("filch_group", "filch_mutex", ...),
 * or 0 if there is none of that name, for languages that cannot read the headers. Memory
 * of that size, aligned as by malloc() and filled with zeros, is a mutex, a condition and
 * so on that is ready for use. */
size_t filch_size_of(const char *name);

#ifdef __cplusplus
}
#endif

#endif
