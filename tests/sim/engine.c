/* SPDX-License-Identifier: MIT */
/*
 * Time on the simulated machine: work takes as long as it says, new threads are put far
 * apart, one that binds itself moves, a futex wakes and times out, threads share a core
 * by slices, a signal interrupts work without making it shorter, and the same run is the
 * same again.
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

/* ---- where threads run ---- */

static uint32_t over;
static int core_of[8];

static void *note_core(void *arg)
{
	*(int *)arg = filch__thread_cpu();
	while (!over)
		sim_futex_wait(&over, 0, UINT64_MAX);
	return NULL;
}

static void *start_several(void *arg)
{
	struct filch__thread t[8];

	over = 0;
	for (int i = 0; i < 8; i++)
		filch__thread_start(&t[i], note_core, &core_of[i]);
	sim_work(100000);
	over = 1;
	sim_futex_wake(&over, 8);
	for (int i = 0; i < 8; i++)
		filch__thread_join(&t[i]);
	return arg;
}

/* The thread that starts them is on core 0; they sleep, and count nevertheless. */
static void test_spread(void **state)
{
	static const int want[] = {8, 4, 12, 1, 9, 5, 13, 2};

	(void)state;
	test_simulate(costs, start_several);
	assert_memory_equal(core_of, want, sizeof want);
}

static void *bind_itself(void *arg)
{
	struct filch__thread me = filch__thread_me();
	cpu_set_t set, before;

	filch__thread_may(&me, &before);
	at[0] = sim_now();
	CPU_ZERO(&set);
	CPU_SET(9, &set);
	CPU_SET(10, &set);
	filch__thread_bind(&me, &set);
	core_of[0] = filch__thread_cpu();
	at[1] = sim_now();
	filch__thread_bind(&me, &before); /* it may go on, and has no reason to */
	core_of[1] = filch__thread_cpu();
	at[2] = sim_now();
	return arg;
}

static void test_moves(void **state)
{
	(void)state;
	test_simulate(costs, bind_itself);
	assert_int_equal(core_of[0], 9);
	assert_int_equal(core_of[1], 9);
	TEST_CLOSE((double)(at[1] - at[0]), costs->system_call + costs->switching, 1);
	TEST_CLOSE((double)(at[2] - at[1]), costs->system_call, 1);
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
	sim_signal_send(t.id, SIGURG);
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
		cmocka_unit_test(test_parallel), cmocka_unit_test(test_spread),
		cmocka_unit_test(test_moves),    cmocka_unit_test(test_futex),
		cmocka_unit_test(test_timeout),  cmocka_unit_test(test_slices),
		cmocka_unit_test(test_signal),   cmocka_unit_test(test_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
