/* SPDX-License-Identifier: MIT */
/* The tests of trees.c and trees_exact.c: every policy, with and without dice and block
 * steals, both ways to ask, at 1, 2 and 8 workers. */
#include "tests/stress/task/trees.inc.h"

#include "sched/victim.h"

static const char *const policies[] = {
#define NAME(name, text) #name,
	FILCH_POLICIES(NAME)
#undef NAME
};

/* The n-th of all the ways to set a pool up. */
static struct filch_pool_options nth(size_t n)
{
	struct filch_pool_options o = {0};

	o.workers = workers_of[n % SIZE_OF(workers_of)];
	n /= SIZE_OF(workers_of);
	o.policy = policies[n % SIZE_OF(policies)];
	n /= SIZE_OF(policies);
	o.probabilistic = n & 1 ? FILCH_OFF : FILCH_ON;
	o.block_steal = n & 2 ? FILCH_OFF : FILCH_ON;
	o.ask = n & 4 ? "poll" : "signal";
	return o;
}

static void every_setting(void **state)
{
	struct filch__random random = filch__random_seed(test_seed() + 1);
	size_t scale = (size_t)test_number("FILCH_SCALE", 1);

	(void)state;
	plant();
	for (size_t i = 0; i < scale * SIZE_OF(workers_of) * SIZE_OF(policies) * 8; i++) {
		struct filch_pool_options o = nth(i);

		climb(&o, &random);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(every_setting)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
