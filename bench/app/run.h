/* SPDX-License-Identifier: MIT */
/* The command finds programs, and runs each of them once. */
#ifndef FILCH_BENCH_APP_RUN_H
#define FILCH_BENCH_APP_RUN_H

#include "bench/app/app.h"
#include "bench/bench.h"

#define APP_SUITE "app"

/* Programs of `filch sim` on real processors; a size of 0 is the one that they have there.
 * Without a pool they do as much work on the calling thread. There is no answer to check. */
extern const struct app *const app_table_simulated[];

/* The program of this name; NULL if the table has none. */
const struct app *app_find(const struct app *const *table, const char *name);

/* Returns the nanoseconds that the program took. The pool is Filch's; NULL for a back end
 * that has none. */
uint64_t app_run(const struct app *app, size_t size, void *pool, uint64_t *answer);

/* filch bench app --scaling. Returns the exit code. */
int app_scaling(const struct bench_options *o);

#endif
