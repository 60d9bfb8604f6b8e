/* SPDX-License-Identifier: MIT */
/* Read-write lock: readers together, writers alone, in order; whoever gives up lets the
 * next ones in. */
#include <filch/sync.h>

#include "tests/together.h"

static struct filch_pool *pool;

static int read_it(void *l)
{
	filch_rwlock_read(l);
	filch_rwlock_read_unlock(l);
	return 0;
}

static int read_past(void *l)
{
	return filch_rwlock_read_until(l, 0);
}

static int read_cancellable(void *l)
{
	return filch_rwlock_read_until(l, FILCH_NEVER);
}

static int write_it(void *l)
{
	filch_rwlock_write(l);
	filch_rwlock_write_unlock(l);
	return 0;
}

static int write_past(void *l)
{
	return filch_rwlock_write_until(l, 0);
}

static int write_for_10_ms(void *l)
{
	return filch_rwlock_write_until(l, filch_after(10 * FILCH_MS));
}

static int write_cancellable(void *l)
{
	return filch_rwlock_write_until(l, FILCH_NEVER);
}

static int try_both(void *l)
{
	int r = filch_rwlock_try_read(l), w;

	if (!r)
		filch_rwlock_read_unlock(l);
	w = filch_rwlock_try_write(l);
	if (!w)
		filch_rwlock_write_unlock(l);
	return (r == 0) + 2 * (w == 0);
}

static void codes(void **state)
{
	struct filch_rwlock l = FILCH_RWLOCK_INIT;

	(void)state;
	for (int strand = 0; strand < 2; strand++) {
		struct filch_pool *p = strand ? pool : NULL;

		assert_int_equal(filch_rwlock_read_until(&l, 0), 0);
		assert_int_equal(filch_rwlock_try_read(&l), 0);
		filch_rwlock_read_unlock(&l);
		assert_int_equal(result_on(p, try_both, &l), 1);
		assert_int_equal(result_on(p, write_past, &l), -ETIMEDOUT);
		assert_int_equal(result_on(p, write_for_10_ms, &l), -ETIMEDOUT);
		assert_int_equal(
			result_if_cancelled(pool, write_cancellable, &l, &l.waiters),
			-ECANCELED);
		filch_rwlock_read_unlock(&l);
		assert_int_equal(filch_rwlock_write_until(&l, 0), 0);
		assert_int_equal(result_on(p, try_both, &l), 0);
		assert_int_equal(result_on(p, read_past, &l), -ETIMEDOUT);
		assert_int_equal(
			result_if_cancelled(pool, read_cancellable, &l, &l.waiters),
			-ECANCELED);
		filch_rwlock_write_unlock(&l);
		assert_int_equal(result_on(p, write_it, &l), 0);
	}
	assert_int_equal(l.readers, 0);
	assert_null(l.writer);
	all_right();
}

/* A writer that waits keeps readers out; when it has given up, they come in, though the
 * lock is never unlocked. */
static void writer_gives_up(void **state)
{
	struct filch_rwlock l = FILCH_RWLOCK_INIT;
	struct aside writer, reader[20];

	(void)state;
	filch_rwlock_read(&l);
	for (int strand = 0; strand < 2; strand++) {
		aside_begin(&writer, strand ? pool : NULL, write_for_10_ms, &l);
		for (unsigned i = 0; i < 20; i++)
			aside_begin(&reader[i], i % 2 ? pool : NULL, read_it, &l);
		assert_int_equal(aside_end(&writer), -ETIMEDOUT);
		for (unsigned i = 0; i < 20; i++)
			assert_int_equal(aside_end(&reader[i]), 0);
	}
	assert_int_equal(waiting(&l.waiters), 0);
	filch_rwlock_read_unlock(&l);
	assert_int_equal(try_both(&l), 1 + 2);
}

/* ---- cancelled with a reader behind it ---- */

static int write_before_a_reader(void *l)
{
	int r = filch_rwlock_write_until(l, FILCH_NEVER);

	CHECK(waiting(&((struct filch_rwlock *)l)->waiters) == 0);
	return r;
}

FILCH_STATIC_TASK_VOID(writes, (struct filch_rwlock *, l))
{
	CHECK(write_before_a_reader(l) == -ECANCELED);
}

FILCH_STATIC_TASK_VOID(cancels, (struct filch_rwlock *, l), (struct filch_group *, g))
{
	until_waiting(&l->waiters, 2);
	CHECK(filch_rwlock_try_read(l) == -EAGAIN);
	filch_group_cancel(g);
}

FILCH_STATIC_TASK_VOID(cancels_writer, (struct filch_rwlock *, l))
{
	struct filch_group g;

	filch_group_begin(&g);
	FILCH_GROUP_SPAWN(&g, writes, l);
	FILCH_GROUP_SPAWN(&g, cancels, l, &g);
	filch_group_wait(&g);
}

static int read_behind(void *l)
{
	until_waiting(&((struct filch_rwlock *)l)->waiters, 1);
	return read_it(l);
}

static void writer_is_cancelled(void **state)
{
	struct filch_rwlock l = FILCH_RWLOCK_INIT;
	struct aside reader;

	(void)state;
	filch_rwlock_read(&l);
	aside_begin(&reader, pool, read_behind, &l);
	FILCH_RUN_ON(pool, cancels_writer, &l);
	assert_int_equal(aside_end(&reader), 0);
	filch_rwlock_read_unlock(&l);
	all_right();
}

/* ---- in order: R W R R W, with the lock held for writing ---- */

struct line {
	struct filch_rwlock l;
	unsigned n;                 /* writers so far; under the lock */
	_Atomic(unsigned) together; /* readers that are in */
};

static int first_reader(void *arg)
{
	struct line *x = arg;

	filch_rwlock_read(&x->l);
	CHECK(x->n == 0);
	filch_rwlock_read_unlock(&x->l);
	return 0;
}

static int writer(void *arg)
{
	struct line *x = arg;

	filch_rwlock_write(&x->l);
	x->n++;
	filch_rwlock_write_unlock(&x->l);
	return 0;
}

/* Each waits for the other: both are in. */
static int two_readers(void *arg)
{
	struct line *x = arg;

	filch_rwlock_read(&x->l);
	CHECK(x->n == 1);
	add_rlx(&x->together, 1);          /* counted */
	while (load_rlx(&x->together) < 2) /* counted */
		filch_sleep(FILCH_US);
	filch_rwlock_read_unlock(&x->l);
	return 0;
}

static void in_order(void **state)
{
	int (*const fn[])(void *) = {first_reader, writer, two_readers, two_readers,
	                             writer};
	struct line x = {.l = FILCH_RWLOCK_INIT};
	struct aside a[5];

	(void)state;
	filch_rwlock_write(&x.l);
	for (unsigned i = 0; i < 5; i++) {
		aside_begin(&a[i], i % 2 ? pool : NULL, fn[i], &x);
		until_waiting(&x.l.waiters, i + 1);
	}
	filch_rwlock_write_unlock(&x.l);
	for (unsigned i = 0; i < 5; i++)
		aside_end(&a[i]);
	assert_int_equal(x.n, 2);
	all_right();
}

/* ---- many ---- */

struct table {
	struct filch_rwlock l;
	unsigned a, b;
};

static void read_or_write(void *arg, unsigned index)
{
	struct table *t = arg;

	for (unsigned i = 0; i < 50; i++) {
		if ((i + index) % 4) {
			filch_rwlock_read(&t->l);
			CHECK(t->a == t->b);
			if ((i + index) % 8 == 1)
				filch_yield();
			filch_rwlock_read_unlock(&t->l);
			continue;
		}
		filch_rwlock_write(&t->l);
		t->a++;
		if ((i + index) % 8 == 0)
			filch_sleep(FILCH_US);
		t->b++;
		filch_rwlock_write_unlock(&t->l);
	}
}

static void many(void **state)
{
	struct table t = {FILCH_RWLOCK_INIT, 0, 0};

	(void)state;
	together(16, 4, read_or_write, &t);
	assert_int_equal(t.a, 9 * 20 * 50 / 4);
	assert_int_equal(t.b, t.a);
	all_right();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(codes),
		cmocka_unit_test(writer_gives_up),
		cmocka_unit_test(writer_is_cancelled),
		cmocka_unit_test(in_order),
		cmocka_unit_test(many),
	};
	int failed;

	pool = pool_of(2);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	return filch_pool_destroy(pool) ? 1 : failed;
}
