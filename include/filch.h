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
 * A program that never writes a task begins with filch/for.h: filch_for(0, n, body, context)
 * is a loop on all cores. filch/reduce.h, scan.h, sort.h, find.h, filter.h, histogram.h,
 * pipeline.h and memory.h have the other algorithms; docs/algorithms.md is an overview.
 *
 *   filch/task.h                   tasks
 *   filch/group.h                  groups of tasks, with cancellation
 *   filch/future.h                 tasks that outlive the function that starts them
 *   filch/io.h, filch/time.h       reading, writing and sleeping without blocking a worker
 *   filch/sync.h, filch/channel.h  locks and channels that do not block a worker either
 *   filch/pool.h                   pools, their options and their counters
 *   filch/watch.h                  looking at another process
 *   filch/foreign.h                tasks without macros
 *   filch/version.h                the version
 */
#ifndef FILCH_H
#define FILCH_H

#include <filch/channel.h>
#include <filch/filter.h>
#include <filch/find.h>
#include <filch/for.h>
#include <filch/foreign.h>
#include <filch/future.h>
#include <filch/group.h>
#include <filch/histogram.h>
#include <filch/io.h>
#include <filch/memory.h>
#include <filch/pipeline.h>
#include <filch/pool.h>
#include <filch/reduce.h>
#include <filch/scan.h>
#include <filch/sort.h>
#include <filch/sync.h>
#include <filch/task.h>
#include <filch/time.h>
#include <filch/version.h>
#include <filch/watch.h>

#endif
