/* SPDX-License-Identifier: MIT */
/*
 * Time on the simulated machine: work takes as long as it says, a futex wakes and times
 * out, threads share a core by slices, a signal interrupts work without making it shorter,
 * and the same run is the same again.
 */
#include "tests/sim/machine.h"

static const struct sim_costs *const costs = &sim_costs_default;

static uint64_t at[8];

/* ---- work on several cores ---- */

static void *work(void *arg)
{
	uint64_t *end = arg;

	sim_work(100000);
	*end = sim_now();
	return NULL;
}

static void *work_apart(void *arg)
{
	struct filch__thread t[4];

	for (unsigned i = 0; i < 4; i++)
		t[i] = test_thread(1 + i, work, &at[i]);
	for (int i = 0; i < 4; i++)
		filch__thread_join(&t[i]);
	at[4] = sim_now();
	return arg;
}

static void test_parallel(void **state)
{
	(void)state;
	test_simulate(costs, work_apart);
	/* Four pieces of work of 100 us each, and the time to start and join threads. */
	assert_in_range(at[4], 100000, 200000);
	for (int i = 0; i < 4; i++)
		assert_in_range(at[i], 100000, at[4]);
}

/* ---- futexes ---- */

static uint32_t word;

static void *wait_for_word(void *arg)
{
	while (!word)
		sim_futex_wait(&word, 0, UINT64_MAX);
	at[0] = sim_now();
	return arg;
}

static void *wake_it(void *arg)
{
	struct filch__thread t;

	word = 0;
	t = test_thread(1, wait_for_word, NULL);
	test_work_until(500000);
	word = 1;
	at[1] = sim_now();
	sim_futex_wake(&word, 1);
	at[2] = sim_now();
	filch__thread_join(&t);
	at[3] = sim_now();
	sim_futex_wait(&word, 0, UINT64_MAX); /* it is 1: no wait */
	at[4] = sim_now();
	return arg;
}

static void test_futex(void **state)
{
	(void)state;
	test_simulate(costs, wake_it);
	TEST_CLOSE((double)(at[2] - at[1]), costs->system_call + costs->wake, 2);
	TEST_CLOSE((double)(at[0] - at[2]), costs->wake_up, 2);
	assert_in_range(at[4] - at[3], 0,
	                (uint64_t)(costs->system_call + costs->memory) + 10);
}

static void *time_out(void *arg)
{
	word = 0;
	at[0] = sim_now();
	sim_futex_wait(&word, 0, 70000);
	at[1] = sim_now();
	return arg;
}

static void test_timeout(void **state)
{
	(void)state;
	test_simulate(costs, time_out);
	assert_in_range(at[1] - at[0], 70000, 70000 + (uint64_t)(costs->wake_up + 1000));
}

/* ---- two threads, one core ---- */

static void *work_long(void *arg)
{
	uint64_t *end = arg;

	sim_work(2500000);
	*end = sim_now();
	return NULL;
}

static uint64_t switches;

static void *share(void *arg)
{
	struct filch__thread a = test_thread(1, work_long, &at[0]),
			     b = test_thread(1, work_long, &at[1]);

	filch__thread_join(&a);
	filch__thread_join(&b);
	switches = sim.switches;
	return arg;
}

static void test_slices(void **state)
{
	(void)state;
	test_simulate(costs, share);
	/* They take turns of 1 ms: the first one ends in the middle of the fifth. */
	assert_in_range(at[0], 4500000, 4600000);
	assert_in_range(at[1], 5000000, 5100000);
	assert_int_equal(switches, 5);
}

/* ---- signals ---- */

static unsigned handled;

static void on_signal(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)info;
	(void)context;
	handled++;
	at[2] = sim_now();
}

static void *interrupt(void *arg)
{
	struct filch__thread t = test_thread(1, work, &at[0]);

	handled = 0;
	sim_signal_take(on_signal);
	test_work_until(50000);
	sim_signal_send(t.id, SIGURG, NULL);
	at[1] = sim_now();
	filch__thread_join(&t);
	return arg;
}

static void test_signal(void **state)
{
	uint64_t plain;

	(void)state;
	test_simulate(costs, work_apart);
	plain = at[0];
	test_simulate(costs, interrupt);
	assert_int_equal(handled, 1);
	TEST_CLOSE((double)(at[2] - at[1]), costs->signal_way + costs->handler, 2);
	/* The work is as long as ever, and the handler comes on top. */
	TEST_CLOSE((double)(at[0] - plain), costs->handler, 2);
}

/* ---- the same again ---- */

static uint64_t digest, busy;

static void *spin_and_work(void *arg)
{
	static struct sim_site site = TEST_SITE("update");
	uint64_t mine = (uint64_t)(uintptr_t)arg;

	for (int i = 0; i < 50; i++) {
		sim_update(&site, &busy);
		busy++;
		sim_work(busy * 7 % 400 + mine);
		digest = digest * 31 + sim.me->now;
	}
	return NULL;
}

static void *crowd(void *arg)
{
	struct filch__thread t[32];

	digest = busy = 0;
	for (uintptr_t i = 0; i < 32; i++)
		t[i] = test_thread((unsigned)i % TEST_CORES, spin_and_work, (void *)i);
	for (int i = 0; i < 32; i++)
		filch__thread_join(&t[i]);
	return arg;
}

static void test_again(void **state)
{
	uint64_t first;

	(void)state;
	test_simulate(costs, crowd);
	first = digest;
	assert_int_equal(busy, 32 * 50);
	test_simulate(costs, crowd);
	assert_int_equal(digest, first);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parallel), cmocka_unit_test(test_futex),
		cmocka_unit_test(test_timeout),  cmocka_unit_test(test_slices),
		cmocka_unit_test(test_signal),   cmocka_unit_test(test_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
