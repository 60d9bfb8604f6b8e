/* SPDX-License-Identifier: MIT */
/*
 * The machine that is simulated: how its cores lie, and what things cost there.
 */
#ifndef FILCH_SIM_MACHINE_H
#define FILCH_SIM_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

/* How far apart two cores are. */
enum sim_distance {
	SIM_SAME,   /* the same one */
	SIM_CORE,   /* two hardware threads of a core */
	SIM_CACHE,  /* they share the last cache */
	SIM_SOCKET, /* they share a package */
	SIM_FAR,    /* they share the memory */
	SIM_DISTANCES
};

/* Everything that has a cost, in nanoseconds: X(name, default, text). Those of the kernel
 * are of an idle machine; `kernel` multiplies them, since nobody could measure them on a
 * thousand cores here. */
#define SIM_COSTS(X)                                                         \
	X(plain, 0.3, "a plain access that hits the own cache")              \
	X(hit, 0.5, "an atomic load or store that hits")                     \
	X(update, 4.5, "an atomic update or a fence, without a miss")        \
	X(call, 0.8, "a call of a function of the runtime")                  \
	X(fiber, 2, "changing the strand that a thread runs")                \
	X(core, 5, "fetching a line from the other thread of a core")        \
	X(cache, 25, "fetching a line within the last cache")                \
	X(socket, 95, "fetching a line from elsewhere in the package")       \
	X(far, 200, "fetching a line from another package")                  \
	X(memory, 90, "fetching a line that no cache has")                   \
	X(serve, 8, "how long a line that is read is busy for others")       \
	X(recall, 1, "taking a line from one more core that shares it")      \
	X(pause, 13, "one turn of a spin loop")                              \
	X(clock, 20, "a look at the clock")                                  \
	X(kernel, 1, "factor of all that follows")                           \
	X(system_call, 150, "entering and leaving the kernel")               \
	X(wake, 1300, "waking a sleeping thread, for the waker")             \
	X(wake_up, 3500, "from there until the thread runs on an idle core") \
	X(switching, 1200, "changing the thread that a core runs")           \
	X(signal, 600, "sending a signal, for the sender")                   \
	X(signal_lock, 120, "the part of it that the whole process shares")  \
	X(signal_way, 1500, "from there until the thread is interrupted")    \
	X(handler, 900, "entering and leaving a handler")                    \
	X(start, 12000, "starting a thread")                                 \
	X(mapping, 600, "a call that changes a mapping")                     \
	X(slice, 1000000, "how long a thread keeps a core that another waits for")

struct sim_costs {
#define SIM_COST(name, value, text) double name;
	SIM_COSTS(SIM_COST)
#undef SIM_COST
};

struct sim_machine {
	unsigned cores;
	unsigned *core, *cache, *package; /* of each of them: what it is part of */
	struct sim_costs costs;
};

/* Makes a machine of this many cores, as hwloc's description says, or, with NULL, of two
 * packages whose cores share caches by eight. Returns false, with a message, if the
 * description is refused or has another number of cores. */
bool sim_machine_init(struct sim_machine *m, unsigned cores, const char *topology);
void sim_machine_destroy(struct sim_machine *m);

/* Writes the description that NULL stands for. */
void sim_machine_describe(unsigned cores, char *text, unsigned long size);

static inline enum sim_distance sim_distance(const struct sim_machine *m, unsigned a,
                                             unsigned b)
{
	if (a == b)
		return SIM_SAME;
	if (m->core[a] == m->core[b])
		return SIM_CORE;
	if (m->cache[a] == m->cache[b])
		return SIM_CACHE;
	return m->package[a] == m->package[b] ? SIM_SOCKET : SIM_FAR;
}

/* Changes one cost by "name=value". Returns false, with a message, if there is no such
 * cost or value. */
bool sim_costs_set(struct sim_costs *c, const char *text);

extern const struct sim_costs sim_costs_default;

#endif
