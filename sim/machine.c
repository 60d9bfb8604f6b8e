/* SPDX-License-Identifier: MIT */
#include "sim/machine.h"

#include <hwloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct sim_costs sim_costs_default = {
#define SIM_COST(name, value, text) .name = value,
	SIM_COSTS(SIM_COST)
#undef SIM_COST
};

bool sim_costs_set(struct sim_costs *c, const char *text)
{
	const char *equals = strchr(text, '=');
	size_t n = equals ? (size_t)(equals - text) : 0;
	char *end = NULL;
	double value = equals ? strtod(equals + 1, &end) : -1;

	if (!equals || end == equals + 1 || *end || !(value >= 0 && value <= 1e9)) {
		fprintf(stderr,
		        "filch sim: '%s' is no cost; write NAME=NANOSECONDS, such as "
		        "wake_up=5000\n",
		        text);
		return false;
	}
#define SIM_COST(name, number, words)                            \
	if (n == sizeof #name - 1 && !strncmp(text, #name, n)) { \
		c->name = value;                                 \
		return true;                                     \
	}
	SIM_COSTS(SIM_COST)
#undef SIM_COST
	fprintf(stderr, "filch sim: nothing that has a cost is called '%.*s'; there are",
	        (int)n, text);
#define SIM_COST(name, number, words) fprintf(stderr, " %s", #name);
	SIM_COSTS(SIM_COST)
#undef SIM_COST
	fprintf(stderr, "\n");
	return false;
}

void sim_machine_describe(unsigned cores, char *text, unsigned long size)
{
	if (cores >= 16 && cores % 16 == 0)
		snprintf(text, size, "package:2 l3:%u core:8 pu:1", cores / 16);
	else
		snprintf(text, size, "package:1 l3:1 core:%u pu:1", cores);
}

/* The number of the object of this type that the unit is part of; `otherwise` if there is
 * none. */
static unsigned part_of(hwloc_topology_t h, hwloc_obj_t pu, hwloc_obj_type_t type,
                        unsigned otherwise)
{
	hwloc_obj_t o = hwloc_get_ancestor_obj_by_type(h, type, pu);

	return o ? o->logical_index : otherwise;
}

static bool read_topology(struct sim_machine *m, hwloc_topology_t h, const char *text)
{
	unsigned units;

	if (hwloc_topology_set_synthetic(h, text) || hwloc_topology_load(h)) {
		fprintf(stderr,
		        "filch sim: hwloc refuses the topology '%s'; an example is "
		        "\"package:2 l3:4 core:8 pu:1\"\n",
		        text);
		return false;
	}
	units = (unsigned)hwloc_get_nbobjs_by_type(h, HWLOC_OBJ_PU);
	if (units < m->cores) {
		fprintf(stderr,
		        "filch sim: the topology '%s' has %u processing units, but %u "
		        "cores are to be simulated\n",
		        text, units, m->cores);
		return false;
	}
	for (unsigned i = 0; i < m->cores; i++) {
		hwloc_obj_t pu = hwloc_get_obj_by_type(h, HWLOC_OBJ_PU, i);

		m->package[i] = part_of(h, pu, HWLOC_OBJ_PACKAGE, 0);
		m->cache[i] = part_of(h, pu, HWLOC_OBJ_L3CACHE, m->package[i]);
		m->core[i] = part_of(h, pu, HWLOC_OBJ_CORE, i);
	}
	return true;
}

bool sim_machine_init(struct sim_machine *m, unsigned cores, const char *topology)
{
	hwloc_topology_t h;
	char text[128];
	bool ok;

	if (!topology) {
		sim_machine_describe(cores, text, sizeof text);
		topology = text;
	}
	m->cores = cores;
	m->core = calloc(cores, sizeof *m->core);
	m->cache = calloc(cores, sizeof *m->cache);
	m->package = calloc(cores, sizeof *m->package);
	if (!m->core || !m->cache || !m->package || hwloc_topology_init(&h)) {
		fprintf(stderr, "filch sim: no memory for a machine of %u cores\n",
		        cores);
		sim_machine_destroy(m);
		return false;
	}
	ok = read_topology(m, h, topology);
	hwloc_topology_destroy(h);
	if (!ok)
		sim_machine_destroy(m);
	return ok;
}

void sim_machine_destroy(struct sim_machine *m)
{
	free(m->core);
	free(m->cache);
	free(m->package);
}
