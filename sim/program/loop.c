/* SPDX-License-Identifier: MIT */
/*
 * A loop whose iterations all take the same time.
 */
#include <stddef.h>

#include "sim/program/program.h"

static int body(size_t begin, size_t end, void *context)
{
	const struct sim_arguments *a = context;

	sim_work((end - begin) * a->grain);
	return 0;
}

FILCH_STATIC_TASK_VOID(whole, (const struct sim_arguments *, a))
{
	filch_for(0, a->size, body, (void *)(uintptr_t)a);
}

static void run(struct filch_pool *pool, const struct sim_arguments *a)
{
	sim_begin(pool);
	FILCH_RUN_ON(pool, whole, a);
}

const struct sim_program sim_loop = {
	.name = "loop",
	.what = "filch_for() over SIZE iterations that take equally long",
	.size_is = "iterations",
	.grain_is = "ns per iteration",
	.size = 1000000,
	.size_most = 1000000000,
	.grain = 100,
	.grain_most = 1000000000,
	.run = run,
};
