/* SPDX-License-Identifier: MIT */
#include "bench/app/pool.h"

#include <stdio.h>
#include <string.h>

void *app_pool_create(const struct filch_pool_options *o)
{
	struct filch_pool *pool = NULL;
	const char *why = NULL;
	int r = filch_pool_create(&pool, o, &why);

	if (!r)
		return pool;
	fprintf(stderr, "filch bench app: no pool of %u workers: %s\n", o->workers,
	        why ? why : strerror(-r));
	return NULL;
}

void app_pool_destroy(void *pool, struct filch_stats *sum)
{
	struct filch_stats stats = {0};
	int r = filch_pool_stats(pool, -1, &stats);

#define ADD(name, text) sum->name += stats.name;
	FILCH_COUNTERS(ADD)
#undef ADD
	if (!r)
		r = filch_pool_destroy(pool);
	if (r)
		fprintf(stderr, "filch bench app: the pool does not end: %s\n",
		        strerror(-r));
}
