/* SPDX-License-Identifier: MIT */
#include "base/topology.h"

#include <errno.h>
#include <stdlib.h>

/* Both arrays of a topology whose `pus` is set. */
static int allocate(struct filch__topology *t)
{
	/* The memory of no machine has room for more. */
	if (!t->pus || t->pus > UINT16_MAX)
		return -ENOMEM;
	t->distance = malloc(t->pus * t->pus);
	t->unit = calloc(t->pus, sizeof *t->unit);
	if (t->distance && t->unit)
		return 0;
	filch__topology_destroy(t);
	return -ENOMEM;
}

#ifdef FILCH_NO_HWLOC
#include <string.h>
#include <unistd.h>

/* Without hwloc there is one unit for each processor, and all are equally far apart: one
 * group. */
int filch__topology_init(struct filch__topology *t, const char *synthetic)
{
	long pus = sysconf(_SC_NPROCESSORS_ONLN);

	if (synthetic)
		return -EINVAL;
	*t = (struct filch__topology){
		.pus = pus > 0 ? (size_t)pus : 1, .groups = 1, .here = true};
	if (allocate(t))
		return -ENOMEM;
	memset(t->distance, 1, t->pus * t->pus);
	for (size_t i = 0; i < t->pus; i++) {
		t->distance[i * t->pus + i] = 0;
		t->unit[i].cpu = (unsigned)i;
	}
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

/* The smaller of two sets of processors, of those that have several cores. */
static hwloc_const_cpuset_t smaller(hwloc_topology_t h, hwloc_const_cpuset_t a,
                                    hwloc_const_cpuset_t b)
{
	bool several = hwloc_get_nbobjs_inside_cpuset_by_type(h, b, HWLOC_OBJ_CORE) > 1;

	return several && hwloc_bitmap_weight(b) < hwloc_bitmap_weight(a) ? b : a;
}

/* The processors of the unit's group. NUMA nodes are looked for one by one, since they are
 * no ancestors. */
static hwloc_const_cpuset_t group_of(hwloc_topology_t h, hwloc_obj_t pu)
{
	hwloc_const_cpuset_t set = hwloc_topology_get_topology_cpuset(h);
	hwloc_obj_t l3 = hwloc_get_ancestor_obj_by_type(h, HWLOC_OBJ_L3CACHE, pu);
	hwloc_obj_t package = hwloc_get_ancestor_obj_by_type(h, HWLOC_OBJ_PACKAGE, pu);
	hwloc_obj_t node = NULL;

	if (l3)
		set = smaller(h, set, l3->cpuset);
	if (package)
		set = smaller(h, set, package->cpuset);
	while ((node = hwloc_get_next_obj_by_type(h, HWLOC_OBJ_NUMANODE, node)))
		if (hwloc_bitmap_isset(node->cpuset, pu->os_index))
			set = smaller(h, set, node->cpuset);
	return set;
}

static void read_units(struct filch__topology *t, hwloc_topology_t h)
{
	for (unsigned i = 0; i < t->pus; i++) {
		hwloc_obj_t pu = hwloc_get_obj_by_type(h, HWLOC_OBJ_PU, i);
		hwloc_const_cpuset_t set = group_of(h, pu);
		unsigned g = 0;

		while (!hwloc_bitmap_isset(
			set, hwloc_get_obj_by_type(h, HWLOC_OBJ_PU, g)->os_index))
			g++;
		t->unit[i] = (struct filch__unit){pu->os_index, g};
		t->groups += g == i;
	}
}

/* Units of a group are equally far from each other: a thread that keeps to the group may
 * be on any of them. */
static uint8_t distance(const struct filch__topology *t, hwloc_topology_t h, unsigned a,
                        unsigned b)
{
	if (t->unit[a].group == t->unit[b].group)
		return a != b;
	return climb(h, hwloc_get_obj_by_type(h, HWLOC_OBJ_PU, a),
	             hwloc_get_obj_by_type(h, HWLOC_OBJ_PU, b));
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
	*t = (struct filch__topology){0};
	t->here = hwloc_topology_is_thissystem(h);
	t->packages = hwloc_get_nbobjs_by_type(h, HWLOC_OBJ_PACKAGE);
	t->numa = hwloc_get_nbobjs_by_type(h, HWLOC_OBJ_NUMANODE);
	t->cores = hwloc_get_nbobjs_by_type(h, HWLOC_OBJ_CORE);
	t->pus = (size_t)hwloc_get_nbobjs_by_type(h, HWLOC_OBJ_PU);
	err = allocate(t);
	if (err)
		goto destroy_hwloc;
	read_units(t, h);
	for (unsigned a = 0; a < t->pus; a++)
		for (unsigned b = 0; b < t->pus; b++)
			t->distance[a * t->pus + b] = distance(t, h, a, b);
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
	free(t->unit);
}
