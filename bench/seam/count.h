/* SPDX-License-Identifier: MIT */
/* Serial C that counts its spawns. */
#ifndef FILCH_BENCH_SEAM_COUNT_H
#define FILCH_BENCH_SEAM_COUNT_H

#include <stdint.h>

#include "bench/seam/serial.h"

extern uint64_t app_spawns;

#undef SPAWN
#undef SPAWN_VOID
#undef SPAWN_PART
#define SPAWN(var, fn, ...) \
	__typeof__(fn(__VA_ARGS__)) var = (app_spawns++, fn(__VA_ARGS__))
#define SPAWN_VOID(var, fn, ...) (app_spawns++, fn(__VA_ARGS__))
#define SPAWN_PART(part, i, fn, ...) part += (app_spawns++, fn(__VA_ARGS__))

#endif
