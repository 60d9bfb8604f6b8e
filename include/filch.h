/* SPDX-License-Identifier: MIT */
/*
 * Filch: tasks that cost about a nanosecond, on every core.
 *
 *   FILCH_TASK(long, fib, (int, n))
 *   {
 *       if (n < 2)
 *           return n;
 *       FILCH_SPAWN(x, fib, n - 1);          may run elsewhere from here on
 *       long y = FILCH_CALL(fib, n - 2);
 *       return FILCH_JOIN(x) + y;
 *   }
 *
 *   printf("%ld\n", FILCH_RUN(fib, 40));     starts the default pool on first use
 *
 * filch/task.h has the tasks, filch/group.h groups of tasks with cancellation,
 * filch/pool.h pools, their options and counters.
 */
#ifndef FILCH_H
#define FILCH_H

#include <filch/group.h>
#include <filch/pool.h>
#include <filch/task.h>

#endif
