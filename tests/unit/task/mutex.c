/* SPDX-License-Identifier: MIT */
/* Mutex: one at a time, in order, with deadlines, cancelled, held over a join. */
#include <filch/sync.h>

#include "tests/together.h"

static struct filch_pool *pool;

static int lock_and_unlock(void *m)
{
	filch_mutex_lock(m);
	filch_mutex_unlock(m);
	return 0;
}

static int try_lock(void *m)
{
	return filch_mutex_try_lock(m);
}

static int lock_past(void *m)
{
	return filch_mutex_lock_until(m, 0);
}

static int lock_for_a_ms(void *m)
{
	return filch_mutex_lock_until(m, filch_after(FILCH_MS));
}

static int lock_cancellable(void *m)
{
	return filch_mutex_lock_until(m, FILCH_NEVER);
}

static void codes(void **state)
{
	struct filch_mutex m = FILCH_MUTEX_INIT;

	(void)state;
	assert_int_equal(filch_mutex_lock_until(&m, 0), 0); /* free: no need to wait */
	assert_int_equal(filch_mutex_try_lock(&m), -EAGAIN);
	for (int strand = 0; strand < 2; strand++) {
		struct filch_pool *p = strand ? pool : NULL;

		assert_int_equal(result_on(p, try_lock, &m), -EAGAIN);
		assert_int_equal(result_on(p, lock_past, &m), -ETIMEDOUT);
		assert_int_equal(result_on(p, lock_for_a_ms, &m), -ETIMEDOUT);
	}
	filch_mutex_unlock(&m);
	assert_int_equal(result_on(pool, lock_and_unlock, &m), 0);
	assert_int_equal(filch_mutex_try_lock(&m), 0);
	filch_mutex_unlock(&m);
	assert_null(m.owner);
}

static void cancelled_in_it(void **state)
{
	struct filch_mutex m = FILCH_MUTEX_INIT;

	(void)state;
	filch_mutex_lock(&m);
	assert_int_equal(result_if_cancelled(pool, lock_cancellable, &m, &m.waiters),
	                 -ECANCELED);
	filch_mutex_unlock(&m);
	assert_null(m.owner);
	all_right();
}

/* ---- in order ---- */

struct queue {
	struct filch_mutex m;
	unsigned next;
};

struct place {
	struct queue *queue;
	unsigned number;
	struct aside aside;
};

static int in_turn(void *arg)
{
	struct place *place = arg;
	struct queue *q = place->queue;

	filch_mutex_lock(&q->m);
	CHECK(q->next == place->number);
	q->next++;
	filch_sleep(10 * FILCH_US);
	filch_mutex_unlock(&q->m);
	return 0;
}

static void in_order(void **state)
{
	struct queue q = {FILCH_MUTEX_INIT, 0};
	struct place place[12];

	(void)state;
	filch_mutex_lock(&q.m);
	for (unsigned i = 0; i < 12; i++) {
		place[i].queue = &q;
		place[i].number = i;
		aside_begin(&place[i].aside, i % 3 ? pool : NULL, in_turn, &place[i]);
		until_waiting(&q.m.waiters, i + 1);
	}
	filch_mutex_unlock(&q.m);
	for (unsigned i = 0; i < 12; i++)
		aside_end(&place[i].aside);
	assert_int_equal(q.next, 12);
	all_right();
}

/* ---- one at a time ---- */

struct guarded {
	struct filch_mutex m;
	unsigned count, inside;
};

static void count_up(void *arg, unsigned index)
{
	struct guarded *g = arg;

	for (unsigned i = 0; i < 50; i++) {
		filch_mutex_lock(&g->m);
		CHECK(g->inside++ == 0);
		if ((i + index) % 8 == 0)
			filch_yield();
		if ((i + index) % 16 == 0)
			filch_sleep(FILCH_US);
		g->count++;
		CHECK(--g->inside == 0);
		filch_mutex_unlock(&g->m);
	}
}

static void one_at_a_time(void **state)
{
	struct guarded g = {FILCH_MUTEX_INIT, 0, 0};

	(void)state;
	together(16, 4, count_up, &g);
	assert_int_equal(g.count, 9 * 20 * 50);
	all_right();
}

/* ---- held over a join: more that want it than workers ---- */

FILCH_STATIC_TASK(long, fib, (int, n))
{
	if (n < 2)
		return n;
	FILCH_SPAWN(x, fib, n - 1);
	long y = FILCH_CALL(fib, n - 2);
	return FILCH_JOIN(x) + y;
}

FILCH_STATIC_TASK(long, slow_fib, (int, n))
{
	filch_sleep(FILCH_US);
	return FILCH_CALL(fib, n);
}

static void hold(void *arg, unsigned index)
{
	struct guarded *g = arg;

	filch_mutex_lock(&g->m);
	FILCH_SPAWN(x, slow_fib, 10);
	long y = index % 2 ? FILCH_CALL(slow_fib, 9) : 34;
	g->count += (unsigned)(FILCH_JOIN(x) + y);
	filch_mutex_unlock(&g->m);
}

static void held_over_a_join(void **state)
{
	(void)state;
	for (unsigned workers = 1; workers <= 8; workers *= 2) {
		struct guarded g = {FILCH_MUTEX_INIT, 0, 0};
		struct filch_pool *p = pool_of(workers);

		together_on(p, 64, 0, hold, &g);
		assert_int_equal(g.count, 64 * 89);
		assert_int_equal(filch_pool_destroy(p), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(codes),
		cmocka_unit_test(cancelled_in_it),
		cmocka_unit_test(in_order),
		cmocka_unit_test(one_at_a_time),
		cmocka_unit_test(held_over_a_join),
	};
	int failed;

	pool = pool_of(2);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	return filch_pool_destroy(pool) ? 1 : failed;
}
