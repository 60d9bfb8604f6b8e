/* SPDX-License-Identifier: MIT */
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cache.h"
#include "sim/program/program.h"

static void *go(void *arg)
{
	struct filch_pool *pool;
	const char *why;
	struct filch_pool_options o = {.workers = sim.machine.cores};
	(void)arg;
	if (filch_pool_create(&pool, &o, &why)) {
		printf("no: %s\n", why);
		exit(1);
	}
	printf("made %lu\n", sim_now());
	sim_fib.run(pool, atoi(getenv("SIZE") ? getenv("SIZE") : "30"));
	uint64_t end = sim.me->now;
	uint64_t worked = 0, last = 0;
	unsigned busy = 0;
	for (unsigned i = 0; i < sim.machine.cores; i++) {
		worked += sim.core[i].worked;
		if (sim.core[i].first_work) {
			busy++;
			if (sim.core[i].first_work - sim.marked > last)
				last = sim.core[i].first_work - sim.marked;
		}
	}
	printf("time %.3f us, work %.3f us, speedup %.2f, busy cores %u, last began %.1f "
	       "us, asks %lu wakes %lu moves %lu\n",
	       (end - sim.marked) / 1e6, worked / 1e6,
	       (double)worked / (end - sim.marked), busy, last / 1e6, sim.asks, sim.wakes,
	       sim_cache_moves());
	filch_pool_destroy(pool);
	return NULL;
}

int main(int argc, char **argv)
{
	struct sim_machine m = {.costs = sim_costs_default};
	if (!sim_machine_init(&m, argc > 1 ? atoi(argv[1]) : 2, NULL))
		return 2;
	sim_run(&m, go, NULL);
	return 0;
}
