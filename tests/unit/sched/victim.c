/* SPDX-License-Identifier: MIT */
/* The victim selectors, on a made-up machine of two NUMA nodes with two caches each. */
#include "tests/test.h"

#include <errno.h>

#include "sched/victim.h"

#define N 8

static struct filch__topology topology;
static size_t sizes[N];

static size_t size_of(void *pool, size_t i)
{
	(void)pool;
	return sizes[i];
}

static void start(struct filch__victims *v, enum filch_policy p, size_t self)
{
	assert_int_equal(
		filch__victims_init(v, p, self, N, &topology, size_of, NULL, test_seed()),
		0);
}

static int load_topology(void **state)
{
	(void)state;
	return filch__topology_init(&topology, "numa:2 l3:2 core:2 pu:1");
}

static int free_topology(void **state)
{
	(void)state;
	filch__topology_destroy(&topology);
	return 0;
}

static void distances(void **state)
{
	(void)state;
	assert_int_equal(topology.pus, 8);
	assert_int_equal(filch__topology_distance(&topology, 3, 3), 0);
	assert_true(filch__topology_distance(&topology, 0, 1) <
	            filch__topology_distance(&topology, 0, 2));
	assert_true(filch__topology_distance(&topology, 0, 3) <
	            filch__topology_distance(&topology, 0, 4));
	assert_int_equal(filch__topology_distance(&topology, 0, 9),
	                 filch__topology_distance(&topology, 0, 1));
}

static void this_machine_has_a_topology(void **state)
{
	struct filch__topology t;

	(void)state;
	assert_int_equal(filch__topology_init(&t, NULL), 0);
	assert_true(t.pus >= 1);
	filch__topology_destroy(&t);
	assert_int_equal(filch__topology_init(&t, "no such machine"), -EINVAL);
}

static void never_oneself(void **state)
{
	(void)state;
	for (int p = 0; p < filch_policy_count; p++)
		for (size_t self = 0; self < N; self++) {
			struct filch__victims v;

			start(&v, (enum filch_policy)p, self);
			for (int i = 0; i < 200; i++) {
				size_t next = filch__victims_next(&v);

				assert_in_range(next, 0, N - 1);
				assert_int_not_equal(next, self);
				filch__victims_tell(&v, next, i % 3 == 0);
			}
			filch__victims_destroy(&v);
		}
}

static void all_are_reached(void **state)
{
	(void)state;
	for (int p = 0; p < filch_policy_count; p++) {
		struct filch__victims v;
		bool seen[N] = {false};
		int n = 0;

		start(&v, (enum filch_policy)p, 2);
		for (int i = 0; i < 2000; i++) {
			size_t next = filch__victims_next(&v);

			seen[next] = true;
			filch__victims_tell(&v, next, false);
		}
		for (size_t i = 0; i < N; i++)
			n += seen[i];
		assert_int_equal(n, N - 1);
		filch__victims_destroy(&v);
	}
}

static void last_stays_with_a_rich_victim(void **state)
{
	struct filch__victims v;
	size_t first;

	(void)state;
	start(&v, filch_policy_last, 0);
	first = filch__victims_next(&v);
	filch__victims_tell(&v, first, true);
	for (int i = 0; i < 10; i++)
		assert_int_equal(filch__victims_next(&v), first);
	filch__victims_tell(&v, first, false);
	assert_int_equal(v.last, v.self);
	filch__victims_destroy(&v);
}

static void best_of_prefers_the_larger(void **state)
{
	struct filch__victims v;
	int hits[2] = {0, 0};

	(void)state;
	for (size_t i = 0; i < N; i++)
		sizes[i] = i == 5 ? 100 : 1;
	for (int many = 0; many < 2; many++) {
		start(&v, many ? filch_policy_best_of_many : filch_policy_best_of_two, 0);
		for (int i = 0; i < 7000; i++)
			hits[many] += filch__victims_next(&v) == 5;
		filch__victims_destroy(&v);
	}
	/* 1 - (6/7)^2 = 27 %, 1 - (6/7)^4 = 46 %, against 14 % at random. */
	assert_in_range(hits[0], 1500, 2300);
	assert_in_range(hits[1], 2800, 3700);
}

static void nearest_goes_farther_after_misses(void **state)
{
	struct filch__victims v;
	size_t next;

	(void)state;
	start(&v, filch_policy_nearest, 4);
	for (int i = 0; i < 20; i++) {
		assert_int_equal(filch__victims_next(&v), 5); /* same cache */
		filch__victims_tell(&v, 5, true);
	}
	filch__victims_tell(&v, 5, false);
	for (int i = 0; i < 20; i++)
		assert_in_range(filch__victims_next(&v), 5, 7); /* same node */
	filch__victims_tell(&v, 5, false);
	do
		next = filch__victims_next(&v);
	while (next > 3); /* the other node, in time */
	filch__victims_tell(&v, next, true);
	assert_int_equal(filch__victims_next(&v), 5);
	filch__victims_destroy(&v);
}

static void policies_have_names(void **state)
{
	(void)state;
	for (int p = 0; p < filch_policy_count; p++)
		assert_int_equal(
			filch__policy_find(filch__policy_name((enum filch_policy)p)), p);
	assert_int_equal(filch__policy_find("none"), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(distances),
		cmocka_unit_test(this_machine_has_a_topology),
		cmocka_unit_test(never_oneself),
		cmocka_unit_test(all_are_reached),
		cmocka_unit_test(last_stays_with_a_rich_victim),
		cmocka_unit_test(best_of_prefers_the_larger),
		cmocka_unit_test(nearest_goes_farther_after_misses),
		cmocka_unit_test(policies_have_names),
	};

	return cmocka_run_group_tests(tests, load_topology, free_topology);
}
