/* SPDX-License-Identifier: MIT */
/*
 * The task vocabulary of the application benchmarks. A program is written once against it
 * and compiled once for each back end (-DSEAM_SERIAL, -DSEAM_FILCH ...):
 *
 *   TASK(type, name, (type, param)...)    a task of this file; TASK_VOID: without a
 *                                         result
 *   SPAWN(x, name, args...);              from here on it may run elsewhere
 *   JOIN(x)                               its result; JOIN_VOID(x) for SPAWN_VOID
 *   CALL(name, args...)                   a plain call
 *   PARTS(part, name, most);              room for spawns whose number is not known ...
 *   SPAWN_PART(part, i, name, args...);   ... the i-th of them, from 0 upwards ...
 *   SUM_PARTS(part, n, name)              ... and the sum of their results
 *   RUN(out, host, name, args...);        the first task; RUN_VOID: without a result
 *
 * Parameters are called fn here, not task: in OpenMP's pragmas `task` is a word.
 */
#ifndef FILCH_BENCH_SEAM_SEAM_H
#define FILCH_BENCH_SEAM_SEAM_H

#if defined(SEAM_SERIAL)
#include "bench/seam/serial.h"
#elif defined(SEAM_COUNT)
#include "bench/seam/count.h"
#elif defined(SEAM_FILCH)
#include "bench/seam/filch.h"
#elif defined(SEAM_OPENMP)
#include "bench/seam/openmp.h"
#elif defined(SEAM_TBB)
#include "bench/seam/tbb.h"
#endif

#endif
