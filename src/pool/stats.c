/* SPDX-License-Identifier: MIT */
/*
 * The questions that a program may ask about a pool: how many workers it has, which one
 * the caller is, and its counters.
 */
#include <errno.h>
#include <filch/pool.h>

#include "sched/seat.h"

unsigned filch_pool_workers(const struct filch_pool *pool)
{
	return pool->workers;
}

int filch_worker_index(void)
{
	struct filch__worker *w = filch__worker_self();

	return w ? (int)w->index : -1;
}

static void add_counters(struct filch_stats *sum, const struct filch__counters *c)
{
#define ADD(name, text) sum->name += load_rlx(&c->name); /* at any time */
	FILCH_COUNTERS(ADD)
#undef ADD
}

int filch_pool_stats(const struct filch_pool *pool, int worker, struct filch_stats *out)
{
	struct filch_stats sum = {0};

	if (worker < -1 || (worker >= 0 && (unsigned)worker >= pool->workers))
		return -EINVAL;
	for (uint32_t i = 0; i < pool->workers; i++)
		if (worker == -1 || (uint32_t)worker == i)
			add_counters(&sum, &pool->seat[i].worker.counters);
	*out = sum;
	return 0;
}
