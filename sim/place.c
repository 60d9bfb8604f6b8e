/* SPDX-License-Identifier: MIT */
/*
 * Where threads run: the kernel's choice of a core, as far as it is modelled.
 */
#include "sim/engine.h"

#include <stdlib.h>

bool sim_may_run(const struct sim_thread *t, unsigned core)
{
	return !t->may || CPU_ISSET(core, t->may);
}

/* The core for a thread that wakes up: the one that it had if that is idle, else the
 * nearest idle one, else the one that it had. */
static struct sim_core *choose_next(const struct sim_thread *t)
{
	unsigned home = t->core->index;
	struct sim_core *best = NULL;
	enum sim_distance least = SIM_DISTANCES;

	if (!t->core->current && sim_may_run(t, home))
		return t->core;
	for (unsigned i = 0; i < sim.machine.cores && least > SIM_CORE; i++) {
		struct sim_core *c = &sim.core[(home + i) % sim.machine.cores];
		enum sim_distance d = sim_distance(&sim.machine, home, c->index);

		if (!c->current && !c->first && sim_may_run(t, c->index) && d < least) {
			best = c;
			least = d;
		}
	}
	for (unsigned i = 0; i < sim.machine.cores && !best; i++)
		if (sim_may_run(t, (home + i) % sim.machine.cores))
			best = &sim.core[(home + i) % sim.machine.cores];
	return best ? best : t->core;
}

/* How many threads have run last in each package, in each cache and on each core. */
struct load {
	unsigned package, cache, core;
};

static void count_threads(struct load *load)
{
	const struct sim_machine *m = &sim.machine;

	for (const struct sim_thread *t = sim.threads; t; t = t->all) {
		unsigned core = t->core->index;

		if (t->fresh || t->state == SIM_ENDED)
			continue;
		load[m->package[core]].package++;
		load[m->cache[core]].cache++;
		load[core].core++;
	}
}

/* The core for a new thread: the idlest one of the idlest cache of the idlest package. Linux
 * does so by averages in which threads that have slept for some milliseconds still
 * count. */
static struct sim_core *choose_first(const struct sim_thread *t)
{
	const struct sim_machine *m = &sim.machine;
	struct load *load = calloc(m->cores, sizeof *load);
	struct sim_core *best = t->core;
	uint64_t least = UINT64_MAX;

	if (!load)
		return best;
	count_threads(load);
	for (unsigned i = 0; i < m->cores; i++) {
		uint64_t n = (uint64_t)load[m->package[i]].package << 40 |
		             (uint64_t)load[m->cache[i]].cache << 20 | load[i].core;

		if (sim_may_run(t, i) && n < least) {
			best = &sim.core[i];
			least = n;
		}
	}
	free(load);
	return best;
}

struct sim_core *sim_choose_core(const struct sim_thread *t)
{
	return t->fresh ? choose_first(t) : choose_next(t);
}
