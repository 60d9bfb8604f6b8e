/* SPDX-License-Identifier: MIT */
/* oneTBB: a task group a spawn or a set of parts, in an arena of as many threads. C++. */
#ifndef FILCH_BENCH_SEAM_TBB_H
#define FILCH_BENCH_SEAM_TBB_H

#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include "bench/seam/params.h"

#define SPAWN(var, fn, ...)            \
	decltype(fn(__VA_ARGS__)) var; \
	tbb::task_group var##_group;   \
	var##_group.run([=, &var] { var = fn(__VA_ARGS__); })
#define SPAWN_VOID(var, fn, ...) \
	tbb::task_group var;     \
	var.run([=] { fn(__VA_ARGS__); })
#define JOIN(var) (var##_group.wait(), var)
#define JOIN_VOID(var) var.wait()

#define PARTS(part, fn, most) \
	long part[most];      \
	tbb::task_group part##_group
#define SPAWN_PART(part, i, fn, ...) \
	part##_group.run([=, &part] { part[i] = fn(__VA_ARGS__); })
#define SUM_PARTS(part, n, fn) (part##_group.wait(), seam_sum(part, n))

static inline long seam_sum(const long *part, int n)
{
	long sum = 0;

	for (int i = 0; i < n; i++)
		sum += part[i];
	return sum;
}

#define RUN(out, host, fn, ...) \
	tbb::task_arena((int)(host)->workers).execute([&] { (out) = fn(__VA_ARGS__); })
#define RUN_VOID(host, fn, ...) \
	tbb::task_arena((int)(host)->workers).execute([&] { fn(__VA_ARGS__); })

#endif
