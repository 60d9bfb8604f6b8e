/* SPDX-License-Identifier: MIT */
/* Filch; with -DFILCH_EAGER=1 every spawn goes into a queue. */
#ifndef FILCH_BENCH_SEAM_FILCH_H
#define FILCH_BENCH_SEAM_FILCH_H

#include <filch.h>

#define TASK FILCH_STATIC_TASK
#define TASK_VOID FILCH_STATIC_TASK_VOID
#define TASK_DECL FILCH_STATIC_TASK_DECL
#define TASK_VOID_DECL FILCH_STATIC_TASK_VOID_DECL
#define CALL FILCH_CALL

#define SPAWN FILCH_SPAWN
#define SPAWN_VOID FILCH_SPAWN
#define JOIN FILCH_JOIN
#define JOIN_VOID FILCH_JOIN

/* Joined in reverse: the youngest is the one that nobody can have seen. */
#define PARTS(part, fn, most) FILCH_FRAME(fn) part[most]
#define SPAWN_PART(part, i, fn, ...) FILCH_SPAWN_AT(&(part)[i], fn, __VA_ARGS__)
#define SUM_PARTS(part, n, fn)                                  \
	__extension__({                                         \
		long sum_ = 0;                                  \
                                                                \
		for (int i_ = (n); i_-- > 0;)                   \
			sum_ += FILCH_JOIN_AT(&(part)[i_], fn); \
		sum_;                                           \
	})

#define RUN(out, host, fn, ...) \
	((out) = FILCH_RUN_ON((struct filch_pool *)(host)->pool, fn, __VA_ARGS__))
#define RUN_VOID(host, fn, ...) \
	FILCH_RUN_ON((struct filch_pool *)(host)->pool, fn, __VA_ARGS__)

#endif
