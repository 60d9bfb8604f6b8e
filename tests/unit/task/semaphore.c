/* SPDX-License-Identifier: MIT */
/* Semaphore: as many as it counts, in order, several at once, deadlines, cancelled. */
#include <filch/sync.h>

#include "tests/together.h"

static struct filch_pool *pool;

static int acquire(void *s)
{
	return filch_semaphore_acquire(s);
}

static int acquire_past(void *s)
{
	return filch_semaphore_acquire_until(s, 0);
}

static int acquire_for_a_ms(void *s)
{
	return filch_semaphore_acquire_until(s, filch_after(FILCH_MS));
}

static void codes(void **state)
{
	struct filch_semaphore s = FILCH_SEMAPHORE_INIT(2);

	(void)state;
	assert_int_equal(filch_semaphore_try_acquire(&s), 0);
	assert_int_equal(filch_semaphore_acquire_until(&s, 0), 0);
	assert_int_equal(filch_semaphore_try_acquire(&s), -EAGAIN);
	for (int strand = 0; strand < 2; strand++) {
		struct filch_pool *p = strand ? pool : NULL;

		assert_int_equal(result_on(p, acquire_past, &s), -ETIMEDOUT);
		assert_int_equal(result_on(p, acquire_for_a_ms, &s), -ETIMEDOUT);
	}
	assert_int_equal(result_if_cancelled(pool, acquire, &s, &s.waiters), -ECANCELED);
	assert_int_equal(s.count, 0);
	filch_semaphore_release(&s, 0);
	assert_int_equal(s.count, 0);
	filch_semaphore_release(&s, 5);
	assert_int_equal(s.count, 5);
	all_right();
}

/* More at once than one batch of wake-ups holds; those who wait come first. */
static void several_at_once(void **state)
{
	struct filch_semaphore s = FILCH_SEMAPHORE_INIT(0);
	struct aside a[40];

	(void)state;
	for (unsigned i = 0; i < 40; i++)
		aside_begin(&a[i], i % 3 ? pool : NULL, acquire, &s);
	until_waiting(&s.waiters, 40);
	filch_semaphore_release(&s, 1);
	assert_int_equal(waiting(&s.waiters), 39);
	assert_int_equal(filch_semaphore_try_acquire(&s), -EAGAIN);
	filch_semaphore_release(&s, 42);
	for (unsigned i = 0; i < 40; i++)
		assert_int_equal(aside_end(&a[i]), 0);
	assert_int_equal(s.count, 3);
}

struct place {
	struct filch_semaphore *s;
	unsigned *next, number;
	struct aside aside;
};

static int in_turn(void *arg)
{
	struct place *p = arg;

	CHECK(filch_semaphore_acquire(p->s) == 0);
	CHECK((*p->next)++ == p->number); /* one at a time: released below */
	filch_semaphore_release(p->s, 1);
	return 0;
}

static void in_order(void **state)
{
	struct filch_semaphore s = FILCH_SEMAPHORE_INIT(0);
	struct place place[12];
	unsigned next = 0;

	(void)state;
	for (unsigned i = 0; i < 12; i++) {
		place[i] = (struct place){.s = &s, .next = &next, .number = i};
		aside_begin(&place[i].aside, i % 3 ? pool : NULL, in_turn, &place[i]);
		until_waiting(&s.waiters, i + 1);
	}
	filch_semaphore_release(&s, 1);
	for (unsigned i = 0; i < 12; i++)
		aside_end(&place[i].aside);
	assert_int_equal(next, 12);
	assert_int_equal(s.count, 1);
	all_right();
}

/* ---- no more than three inside ---- */

struct room {
	struct filch_semaphore s;
	_Atomic(unsigned) inside;
};

static void come_and_go(void *arg, unsigned index)
{
	struct room *r = arg;

	for (unsigned i = 0; i < 50; i++) {
		CHECK(filch_semaphore_acquire(&r->s) == 0);
		CHECK(add_rlx(&r->inside, 1) < 3); /* counted */
		if ((i + index) % 8 == 0)
			filch_yield();
		if ((i + index) % 16 == 0)
			filch_sleep(FILCH_US);
		add_rlx(&r->inside, -1u); /* counted */
		filch_semaphore_release(&r->s, 1);
	}
}

static void no_more_than_three(void **state)
{
	struct room r = {.s = FILCH_SEMAPHORE_INIT(3)};

	(void)state;
	together(16, 4, come_and_go, &r);
	assert_int_equal(r.s.count, 3);
	all_right();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(codes),
		cmocka_unit_test(several_at_once),
		cmocka_unit_test(in_order),
		cmocka_unit_test(no_more_than_three),
	};
	int failed;

	pool = pool_of(2);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	return filch_pool_destroy(pool) ? 1 : failed;
}
