/* SPDX-License-Identifier: MIT */
/* Groups of processors: those that share a cache or a node, if they are several cores. */
#include "base/topology.h"

#include "tests/test.h"

/* Without hwloc all processors are equally near, and no other machine can be described. */
static void needs_hwloc(void)
{
#ifdef FILCH_NO_HWLOC
	skip();
#endif
}

static const struct {
	const char *text;
	size_t groups, size;
} machines[] = {
	{"package:2 l3:6 core:8 pu:1", 12, 8},
	{"package:1 l3:2 core:4 pu:2", 2, 8},
	{"numa:2 core:2 pu:1", 2, 2},
	{"numa:2 l3:2 core:2 pu:2", 4, 4},
	{"package:2 numa:2 l3:1 core:3 pu:1", 4, 3},
	{"package:2 l3:4 core:1 pu:2", 2, 8}, /* a core with a cache of its own is none */
	{"package:1 l3:1 core:8 pu:2", 1, 16},
	{"package:4 core:1 pu:1", 1, 4}, /* as virtual machines describe themselves */
	{"package:1 l2:4 core:4 pu:1", 1, 16},
	{"core:4 pu:2", 1, 8},
	{"pu:4", 1, 4},
};

/* Within a group all are equally near, whatever they share, and nearer than others. */
static void check_distances(const struct filch__topology *t, size_t size)
{
	for (size_t a = 0; a < t->pus; a++)
		for (size_t b = 0; b < t->pus; b++)
			if (a / size == b / size)
				assert_int_equal(filch__topology_distance(t, a, b),
				                 a != b);
			else
				assert_true(filch__topology_distance(t, a, b) > 1);
}

static void check_groups(const struct filch__topology *t, size_t groups, size_t size)
{
	assert_int_equal(t->groups, groups);
	assert_int_equal(t->pus, groups * size);
	for (size_t i = 0; i < t->pus; i++) {
		assert_int_equal(t->unit[i].group, i / size * size);
		assert_int_equal(t->unit[i].cpu, i);
	}
}

static void test_groups(void **state)
{
	struct filch__topology t;

	(void)state;
	needs_hwloc();
	for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
		assert_int_equal(filch__topology_init(&t, machines[i].text), 0);
		check_groups(&t, machines[i].groups, machines[i].size);
		check_distances(&t, machines[i].size);
		assert_false(t.here);
		filch__topology_destroy(&t);
	}
}

/* The kernel may number processors otherwise than they lie. */
static void test_numbers(void **state)
{
	struct filch__topology t;

	(void)state;
	needs_hwloc();
	assert_int_equal(filch__topology_init(&t, "numa:2 core:2 pu:1(indexes=0,2,1,3)"),
	                 0);
	assert_int_equal(t.groups, 2);
	assert_int_equal(t.unit[1].cpu, 2);
	assert_int_equal(t.unit[1].group, 0);
	assert_int_equal(t.unit[2].cpu, 1);
	assert_int_equal(t.unit[2].group, 2);
	filch__topology_destroy(&t);
}

static void test_first(void **state)
{
	struct filch__topology t;

	(void)state;
	needs_hwloc();
	assert_int_equal(filch__topology_init(&t, "numa:2 core:3 pu:1"), 0);
	assert_int_equal(filch__topology_unit(&t, 7), 1);
	assert_true(filch__topology_distance(&t, 2, 3) >
	            filch__topology_distance(&t, 2, 1));
	t.first = 3;
	assert_int_equal(filch__topology_unit(&t, 2), 5);
	assert_int_equal(filch__topology_unit(&t, 3), 0);
	assert_true(filch__topology_distance(&t, 2, 3) >
	            filch__topology_distance(&t, 2, 1));
	filch__topology_destroy(&t);
}

static void test_this_machine(void **state)
{
	struct filch__topology t;

	(void)state;
	assert_int_equal(filch__topology_init(&t, NULL), 0);
	assert_true(t.here && t.groups >= 1 && t.first == 0);
	for (size_t i = 0; i < t.pus; i++)
		assert_int_equal(t.unit[t.unit[i].group].group, t.unit[i].group);
	filch__topology_destroy(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_groups),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_first),
		cmocka_unit_test(test_this_machine),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
