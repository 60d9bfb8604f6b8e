/* SPDX-License-Identifier: MIT */
/*
 * Phases: something serial, then something parallel, again and again. The serial part
 * lets all other workers go to sleep, so that each phase shows how fast work spreads. It
 * runs on the main thread between two roots, or inside a task.
 */
#include "sim/program/program.h"

#define LEVELS 14     /* 2^14 leaves per phase */
#define LEAF_NS 2500u /* which are 41 ms of work */

FILCH_STATIC_TASK(uint64_t, tree, (int, levels))
{
	if (!levels) {
		sim_work(LEAF_NS);
		return 1;
	}
	FILCH_SPAWN(x, tree, levels - 1);
	uint64_t y = FILCH_CALL(tree, levels - 1);
	return FILCH_JOIN(x) + y;
}

static void run(struct filch_pool *pool, const struct sim_arguments *a)
{
	sim_begin(pool);
	for (uint64_t i = 0; i < a->size; i++) {
		sim_work(a->grain * 1000);
		FILCH_RUN_ON(pool, tree, LEVELS);
	}
}

FILCH_STATIC_TASK(uint64_t, all, (const struct sim_arguments *, a))
{
	uint64_t leaves = 0;

	for (uint64_t i = 0; i < a->size; i++) {
		sim_work(a->grain * 1000);
		leaves += FILCH_CALL(tree, LEVELS);
	}
	return leaves;
}

static void run_task(struct filch_pool *pool, const struct sim_arguments *a)
{
	sim_begin(pool);
	FILCH_RUN_ON(pool, all, a);
}

const struct sim_program sim_phases = {
	.name = "phases",
	.what = "SIZE times: serial on the main thread, then 41 ms of work as tasks",
	.size_is = "phases",
	.grain_is = "us of each serial part",
	.size = 5,
	.size_most = 1000000,
	.grain = 500,
	.grain_most = 1000000,
	.run = run,
};

const struct sim_program sim_phases_task = {
	.name = "phases_task",
	.what = "the same, but the serial part is inside a task",
	.size_is = "phases",
	.grain_is = "us of each serial part",
	.size = 5,
	.size_most = 1000000,
	.grain = 500,
	.grain_most = 1000000,
	.run = run_task,
};
