/* SPDX-License-Identifier: MIT */
/*
 * Tasks: functions that may run on another worker.
 *
 *   FILCH_TASK(result, name, (type, parameter)...) { body }  defines a task
 *   FILCH_TASK_VOID(name, (type, parameter)...) { body }     defines one without a result
 *   FILCH_TASK_DECL(result, name, (type, parameter)...);     declares a task that is
 *   FILCH_TASK_VOID_DECL(name, (type, parameter)...);        defined later or elsewhere
 *   FILCH_STATIC_TASK, _STATIC_TASK_VOID, ..._DECL           the same, for this file only
 *
 *   FILCH_SPAWN(x, name, arguments...);    declares x: a call that may run elsewhere
 *   FILCH_JOIN(x)                          its result; runs it here unless it was stolen
 *   FILCH_CALL(name, arguments...)         a plain call
 *   FILCH_RUN(name, arguments...)          from any thread: runs it on the default pool
 *   FILCH_RUN_ON(pool, name, arguments...) the same on another pool
 *
 *   FILCH_FRAME(name) part[n];                     for a number known at run time only:
 *   FILCH_SPAWN_AT(&part[i], name, arguments...);  spawns into an element
 *   FILCH_JOIN_AT(&part[i], name)                  joins it
 *
 * A task has up to eight parameters, of any type that can be assigned. A function must
 * join everything that it has spawned, once, in any order. Frames and arrays of frames
 * belong on the stack: the runtime looks for spawned tasks there and only there. For more
 * tasks than fit there, or tasks that outlive the frame, see filch/group.h.
 *
 * After a join the function may run on another thread: it must read errno and other
 * thread-local variables again. While a worker is asked for tasks, a system call that is
 * not restarted after a signal (poll, nanosleep, ...) may return EINTR early.
 *
 * In C++ a task may throw. The exception arrives at its FILCH_JOIN, FILCH_JOIN_AT,
 * FILCH_CALL or FILCH_RUN, whichever thread has run the task; the file that defines the
 * task must be C++, compiled with exceptions. Joins may stand in a catch block. An
 * exception may leave the scope of a FILCH_SPAWN, whose task is then dropped or waited
 * for, together with what it throws; but not that of a frame of FILCH_SPAWN_AT that is
 * not joined.
 *
 * A task is a function with the name of the task: FILCH_CALL(fib, 3) is fib(3). Outside a
 * pool a spawn and its join are a call, which the join makes.
 *
 * Macros that may be defined before this header is included:
 *   FILCH_EAGER     every spawn goes straight into a queue (to compare queues)
 *   FILCH_EXACT     spawned tasks are in a list rather than looked for on the stack, for
 *                   hardened programs: a spawn and its join are calls. Code without it
 *                   may be in the same program; where there is none, no stack is ever
 *                   looked through (the library: cmake -DFILCH_EXACT=ON)
 *   FILCH_DEBUG     adds checks that cost time: use outside a pool, a join by another
 *                   strand, a join forgotten, a frame that is not on the strand's stack,
 *                   a deadlock (FILCH_DEADLOCKS, see filch/pool.h)
 */
#ifndef FILCH_TASK_H
#define FILCH_TASK_H

#include <filch/detail/define.h>
#include <filch/detail/record.h>
#include <filch/detail/register.h>
#include <filch/detail/spawn.h>

/* ---- declaring and defining; detail/define.h lists what this makes ---- */

#define FILCH_TASK(result, name, ...) \
	FILCH__DEFINE(FILCH__SHOWS_ITSELF, , 1, result, name, ##__VA_ARGS__)
#define FILCH_TASK_VOID(name, ...) \
	FILCH__DEFINE(FILCH__SHOWS_ITSELF, , 0, void, name, ##__VA_ARGS__)
#define FILCH_STATIC_TASK(result, name, ...) \
	FILCH__DEFINE(FILCH__SHOWS_ITSELF, static, 1, result, name, ##__VA_ARGS__)
#define FILCH_STATIC_TASK_VOID(name, ...) \
	FILCH__DEFINE(FILCH__SHOWS_ITSELF, static, 0, void, name, ##__VA_ARGS__)

#define FILCH_TASK_DECL(result, name, ...) \
	FILCH__DECLARE(, 1, result, name, ##__VA_ARGS__)
#define FILCH_TASK_VOID_DECL(name, ...) FILCH__DECLARE(, 0, void, name, ##__VA_ARGS__)
#define FILCH_STATIC_TASK_DECL(result, name, ...) \
	FILCH__DECLARE(static, 1, result, name, ##__VA_ARGS__)
#define FILCH_STATIC_TASK_VOID_DECL(name, ...) \
	FILCH__DECLARE(static, 0, void, name, ##__VA_ARGS__)

/* ---- spawning and joining ---- */

/* A join that was forgotten shows as a warning: x__join is not used. If the spawn is the
 * body of an if or of a loop, C compilers stop at the name of the type, and C++ compilers,
 * for which the body is the first declaration, at the name of the variable. */
#define FILCH_SPAWN(x, task, ...)                                        \
	FILCH_SPAWN_needs_braces_around_it FILCH__UNUSED                 \
		x##__is_not_spawned__use_FILCH_SPAWN_within_braces;      \
	(void)sizeof x##__is_not_spawned__use_FILCH_SPAWN_within_braces; \
	FILCH__LEFT FILCH_FRAME(task) x;                                 \
	static __typeof__(&task##__join) const x##__join = task##__join; \
	FILCH__LOCALS(x, task, ##__VA_ARGS__)                            \
	task##__spawn(&x.head FILCH__NAMED(x, ##__VA_ARGS__));           \
	FILCH__KEEPER(x)
#define FILCH_JOIN(x)                                                               \
	((void)sizeof x##__is_not_spawned__use_FILCH_SPAWN_within_braces,           \
	 x##__join(&x.head, x##__1, x##__2, x##__3, x##__4, x##__5, x##__6, x##__7, \
	           x##__8 FILCH__LEVEL))

/* The type of a frame, which holds one spawned call. */
#define FILCH_FRAME(task)                                                              \
	union {                                                                        \
		struct filch__record head;                                             \
		unsigned char body[sizeof task##__is_no_task__define_it_by_FILCH_TASK] \
			__attribute__((aligned(16)));                                  \
	}
#define FILCH_SPAWN_AT(frame, task, ...)                           \
	((void)sizeof task##__is_no_task__define_it_by_FILCH_TASK, \
	 task##__spawn(&(frame)->head, ##__VA_ARGS__))
#define FILCH_JOIN_AT(frame, task)                                 \
	((void)sizeof task##__is_no_task__define_it_by_FILCH_TASK, \
	 task##__join_at(&(frame)->head))

/* ---- calling ---- */

#define FILCH_CALL(task, ...)                                      \
	((void)sizeof task##__is_no_task__define_it_by_FILCH_TASK, \
	 FILCH__CALLED(task)(__VA_ARGS__))

#define FILCH_RUN(task, ...) FILCH_RUN_ON((struct filch_pool *)NULL, task, ##__VA_ARGS__)
#define FILCH_RUN_ON(pool, task, ...)                       \
	__extension__({                                     \
		FILCH_FRAME(task) filch__f;                 \
                                                            \
		task##__set(&filch__f.head, ##__VA_ARGS__); \
		filch__run(pool, &filch__f.head);           \
		task##__result(&filch__f.head);             \
	})

#endif
