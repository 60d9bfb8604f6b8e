/* SPDX-License-Identifier: MIT */
/*
 * Timers of many rows of workers: strands sleep and compute, wait for what does not come,
 * and are cancelled by deadlines of futures, some of which threads outside set. Nothing
 * wakes early, and nobody is left behind: then the test would hang, and CTest end it. With
 * 3 and with 20 workers.
 */
#include <filch/future.h>
#include <filch/sync.h>

#include "base/random.h"
#include "tests/together.h"

#define STRANDS 60
#define THREADS 4

struct all {
	uint64_t seed;
	size_t times;
	struct filch_event never;
	struct filch_pool *pool;
};

static void compute(uint64_t ns)
{
	uint64_t end = filch_after(ns);

	while (filch_now() < end)
		;
}

FILCH_STATIC_TASK(int, sleeper, (uint64_t, deadline))
{
	return filch_sleep_until(deadline);
}

/* A future sleeps for long; its deadline, or the second one, ends that. */
static void cut_short(struct all *a, struct filch__random *random)
{
	struct filch_future *f =
		FILCH_GO_ON(a->pool, sleeper, filch_after(3600 * FILCH_S));

	filch_future_deadline(f, filch_after(3600 * FILCH_S));
	filch_future_deadline(f, filch_after(filch__random_below(random, FILCH_MS)));
	switch (filch_await(f)) {
	case 0:
		CHECK(FILCH_RESULT(sleeper, f) == -ECANCELED);
		break;
	case -ECANCELED: /* before it began */
		break;
	default:
		CHECK(false); /* the future was not awaited */
	}
	filch_future_drop(f);
}

static void step(void *shared, unsigned index)
{
	struct all *a = shared;
	struct filch__random random = filch__random_seed(a->seed + index);

	for (size_t i = 0; i < a->times; i++) {
		uint64_t deadline = filch_after(filch__random_below(&random, FILCH_MS));

		if (index >= STRANDS || i % 16 == 0) {
			cut_short(a, &random);
		} else if (i % 2) {
			CHECK(filch_sleep_until(deadline) == 0);
			CHECK(filch_now() >= deadline);
		} else {
			CHECK(filch_event_wait_until(&a->never, deadline) == -ETIMEDOUT);
			CHECK(filch_now() >= deadline);
		}
		if (filch__random_below(&random, 32) == 0)
			compute(FILCH_MS);
	}
}

static void sleep_and_compute(void **state)
{
	static const unsigned workers[] = {3, 20};

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct all a = {.seed = test_seed(),
		                .times = test_scaled(60),
		                .never = FILCH_EVENT_INIT};

		a.pool = pool_of(workers[i]);
		together_on(a.pool, STRANDS, THREADS, step, &a);
		assert_int_equal(filch_pool_destroy(a.pool), 0);
		all_right();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(sleep_and_compute)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
