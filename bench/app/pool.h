/* SPDX-License-Identifier: MIT */
/* The pool that a run of a Filch back end has to itself, and what it counted. */
#ifndef FILCH_BENCH_APP_POOL_H
#define FILCH_BENCH_APP_POOL_H

#include <filch/pool.h>

/* NULL after a message if there is none. */
void *app_pool_create(const struct filch_pool_options *o);

/* Adds its counters to `sum`, and ends it. */
void app_pool_destroy(void *pool, struct filch_stats *sum);

#endif
