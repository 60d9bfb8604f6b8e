/* SPDX-License-Identifier: MIT */
#include "base/topology.h"

#include <errno.h>
#include <stdlib.h>

#ifdef FILCH_NO_HWLOC
#include <string.h>
#include <unistd.h>

/* Without hwloc there is one unit for each processor, and all are equally far apart. */
int filch__topology_init(struct filch__topology *t, const char *synthetic)
{
	long pus = sysconf(_SC_NPROCESSORS_ONLN);

	if (synthetic)
		return -EINVAL;
	*t = (struct filch__topology){.pus = pus > 0 ? (size_t)pus : 1};
	t->distance = malloc(t->pus * t->pus);
	if (!t->distance)
		return -ENOMEM;
	memset(t->distance, 1, t->pus * t->pus);
	for (size_t i = 0; i < t->pus; i++)
		t->distance[i * t->pus + i] = 0;
	return 0;
}

#else
#include <hwloc.h>
#include <pthread.h>

#include "base/fork.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void before_fork(void)
{
	pthread_mutex_lock(&lock);
}

/* Called in the parent, and in the child, whose thread took the lock before the fork. */
static void after_fork(void)
{
	pthread_mutex_unlock(&lock);
}

/* Returns how many levels of the tree one must climb from either unit to what they share.
 * NUMA nodes hang beside the tree in hwloc 2, but the package or group above them is in
 * it. */
static uint8_t climb(hwloc_topology_t h, hwloc_obj_t a, hwloc_obj_t b)
{
	hwloc_obj_t common = a == b ? a : hwloc_get_common_ancestor_obj(h, a, b);
	int up = a->depth - common->depth;

	return (uint8_t)(up < UINT8_MAX ? up : UINT8_MAX);
}

static int read_topology(struct filch__topology *t, const char *synthetic)
{
	hwloc_topology_t h;
	int err = 0;

	if (hwloc_topology_init(&h))
		return -ENOMEM;
	if ((synthetic && hwloc_topology_set_synthetic(h, synthetic)) ||
	    hwloc_topology_load(h)) {
		err = synthetic ? -EINVAL : -EIO;
		goto destroy_hwloc;
	}
	t->packages = hwloc_get_nbobjs_by_type(h, HWLOC_OBJ_PACKAGE);
	t->numa = hwloc_get_nbobjs_by_type(h, HWLOC_OBJ_NUMANODE);
	t->cores = hwloc_get_nbobjs_by_type(h, HWLOC_OBJ_CORE);
	t->pus = (size_t)hwloc_get_nbobjs_by_type(h, HWLOC_OBJ_PU);
	t->distance = malloc(t->pus * t->pus);
	if (!t->distance) {
		err = -ENOMEM;
		goto destroy_hwloc;
	}
	for (size_t a = 0; a < t->pus; a++)
		for (size_t b = 0; b < t->pus; b++)
			t->distance[a * t->pus + b] = climb(
				h, hwloc_get_obj_by_type(h, HWLOC_OBJ_PU, (unsigned)a),
				hwloc_get_obj_by_type(h, HWLOC_OBJ_PU, (unsigned)b));
destroy_hwloc:
	hwloc_topology_destroy(h);
	return err;
}

int filch__topology_init(struct filch__topology *t, const char *synthetic)
{
	static struct filch__fork forks = {before_fork, after_fork, after_fork, NULL,
	                                   false};
	int err;

	filch__fork_watch(&forks);
	pthread_mutex_lock(&lock);
	err = read_topology(t, synthetic);
	pthread_mutex_unlock(&lock);
	return err;
}

#endif

void filch__topology_destroy(struct filch__topology *t)
{
	free(t->distance);
}
