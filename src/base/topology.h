/* SPDX-License-Identifier: MIT */
/*
 * How far apart processors are, as hwloc says: those of this machine, or of one that is
 * only described, so that NUMA paths can be tried anywhere. A fork() waits while a
 * topology is read: hwloc has a lock of its own, which the child would otherwise find
 * taken for good.
 */
#ifndef FILCH_BASE_TOPOLOGY_H
#define FILCH_BASE_TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A processing unit. Units that share their last cache, or a NUMA node or package where
 * that is smaller, are a group, if they are several cores. A group's number is that of its
 * first unit. Units that share only the machine are one group. */
struct filch__unit {
	unsigned cpu; /* the kernel's number */
	unsigned group;
};

struct filch__topology {
	size_t pus;        /* processing units */
	uint8_t *distance; /* pus x pus: 0 for the same, 1 in a group, more for farther */
	struct filch__unit *unit;
	size_t groups;
	bool here;                 /* it is this machine's, not one that is described */
	size_t first;              /* the unit that index 0 stands for; 0 at first */
	int packages, numa, cores; /* 0: there are none, or hwloc was not built in */
};

/* `synthetic` is a description as hwloc reads them ("numa:2 l3:2 core:2 pu:1"), or NULL
 * for this machine. Errors: -EINVAL for a description that hwloc refuses, -EIO for a
 * machine that it cannot read, -ENOMEM. */
int filch__topology_init(struct filch__topology *t, const char *synthetic);
void filch__topology_destroy(struct filch__topology *t);

/* The unit of this index; indices begin at `first`, and again after the last unit. */
static inline size_t filch__topology_unit(const struct filch__topology *t, size_t index)
{
	return (t->first + index) % t->pus;
}

/* The distance of the units that these indices stand for. */
static inline unsigned filch__topology_distance(const struct filch__topology *t, size_t a,
                                                size_t b)
{
	return t->distance[filch__topology_unit(t, a) * t->pus +
	                   filch__topology_unit(t, b)];
}

#endif
