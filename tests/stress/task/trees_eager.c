/* SPDX-License-Identifier: MIT */
/* As trees.c, with spawns that go straight into the queue: block sizes 1, 8 and 64. */
#define FILCH_EAGER 1
#include "tests/stress/task/trees.inc.h"

static const size_t block_sizes[] = {1, 8, 64};

static struct filch_pool_options nth(size_t n)
{
	struct filch_pool_options o = {0};

	o.workers = workers_of[n % SIZE_OF(workers_of)];
	n /= SIZE_OF(workers_of);
	o.block_size = block_sizes[n % SIZE_OF(block_sizes)];
	n /= SIZE_OF(block_sizes);
	o.probabilistic = n & 1 ? FILCH_OFF : FILCH_ON;
	o.block_steal = n & 2 ? FILCH_OFF : FILCH_ON;
	return o;
}

static void every_block_size(void **state)
{
	struct filch__random random = filch__random_seed(test_seed() + 1);
	size_t ways = SIZE_OF(workers_of) * SIZE_OF(block_sizes) * 4;

	(void)state;
	plant();
	for (size_t i = 0; i < ways * (size_t)test_number("FILCH_SCALE", 1); i++) {
		struct filch_pool_options o = nth(i);

		climb(&o, &random);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(every_block_size)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
