/* SPDX-License-Identifier: MIT */
/* Serial C: a spawn is a call, a join is its result. */
#ifndef FILCH_BENCH_SEAM_SERIAL_H
#define FILCH_BENCH_SEAM_SERIAL_H

#include "bench/seam/params.h"

#define SPAWN(var, fn, ...) __typeof__(fn(__VA_ARGS__)) var = fn(__VA_ARGS__)
#define SPAWN_VOID(var, fn, ...) fn(__VA_ARGS__)
#define JOIN(var) (var)
#define JOIN_VOID(var) ((void)0)

#define PARTS(part, fn, most) long part = 0
#define SPAWN_PART(part, i, fn, ...) part += fn(__VA_ARGS__)
#define SUM_PARTS(part, n, fn) ((void)(n), part)

#define RUN(out, host, fn, ...) ((void)(host), (out) = fn(__VA_ARGS__))
#define RUN_VOID(host, fn, ...) ((void)(host), fn(__VA_ARGS__))

#endif
