/* SPDX-License-Identifier: MIT */
/*
 * How far apart processors are, as hwloc says: those of this machine, or of one that is
 * only described, so that NUMA paths can be tried anywhere. A fork() waits while a
 * topology is read: hwloc has a lock of its own, which the child would otherwise find
 * taken for good.
 */
#ifndef FILCH_BASE_TOPOLOGY_H
#define FILCH_BASE_TOPOLOGY_H

#include <stddef.h>
#include <stdint.h>

struct filch__topology {
	size_t pus;                /* processing units */
	uint8_t *distance;         /* pus x pus: 0 for the same, more for farther */
	int packages, numa, cores; /* 0: there are none, or hwloc was not built in */
};

/* `synthetic` is a description as hwloc reads them ("numa:2 l3:2 core:2 pu:1"), or NULL
 * for this machine. Errors: -EINVAL for a description that hwloc refuses, -EIO for a
 * machine that it cannot read, -ENOMEM. */
int filch__topology_init(struct filch__topology *t, const char *synthetic);
void filch__topology_destroy(struct filch__topology *t);

/* Distance of two units; indices beyond the last begin again at 0. */
static inline unsigned filch__topology_distance(const struct filch__topology *t, size_t a,
                                                size_t b)
{
	return t->distance[a % t->pus * t->pus + b % t->pus];
}

#endif
