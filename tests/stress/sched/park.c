/* SPDX-License-Identifier: MIT */
/*
 * Workers that park whenever a counter of items is 0, producers that raise it now and
 * then, and threads that borrow the seats of workers: every item is had, nobody sleeps
 * through one, and no two threads have a seat. At 1, 2 and 8 workers.
 *
 * There is no time limit here; if a wake-up is lost, the test hangs and CTest ends it.
 */
#include "tests/test.h"

#include <pthread.h>
#include <sched.h>

#include "base/cpu.h"
#include "sched/park.h"

#define WORKERS_MAX 8
#define PRODUCERS 2
#define BORROWERS 2

static struct filch__lot lot;
static struct filch__parker parker[WORKERS_MAX];
static _Atomic(size_t) items, had;
static size_t each;               /* items of each producer */
static size_t turns[WORKERS_MAX]; /* plain: of each seat */

static bool finished(void)
{
	return load_acq(&had) == PRODUCERS * each;
}

static bool take(void)
{
	size_t n = load_rlx(&items);

	while (n)
		if (cas_rlx(&items, &n, n - 1)) {
			add_rel(&had, 1);
			return true;
		}
	return false;
}

/* Sleeps until called, by naps that may end while the seat is lent. */
static void sleep_until_called(uint32_t me, size_t turn)
{
	uint64_t ns = turn % 3 ? UINT64_MAX : 1000 * (turn % 7);

	while (filch__park_doze(&lot, me, ns, turn % 4))
		turns[me]++;
	filch__park_cancel(&lot, me);
}

static void *worker(void *arg)
{
	uint32_t me = (uint32_t)(uintptr_t)arg;

	while (!finished()) {
		turns[me]++;
		if (take())
			continue;
		filch__park_announce(&lot, me);
		if (take() || finished()) {
			if (filch__park_cancel(&lot, me))
				filch__park_notify(&lot, FILCH__OUTSIDE);
			continue;
		}
		sleep_until_called(me, turns[me]);
	}
	filch__park_notify_all(&lot); /* so that the others see the end */
	return NULL;
}

/* Looks for items in a worker's place, and gives its seat back when there are none. */
static void *borrower(void *arg)
{
	uint32_t first = (uint32_t)(uintptr_t)arg, me;

	while (!finished()) {
		me = filch__park_borrow(&lot, first % lot.parkers);
		if (me == FILCH__OUTSIDE) {
			sched_yield();
			continue;
		}
		turns[me]++;
		while (take())
			;
		filch__park_give_back(&lot, me);
		if (load_rlx(&items) || finished())
			filch__park_call(&lot, FILCH__OUTSIDE, me);
	}
	return NULL;
}

static void *producer(void *arg)
{
	struct filch__random random = filch__random_seed(test_seed() + (uintptr_t)arg);

	for (size_t i = 0; i < each; i++) {
		add_rlx(&items, 1);
		filch__park_notify(&lot, FILCH__OUTSIDE);
		if (filch__random_below(&random, 4) == 0)
			sched_yield();
		else
			for (uint64_t n = filch__random_below(&random, 100); n; n--)
				filch__relax();
	}
	return NULL;
}

static void run(uint32_t workers)
{
	pthread_t w[WORKERS_MAX], p[PRODUCERS], b[BORROWERS];

	each = test_scaled(10000);
	atomic_init(&items, 0);
	atomic_init(&had, 0);
	filch__lot_init(&lot, parker, workers, NULL);
	for (uint32_t i = 0; i < workers; i++)
		assert_int_equal(
			pthread_create(&w[i], NULL, worker, (void *)(uintptr_t)i), 0);
	for (uintptr_t i = 0; i < PRODUCERS; i++)
		assert_int_equal(pthread_create(&p[i], NULL, producer, (void *)i), 0);
	for (uintptr_t i = 0; i < BORROWERS; i++)
		assert_int_equal(pthread_create(&b[i], NULL, borrower, (void *)i), 0);
	for (int i = 0; i < PRODUCERS; i++)
		pthread_join(p[i], NULL);
	for (int i = 0; i < BORROWERS; i++)
		pthread_join(b[i], NULL);
	for (uint32_t i = 0; i < workers; i++)
		pthread_join(w[i], NULL);
	assert_int_equal(load_rlx(&items), 0);
	assert_int_equal(load_rlx(&had), PRODUCERS * each);
	assert_int_equal(filch__tally_sum(&lot.idle), 0);
}

static void test_one(void **state)
{
	(void)state;
	run(1);
}

static void test_two(void **state)
{
	(void)state;
	run(2);
}

static void test_eight(void **state)
{
	(void)state;
	run(8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one),
		cmocka_unit_test(test_two),
		cmocka_unit_test(test_eight),
	};

	test_seed();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
