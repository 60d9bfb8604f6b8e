/* SPDX-License-Identifier: MIT */
/*
 * The cache model: a hit sends no message and takes its time only; a line that another
 * core has takes the time of the way; cores that write the same line take turns.
 */
#include "tests/sim/machine.h"

static struct sim_site reads = TEST_SITE("read"), writes = TEST_SITE("write"),
		       updates = TEST_SITE("update");

/* A line for each use. */
static struct {
	alignas(64) uint64_t word;
} line[TEST_CORES];

static double took(uint64_t since)
{
	return (double)(sim.me->now - since) / 1000;
}

/* ---- hits ---- */

static double first_read, second_read, first_update, second_update;
static uint64_t alone_messages;

static void *alone(void *arg)
{
	uint64_t t = sim.me->now;

	sim_read(&reads, &line[0].word);
	first_read = took(t);
	t = sim.me->now;
	sim_read(&reads, &line[0].word);
	second_read = took(t);
	t = sim.me->now;
	sim_update(&updates, &line[0].word);
	first_update = took(t);
	t = sim.me->now;
	sim_update(&updates, &line[0].word);
	second_update = took(t);
	alone_messages = sim_cache_moves();
	return arg;
}

static void test_hits(void **state)
{
	const struct sim_costs *c = &sim_costs_default;

	(void)state;
	test_simulate(c, alone);
	TEST_CLOSE(first_read, c->memory + c->hit, 0.01);
	TEST_CLOSE(second_read, c->hit, 0.01);
	TEST_CLOSE(first_update, c->update, 0.01); /* nobody else has it */
	TEST_CLOSE(second_update, c->update, 0.01);
	assert_int_equal(alone_messages, 0);
}

/* ---- distance ---- */

static double distant[TEST_CORES];
static uint64_t distant_messages;

static void *read_line(void *arg)
{
	uint64_t *word = arg, t;

	test_work_until(1000000); /* until all lines are written */
	t = sim.me->now;
	sim_read(&reads, word);
	distant[sim.me->core->index] = took(t);
	return NULL;
}

static void *distances(void *arg)
{
	static const unsigned cores[] = {1, 4, 8};
	struct filch__thread t[3];

	for (int i = 0; i < 3; i++)
		sim_update(&updates, &line[cores[i]].word); /* here, on core 0 */
	for (int i = 0; i < 3; i++)
		t[i] = test_thread(cores[i], read_line, &line[cores[i]].word);
	for (int i = 0; i < 3; i++)
		filch__thread_join(&t[i]);
	distant_messages = sim_cache_moves();
	return arg;
}

static void test_distance(void **state)
{
	const struct sim_costs *c = &sim_costs_default;

	(void)state;
	test_simulate(c, distances);
	TEST_CLOSE(distant[1], c->cache + c->hit, 0.01);
	TEST_CLOSE(distant[4], c->socket + c->hit, 0.01);
	TEST_CLOSE(distant[8], c->far + c->hit, 0.01);
	assert_int_equal(distant_messages, 3);
}

/* ---- turns ---- */

#define RIVALS 3

static uint64_t done[RIVALS];

static void *update_line(void *arg)
{
	uint64_t *at = arg;

	test_work_until(1000000);
	sim_update(&updates, &line[2].word);
	*at = sim.me->now;
	return NULL;
}

static void *rivals(void *arg)
{
	struct filch__thread t[RIVALS];

	sim_update(&updates, &line[2].word);
	for (unsigned i = 0; i < RIVALS; i++)
		t[i] = test_thread(1 + i, update_line, &done[i]);
	for (int i = 0; i < RIVALS; i++)
		filch__thread_join(&t[i]);
	return arg;
}

static void test_turns(void **state)
{
	const struct sim_costs *c = &sim_costs_default;
	double least = c->cache * 1000, first = 1e9 + c->update * 1000;
	bool seen[RIVALS] = {false};

	(void)state;
	test_simulate(c, rivals);
	for (int i = 0; i < RIVALS; i++) {
		double turn = ((double)done[i] - first) / least;
		int k = (int)(turn + 0.5);

		/* They end after one, two and three ways of the line. */
		assert_in_range(k, 1, RIVALS);
		TEST_CLOSE(turn, k, 0.05);
		assert_false(seen[k - 1]);
		seen[k - 1] = true;
	}
}

/* ---- stores ---- */

static double store_took, fence_took, buffered_took, full_took;

static void *store_line(void *arg)
{
	uint64_t t;

	test_work_until(1000000);
	t = sim.me->now;
	sim_write(&writes, &line[3].word);
	store_took = took(t);
	t = sim.me->now;
	sim_fence();
	fence_took = took(t);

	/* One that misses, and as many behind it as the buffer holds. */
	t = sim.me->now;
	sim_write(&writes, &line[8].word);
	for (int i = 1; i < SIM_STORES; i++)
		sim_write(&writes, &line[3].word);
	buffered_took = took(t);
	sim_write(&writes, &line[3].word);
	full_took = took(t);
	return arg;
}

static void *stores(void *arg)
{
	struct filch__thread t;

	sim_update(&updates, &line[3].word);
	sim_update(&updates, &line[8].word);
	t = test_thread(1, store_line, NULL);
	filch__thread_join(&t);
	return arg;
}

/* A store does not wait for its line; the fence behind it does, and so does a store that
 * finds the buffer full. */
static void test_stores(void **state)
{
	struct sim_costs c = sim_costs_default;

	(void)state;
	c.cache = 2 * SIM_STORES * c.hit;
	test_simulate(&c, stores);
	TEST_CLOSE(store_took, c.hit, 0.01);
	TEST_CLOSE(fence_took, c.cache + c.update, c.hit + 0.01);
	TEST_CLOSE(buffered_took, SIM_STORES * c.hit, 0.01);
	TEST_CLOSE(full_took, c.cache, c.hit + 0.01);
}

/* ---- counting ---- */

static size_t top_places, top_lines;
static struct sim_place places[4];
static struct sim_hot hot[4];

static void *bounce(void *arg)
{
	for (int i = 0; i < 10; i++) {
		test_work_until(1000000 + 1000 * (uint64_t)i);
		sim_update(&updates, &line[5].word);
		if (i < 3)
			sim_read(&reads, &line[6].word);
	}
	return arg;
}

static void *count(void *arg)
{
	struct filch__thread a = test_thread(1, bounce, NULL),
			     b = test_thread(2, bounce, NULL);

	sim_write(&writes, &line[6].word);
	filch__thread_join(&a);
	filch__thread_join(&b);
	top_places = sim_cache_places(places, 4);
	top_lines = sim_cache_lines(hot, 4);
	return arg;
}

static void test_top(void **state)
{
	(void)state;
	test_simulate(&sim_costs_default, count);
	assert_in_range(top_lines, 2, 4);
	assert_int_equal(hot[0].address, (uintptr_t)&line[5]);
	assert_int_equal(hot[0].moves, 19); /* 20 updates, of which one was the first */
	assert_ptr_equal(hot[0].most.site, &updates);
	assert_int_equal(hot[1].address, (uintptr_t)&line[6]);
	assert_int_equal(hot[1].moves, 2);
	assert_in_range(top_places, 2, 4);
	assert_ptr_equal(places[0].site, &updates);
	assert_int_equal(places[0].moves, 19);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hits),  cmocka_unit_test(test_distance),
		cmocka_unit_test(test_turns), cmocka_unit_test(test_stores),
		cmocka_unit_test(test_top),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
