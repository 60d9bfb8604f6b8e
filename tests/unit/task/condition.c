/* SPDX-License-Identifier: MIT */
/* Condition: signal, broadcast, deadlines, cancelled; the mutex is held again after. */
#include <filch/sync.h>

#include "tests/together.h"

static struct filch_pool *pool;

struct gate {
	struct filch_mutex m;
	struct filch_condition c;
	unsigned passed;
	uint64_t deadline;
};

/* Waits once, and looks whether it has the mutex afterwards. */
static int wait_once(void *arg)
{
	struct gate *g = arg;
	int r;

	filch_mutex_lock(&g->m);
	if (g->deadline == FILCH_NEVER)
		r = filch_condition_wait(&g->c, &g->m);
	else
		r = filch_condition_wait_until(&g->c, &g->m, g->deadline);
	CHECK(g->m.owner == filch__me());
	g->passed++;
	filch_mutex_unlock(&g->m);
	return r;
}

static void codes(void **state)
{
	struct gate g = {FILCH_MUTEX_INIT, FILCH_CONDITION_INIT, 0, 0};

	(void)state;
	filch_condition_signal(&g.c); /* nobody: nothing is kept */
	filch_condition_broadcast(&g.c);
	for (int strand = 0; strand < 2; strand++) {
		struct filch_pool *p = strand ? pool : NULL;

		g.deadline = 0;
		assert_int_equal(result_on(p, wait_once, &g), -ETIMEDOUT);
		g.deadline = filch_after(FILCH_MS);
		assert_int_equal(result_on(p, wait_once, &g), -ETIMEDOUT);
		g.deadline = FILCH_NEVER;
		assert_int_equal(result_if_cancelled(pool, wait_once, &g, &g.c.waiters),
		                 -ECANCELED);
	}
	assert_null(g.m.owner);
	all_right();
}

static void one_or_all(void **state)
{
	struct gate g = {FILCH_MUTEX_INIT, FILCH_CONDITION_INIT, 0, FILCH_NEVER};
	struct aside a[40];

	(void)state;
	for (unsigned i = 0; i < 40; i++)
		aside_begin(&a[i], i % 3 ? pool : NULL, wait_once, &g);
	until_waiting(&g.c.waiters, 40);
	for (unsigned i = 1; i <= 3; i++) {
		filch_condition_signal(&g.c);
		assert_int_equal(waiting(&g.c.waiters), 40 - i);
	}
	filch_mutex_lock(&g.m);
	filch_condition_broadcast(&g.c);
	assert_true(g.passed <= 3);
	filch_mutex_unlock(&g.m);
	for (unsigned i = 0; i < 40; i++)
		assert_int_equal(aside_end(&a[i]), 0);
	assert_int_equal(g.passed, 40);
	all_right();
}

/* ---- a bounded buffer of numbers ---- */

#define EACH 100

struct buffer {
	struct filch_mutex m;
	struct filch_condition not_full, not_empty;
	unsigned value[3], n;
	unsigned long sum;
};

static void put(struct buffer *b, unsigned value)
{
	filch_mutex_lock(&b->m);
	while (b->n == 3)
		CHECK(filch_condition_wait(&b->not_full, &b->m) == 0);
	b->value[b->n++] = value;
	filch_condition_signal(&b->not_empty);
	filch_mutex_unlock(&b->m);
}

static void get(struct buffer *b)
{
	filch_mutex_lock(&b->m);
	while (!b->n)
		CHECK(filch_condition_wait(&b->not_empty, &b->m) == 0);
	b->sum += b->value[--b->n];
	filch_condition_signal(&b->not_full);
	filch_mutex_unlock(&b->m);
}

static void put_or_get(void *arg, unsigned index)
{
	for (unsigned i = 1; i <= EACH; i++) {
		if (index % 2)
			put(arg, i);
		else
			get(arg);
	}
}

static void bounded_buffer(void **state)
{
	struct buffer b = {.n = 0};

	(void)state;
	together(8, 4, put_or_get, &b);
	assert_int_equal(b.n, 0);
	assert_int_equal(b.sum, 9 * 6 * EACH * (EACH + 1) / 2);
	all_right();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(codes),
		cmocka_unit_test(one_or_all),
		cmocka_unit_test(bounded_buffer),
	};
	int failed;

	pool = pool_of(2);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	return filch_pool_destroy(pool) ? 1 : failed;
}
