/* SPDX-License-Identifier: MIT */
#include "sim/calibrate/calibrate.h"

#include <hwloc.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
	"usage: filch sim calibrate\n"
	"\n"
	"Measures on this machine what the costs of filch sim stand for, as far as a\n"
	"machine with two processors can tell, and prints them as its options. Other\n"
	"programs disturb it.\n"
	"\n"
	"examples:\n"
	"  filch sim calibrate\n";

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double sim_quartile(double *sample, size_t n)
{
	qsort(sample, n, sizeof *sample, by_value);
	return sample[n / 4] > 0 ? sample[n / 4] : 0;
}

/* Puts the first two processors that this process may use into cpu. */
static bool two_processors(unsigned cpu[2])
{
	cpu_set_t set;
	int n = 0;

	if (sched_getaffinity(0, sizeof set, &set))
		return false;
	for (unsigned i = 0; i < CPU_SETSIZE && n < 2; i++)
		if (CPU_ISSET(i, &set))
			cpu[n++] = i;
	return n == 2;
}

/* Where the cost of a line between these two belongs: what they share decides. */
static double *cost_of_line(struct sim_costs *c, const unsigned cpu[2])
{
	double *cost = &c->cache;
	hwloc_topology_t h;
	hwloc_obj_t a, b;

	if (hwloc_topology_init(&h))
		return cost;
	if (!hwloc_topology_load(h) && (a = hwloc_get_pu_obj_by_os_index(h, cpu[0])) &&
	    (b = hwloc_get_pu_obj_by_os_index(h, cpu[1]))) {
		const hwloc_obj_type_t shared =
			hwloc_get_common_ancestor_obj(h, a, b)->type;

		cost = shared == HWLOC_OBJ_CORE          ? &c->core
		       : hwloc_obj_type_is_cache(shared) ? &c->cache
		       : shared == HWLOC_OBJ_PACKAGE     ? &c->socket
		                                         : &c->far;
	}
	hwloc_topology_destroy(h);
	return cost;
}

static void print_row(const char *name, double here, double otherwise, const char *text)
{
	if (here < 0)
		printf("%-12s %10s %10g  %s\n", name, "-", otherwise, text);
	else
		printf("%-12s %10.4g %10g  %s\n", name, here, otherwise, text);
}

static void print(const struct sim_costs *c)
{
	printf("%-12s %10s %10s  nanoseconds for\n", "cost", "here", "default");
#define COST(name, value, text) print_row(#name, c->name, value, text);
	SIM_COSTS(COST)
#undef COST
	printf("\nfilch sim PROGRAM");
#define COST(name, value, text) \
	if (c->name >= 0)       \
		printf(" --cost %s=%.4g", #name, c->name);
	SIM_COSTS(COST)
#undef COST
	putchar('\n');
}

int sim_calibrate(int argc, char **argv)
{
	struct sim_costs c = {
#define COST(name, value, text) .name = -1,
		SIM_COSTS(COST)
#undef COST
	};
	unsigned cpu[2];
	double line;

	if (argc > 1 && !strcmp(argv[1], "--help")) {
		fputs(help, stdout);
		return 0;
	}
	if (argc > 1) {
		fprintf(stderr,
		        "filch sim calibrate: does not take '%s'\n"
		        "Try 'filch sim calibrate --help'.\n",
		        argv[1]);
		return 2;
	}
	sim_calibrate_alone(&c);
	if (!two_processors(cpu)) {
		fputs("filch sim calibrate: this process may use one processor only; "
		      "what takes two is not measured\n",
		      stderr);
	} else if (sim_calibrate_pair(&c, cpu, &line)) {
		*cost_of_line(&c, cpu) = line;
	} else {
		perror("filch sim calibrate: no second thread, bound to a processor");
		return 1;
	}
	print(&c);
	return ferror(stdout) || fflush(stdout) ? 1 : 0;
}
