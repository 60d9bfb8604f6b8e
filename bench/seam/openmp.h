/* SPDX-License-Identifier: MIT */
/* OpenMP tasks: locals are firstprivate in a task unless named. taskwait waits for all
 * children, which is what these programs join anyway. */
#ifndef FILCH_BENCH_SEAM_OPENMP_H
#define FILCH_BENCH_SEAM_OPENMP_H

#include "bench/seam/params.h"

#define SEAM_PRAGMA(...) _Pragma(#__VA_ARGS__)

#define SPAWN(var, fn, ...)              \
	__typeof__(fn(__VA_ARGS__)) var; \
	SEAM_PRAGMA(omp task shared(var)) var = fn(__VA_ARGS__)
#define SPAWN_VOID(var, fn, ...) SEAM_PRAGMA(omp task) fn(__VA_ARGS__)
#define JOIN(var)                         \
	__extension__({                   \
		SEAM_PRAGMA(omp taskwait) \
		var;                      \
	})
#define JOIN_VOID(var) SEAM_PRAGMA(omp taskwait)

#define PARTS(part, fn, most) long part[most]
#define SPAWN_PART(part, i, fn, ...) \
	SEAM_PRAGMA(omp task shared(part)) part[i] = fn(__VA_ARGS__)
#define SUM_PARTS(part, n, fn)                   \
	__extension__({                          \
		long sum_ = 0;                   \
                                                 \
		SEAM_PRAGMA(omp taskwait)        \
		for (int i_ = 0; i_ < (n); i_++) \
			sum_ += part[i_];        \
		sum_;                            \
	})

#define RUN(out, host, fn, ...)                                \
	SEAM_PRAGMA(omp parallel num_threads((host)->workers)) \
	SEAM_PRAGMA(omp single)                                \
	(out) = fn(__VA_ARGS__)
#define RUN_VOID(host, fn, ...)                                \
	SEAM_PRAGMA(omp parallel num_threads((host)->workers)) \
	SEAM_PRAGMA(omp single)                                \
	fn(__VA_ARGS__)

#endif
