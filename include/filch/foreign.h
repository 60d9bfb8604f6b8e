/* SPDX-License-Identifier: MIT */
/*
 * Filch without macros: tasks as plain functions with one argument, for other languages,
 * which can call symbols only, and for whoever has a function pointer.
 *
 *   filch_run(NULL, function, argument);           on the default pool, and waits
 *
 *   struct filch_frame x;                          on the stack, within a task
 *
 *   filch_spawn(&x, left, tree);                   may run elsewhere from here on
 *   right(tree);
 *   filch_join(&x);
 *
 * Everything else that is a macro is made of these, of filch_go() and of filch_group_begin()
 * and its like; the functions of filch/numbers.h, which C programs have inline, are in the
 * library as well (see there). A spawn and a join by these calls take several times as long
 * as by the macros, which the compiler inlines.
 *
 * A task goes on, after a join or any other wait, on whatever thread is free. A language
 * whose runtime counts on its thread (Python, Go, the JVM) can have its functions called by
 * filch_for() and the others as long as these do not wait for Filch in turn. No exception
 * may leave a function that Filch calls.
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

/* Calls function(argument) as a task of the pool (NULL: the caller's, else the default
 * pool) and returns its result. Any thread. Ends the program with a message if the default
 * pool is needed and cannot start; filch_pool_default() tells before. */
void *filch_run(struct filch_pool *pool, void *(*function)(void *), void *argument);

/* A spawned call. It must lie on the stack, in the frame of a function that joins it
 * before it returns, since the runtime looks for spawned tasks there and only there. */
struct filch_frame {
	uint64_t filch__field[8];
} __attribute__((aligned(16)));

/* Spawns function(argument); joins it, once, by the task that has spawned it, and returns
 * its result. Outside a pool the call is made by the join. */
void filch_spawn(struct filch_frame *frame, void *(*function)(void *), void *argument);
void *filch_join(struct filch_frame *frame);

/* Spawns function(argument), whose result nobody needs, into a group that was begun.
 * Errors: -ECANCELED: the group is cancelled, and nothing is spawned. */
int filch_group_spawn(struct filch_group *g, void *(*function)(void *), void *argument);

/* How large a struct of the public headers is: "filch_group", "filch_mutex", ...; 0 if there
 * is none of that name. For languages that cannot read the headers. Memory of that size,
 * aligned as malloc() does and filled with zeros, is a mutex, a condition and so on. */
size_t filch_size_of(const char *name);

#ifdef __cplusplus
}
#endif

#endif
