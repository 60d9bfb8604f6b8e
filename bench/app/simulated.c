/* SPDX-License-Identifier: MIT */
/*
 * The programs of filch sim on real processors. Their work is a chain of multiplications, as
 * many as an idle processor does in that time. So it takes longer on a processor that is
 * slower than at the start, or shared with others, as work of any other kind would.
 */
#include "base/atomic.h"
#include "base/clock.h"
#include "bench/app/pool.h"
#include "bench/app/run.h"
#include "sim/program/program.h"

#define PROBES 20
#define PROBE_STEPS 100000u

static double steps_per_ns;

/* Whether work is only added up, which one worker does at a time. */
static bool counting;
static _Atomic(uint64_t) counted_ns;

static void multiply(uint64_t steps)
{
	uint64_t x = steps;

	for (uint64_t i = 0; i < steps; i++) {
		x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9u;
		__asm__ volatile("" : "+r"(x));
	}
}

static void calibrate(void)
{
	for (int i = 0; i < PROBES; i++) {
		uint64_t start = filch__now_ns();
		double speed;

		multiply(PROBE_STEPS);
		speed = PROBE_STEPS / (double)(filch__now_ns() - start);
		if (speed > steps_per_ns)
			steps_per_ns = speed;
	}
}

void sim_work(uint64_t ns)
{
	if (counting)
		add_rlx(&counted_ns, ns); /* a count */
	else
		multiply((uint64_t)((double)ns * steps_per_ns));
}

void sim_begin(struct filch_pool *pool)
{
	(void)pool;
}

struct work {
	const struct sim_program *program;
	struct sim_arguments arguments;
	uint64_t ns; /* of all its work */
};

static uint64_t count(const struct work *w)
{
	struct filch_pool_options o = {.workers = 1};
	struct filch_stats unused = {0};
	void *pool = app_pool_create(&o);

	if (!pool)
		exit(1);
	store_rlx(&counted_ns, 0); /* nobody works */
	counting = true;
	w->program->run(pool, &w->arguments);
	counting = false;
	app_pool_destroy(pool, &unused);
	return load_rlx(&counted_ns); /* nobody works */
}

static void *prepare(const struct sim_program *program, size_t size)
{
	struct work *w = app_alloc(sizeof *w);

	if (steps_per_ns == 0)
		calibrate();
	w->program = program;
	w->arguments = (struct sim_arguments){.size = size ? size : program->size,
	                                      .grain = program->grain};
	w->ns = count(w);
	return w;
}

static void run(void *work, const struct app_host *host)
{
	const struct work *w = work;

	if (host->pool)
		w->program->run(host->pool, &w->arguments);
	else
		sim_work(w->ns);
}

static uint64_t finish(void *work)
{
	free(work);
	return 0;
}

#define DEFINE(name)                                                                    \
	static void *prepare_##name(size_t size)                                        \
	{                                                                               \
		return prepare(&sim_##name, size);                                      \
	}                                                                               \
	static const struct app app_##name##_simulated = {"sim_" #name, prepare_##name, \
	                                                  run, finish};
#define LIST(name) &app_##name##_simulated,

SIM_PROGRAMS(DEFINE)

const struct app *const app_table_simulated[] = {SIM_PROGRAMS(LIST) NULL};
