/* SPDX-License-Identifier: MIT */
/* As tasks.c, with spawns that go straight into a queue: every kind of queue, block sizes
 * 1, 8 and 64. */
#define FILCH_EAGER 1
#include "queue/queue.h"
#include "tests/stress/tasks.inc.h"

static const char *const queues[] = {
#define NAME(kind, order, text) #kind,
	FILCH_QUEUE_KINDS(NAME)
#undef NAME
};
static const size_t block_sizes[] = {1, 8, 64};

static struct filch_pool_options nth(size_t n)
{
	struct filch_pool_options o = {0};

	o.workers = workers_of[n % SIZE_OF(workers_of)];
	n /= SIZE_OF(workers_of);
	o.queue = queues[n % SIZE_OF(queues)];
	n /= SIZE_OF(queues);
	o.block_size = block_sizes[n % SIZE_OF(block_sizes)];
	n /= SIZE_OF(block_sizes);
	o.probabilistic = n & 1 ? FILCH_OFF : FILCH_ON;
	o.block_steal = n & 2 ? FILCH_OFF : FILCH_ON;
	return o;
}

static void every_queue(void **state)
{
	struct filch__random random = filch__random_seed(test_seed() + 1);
	size_t ways = SIZE_OF(workers_of) * SIZE_OF(queues) * SIZE_OF(block_sizes) * 4;

	(void)state;
	plant();
	for (size_t i = 0; i < ways * (size_t)test_number("FILCH_SCALE", 1); i++) {
		struct filch_pool_options o = nth(i);

		climb(&o, &random);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(every_queue)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
