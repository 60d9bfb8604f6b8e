/* SPDX-License-Identifier: MIT */
/*
 * Futures: results, awaiting by strands and threads, early and late, any and all of
 * several, cancelling before, while and after they run, deadlines, cycles, and what they
 * mean for the end of a pool.
 */
#include <errno.h>
#include <filch.h>
#include <filch/future.h>
#include <filch/time.h>
#include <pthread.h>
#include <string.h>

#include "base/atomic.h"
#include "tests/test.h"

static struct filch_pool *pool;

static const unsigned sizes[] = {1, 2, 4};

static void make_pool(unsigned workers)
{
	struct filch_pool_options o = {.workers = workers};

	assert_int_equal(filch_pool_create(&pool, &o, NULL), 0);
}

#define EACH_POOL                                                               \
	for (size_t i_ = 0;                                                     \
	     i_ < sizeof sizes / sizeof *sizes && (make_pool(sizes[i_]), true); \
	     assert_int_equal(filch_pool_destroy(pool), 0), i_++)

/* ---- some work ---- */

FILCH_STATIC_TASK(long, fib, (int, n))
{
	if (n < 2)
		return n;
	FILCH_SPAWN(x, fib, n - 1);
	long y = FILCH_CALL(fib, n - 2);
	return FILCH_JOIN(x) + y;
}

struct wide {
	double a[5];
	char name[16];
};

FILCH_STATIC_TASK(struct wide, make_wide, (double, first), (const char *, name))
{
	struct wide w = {{first, 1, 2, 3, 4}, ""};

	strncpy(w.name, name, sizeof w.name - 1);
	return w;
}

FILCH_STATIC_TASK_VOID(store, (int *, where), (int, what))
{
	*where = what;
}

static void *twice(void *arg)
{
	return (void *)(2 * (uintptr_t)arg);
}

/* Waits for the word to become 1. Returns what the last sleep did. */
FILCH_STATIC_TASK(int, hold, (_Atomic(int) *, gate))
{
	int err = 0;

	while (!load_acq(gate) && !err) /* made by open_gate() */
		err = filch_sleep(FILCH_MS / 10);
	return err;
}

static void open_gate(_Atomic(int) *gate)
{
	store_rel(gate, 1); /* seen by hold() */
}

/* One that the lone worker of a pool is busy with: what is started meanwhile has not
 * begun. */
FILCH_STATIC_TASK_VOID(hog, (_Atomic(int) *, begun), (_Atomic(int) *, gate))
{
	store_rel(begun, 1);    /* seen by hog_worker() */
	while (!load_acq(gate)) /* made by open_gate() */
		;
}

static struct filch_future *hog_worker(_Atomic(int) *gate)
{
	static _Atomic(int) begun;
	struct filch_future *f;

	store_rlx(&begun, 0); /* before it is started */
	f = FILCH_GO_ON(pool, hog, &begun, gate);
	while (!load_acq(&begun)) /* made by hog() */
		;
	return f;
}

/* ---- results ---- */

static void results(void **state)
{
	(void)state;
	EACH_POOL
	{
		int stored = 0;
		struct filch_future *a = FILCH_GO_ON(pool, fib, 15);
		struct filch_future *b = FILCH_GO_ON(pool, make_wide, 0.5, "name");
		struct filch_future *c = FILCH_GO_ON(pool, store, &stored, 7);
		struct filch_future *d = filch_go_on(pool, twice, (void *)21);
		struct wide w;

		assert_int_equal(FILCH_AWAIT(fib, a), 610);
		w = FILCH_AWAIT(make_wide, b);
		assert_true(w.a[0] == 0.5 && w.a[4] == 4);
		assert_string_equal(w.name, "name");
		FILCH_AWAIT(store, c);
		assert_int_equal(stored, 7);
		assert_int_equal(filch_await(d), 0);
		assert_ptr_equal(filch_result(d), (void *)42);
		/* Again, late. */
		assert_true(filch_future_done(a));
		assert_int_equal(filch_await(a), 0);
		assert_int_equal(filch_await_until(a, 0), 0);
		assert_int_equal(FILCH_RESULT(fib, a), 610);
		filch_future_drop(a);
		filch_future_drop(b);
		filch_future_drop(c);
		filch_future_drop(d);
		filch_future_drop(NULL);
	}
}

FILCH_STATIC_TASK(long, fib_of_futures, (int, n))
{
	struct filch_future *f;
	long y, x;

	if (n < 2)
		return n;
	f = FILCH_GO(fib_of_futures, n - 1);
	y = FILCH_CALL(fib_of_futures, n - 2);
	x = FILCH_AWAIT(fib_of_futures, f);
	filch_future_drop(f);
	return x + y;
}

static void nested(void **state)
{
	(void)state;
	EACH_POOL
	assert_int_equal(FILCH_RUN_ON(pool, fib_of_futures, 12), 144);
}

static void default_pool(void **state)
{
	struct filch_future *f = filch_go(twice, (void *)4);
	struct filch_future *g = FILCH_GO(fib, 10);

	(void)state;
	assert_int_equal(filch_await(f), 0);
	assert_ptr_equal(filch_result(f), (void *)8);
	assert_int_equal(FILCH_AWAIT(fib, g), 55);
	filch_future_drop(f);
	filch_future_drop(g);
	assert_int_equal(filch_pool_destroy(filch_pool_default(NULL)), 0);
}

/* ---- many who await ---- */

#define THREADS 4
#define STRANDS 40

FILCH_STATIC_TASK(int, awaits, (struct filch_future *, f), (uint64_t, deadline))
{
	return filch_await_until(f, deadline);
}

static void *thread_awaits(void *f)
{
	return (void *)(intptr_t)filch_await(f);
}

static void many_await_one(void **state)
{
	(void)state;
	EACH_POOL
	{
		_Atomic(int) gate = 0;
		struct filch_future *one = FILCH_GO_ON(pool, hold, &gate);
		struct filch_future *f[STRANDS];
		pthread_t t[THREADS];
		void *err;

		for (int i = 0; i < STRANDS; i++)
			f[i] = FILCH_GO_ON(pool, awaits, one, FILCH_NEVER);
		for (int i = 0; i < THREADS; i++)
			assert_int_equal(pthread_create(&t[i], NULL, thread_awaits, one),
			                 0);
		assert_int_equal(filch_await_until(one, filch_after(FILCH_MS)),
		                 -ETIMEDOUT);
		assert_false(filch_future_done(one));
		open_gate(&gate);
		for (int i = 0; i < THREADS; i++) {
			assert_int_equal(pthread_join(t[i], &err), 0);
			assert_ptr_equal(err, NULL);
		}
		for (int i = 0; i < STRANDS; i++) {
			assert_int_equal(FILCH_AWAIT(awaits, f[i]), 0);
			filch_future_drop(f[i]);
		}
		assert_int_equal(FILCH_RESULT(hold, one), 0);
		filch_future_drop(one);
	}
}

#define MANY 10000

FILCH_STATIC_TASK(long, sum_of_many, (struct filch_future **, f), (int, n))
{
	long sum = 0;

	for (int i = 0; i < n; i++)
		f[i] = filch_go(twice, (void *)(uintptr_t)i);
	for (int i = 0; i < n; i++) {
		if (filch_await(f[i]))
			return -1;
		sum += (long)(uintptr_t)filch_result(f[i]);
		filch_future_drop(f[i]);
	}
	return sum;
}

static void many_in_flight(void **state)
{
	static struct filch_future *f[MANY];

	(void)state;
	EACH_POOL
	{
		_Atomic(int) gate = 0;

		assert_int_equal(FILCH_RUN_ON(pool, sum_of_many, f, MANY),
		                 (long)MANY * (MANY - 1));
		/* All at once, asleep on stacks of their own. */
		for (int i = 0; i < MANY / 10; i++)
			f[i] = FILCH_GO_ON(pool, hold, &gate);
		open_gate(&gate);
		assert_int_equal(filch_await_all(f, MANY / 10), 0);
		for (int i = 0; i < MANY / 10; i++)
			filch_future_drop(f[i]);
	}
}

/* ---- detached ---- */

static void detached(void **state)
{
	(void)state;
	EACH_POOL
	{
		_Atomic(int) gate = 0;
		struct filch_future *f = FILCH_GO_ON(pool, hold, &gate);

		filch_future_drop(filch_future_keep(f));
		assert_int_equal(filch_pool_destroy(pool), -EBUSY);
		filch_future_drop(f);
		assert_int_equal(filch_pool_destroy(pool), -EBUSY); /* it goes on */
		open_gate(&gate);
		while (filch_pool_destroy(pool) == -EBUSY)
			;
		make_pool(1);
	}
}

/* The pool may end as soon as the last await has returned. */
static void pool_ends_at_once(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 200; i++) {
		struct filch_future *f;

		make_pool(1 + i % 4);
		f = i % 2 ? FILCH_GO_ON(pool, fib, 5)
		          : filch_go_on(pool, twice, (void *)1);
		if (i % 3)
			filch_future_deadline(f, filch_after(i % 4 * FILCH_MS));
		if (i % 5 == 0)
			filch_future_cancel(f);
		filch_await(f);
		assert_int_equal(filch_pool_destroy(pool), 0);
		filch_future_cancel(f); /* when the pool is gone */
		filch_future_deadline(f, filch_after(1));
		assert_true(filch_future_done(f));
		filch_future_drop(f);
	}
}

/* ---- cancelling ---- */

static void cancelled_before(void **state)
{
	(void)state;
	for (int way = 0; way < 3; way++) {
		_Atomic(int) gate = 0;
		int stored = 1;
		struct filch_future *busy, *f, *g;

		make_pool(1);
		busy = hog_worker(&gate);
		f = FILCH_GO_ON(pool, fib, 10);
		g = FILCH_GO_ON(pool, store, &stored, 2);
		for (int i = 0; i < 2; i++) {
			if (way == 0)
				filch_future_cancel(f);
			else
				filch_future_deadline(f, way == 1 ? 0 : filch_now());
			filch_future_cancel(g);
		}
		assert_false(filch_future_done(f));
		open_gate(&gate);
		assert_int_equal(filch_await(f), -ECANCELED);
		assert_int_equal(filch_await(f), -ECANCELED); /* and so it stays */
		assert_int_equal(FILCH_AWAIT(fib, f), 0);
		assert_int_equal(filch_await_all(&g, 1), 0);
		assert_int_equal(filch_await_any(&g, 1), 0);
		assert_int_equal(stored, 1);
		assert_int_equal(filch_await(busy), 0);
		filch_future_drop(f);
		filch_future_drop(g);
		filch_future_drop(busy);
		assert_int_equal(filch_pool_destroy(pool), 0);
	}
}

FILCH_STATIC_TASK(int, sleeps, (_Atomic(int) *, begun))
{
	int err;

	store_rel(begun, 1); /* seen by await_begun() */
	err = filch_sleep(1000 * FILCH_S);
	return filch_cancelled() ? err : 1;
}

static void await_begun(_Atomic(int) *begun)
{
	while (!load_acq(begun)) /* made by the task */
		;
}

static void cancelled_asleep(void **state)
{
	(void)state;
	EACH_POOL
	{
		_Atomic(int) begun = 0;
		struct filch_future *f = FILCH_GO_ON(pool, sleeps, &begun);

		await_begun(&begun);
		filch_future_cancel(f);
		filch_future_cancel(f);
		assert_int_equal(FILCH_AWAIT(sleeps, f), -ECANCELED);
		assert_int_equal(filch_await(f), 0); /* it has a result */
		filch_future_cancel(f);
		assert_int_equal(filch_await(f), 0);
		filch_future_drop(f);
	}
}

/* Spawned tasks, and tasks of a group begun inside, are cancelled, too. */
FILCH_STATIC_TASK(int, sleeps_in_parts, (_Atomic(int) *, begun))
{
	struct filch_group g;
	int err, in_group;

	FILCH_SPAWN(x, sleeps, begun);
	filch_group_begin(&g);
	FILCH_GROUP_SPAWN(&g, sleeps, begun);
	in_group = filch_group_wait(&g);
	err = FILCH_JOIN(x);
	return err == in_group ? err : 1;
}

/* A future started inside is not. */
FILCH_STATIC_TASK(int, starts_another, (_Atomic(int) *, begun),
                  (struct filch_future **, other), (_Atomic(int) *, gate))
{
	*other = FILCH_GO(hold, gate);
	store_rel(begun, 1); /* seen by await_begun() */
	return filch_await(*other);
}

static void cancelled_with_parts(void **state)
{
	(void)state;
	EACH_POOL
	{
		_Atomic(int) begun = 0, gate = 0;
		struct filch_future *f = FILCH_GO_ON(pool, sleeps_in_parts, &begun);
		struct filch_future *other;

		await_begun(&begun);
		filch_future_cancel(f);
		assert_int_equal(FILCH_AWAIT(sleeps_in_parts, f), -ECANCELED);
		filch_future_drop(f);

		store_rlx(&begun, 0); /* before it is started */
		f = FILCH_GO_ON(pool, starts_another, &begun, &other, &gate);
		await_begun(&begun);
		filch_future_cancel(f);
		assert_int_equal(FILCH_AWAIT(starts_another, f), -ECANCELED);
		filch_future_drop(f);
		open_gate(&gate);
		assert_int_equal(FILCH_AWAIT(hold, other), 0);
		filch_future_drop(other);
	}
}

/* FILCH_AWAIT waits to the end, though its strand is cancelled. */
FILCH_STATIC_TASK(int, awaits_anyway, (_Atomic(int) *, begun), (struct filch_future *, f))
{
	store_rel(begun, 1); /* seen by await_begun() */
	return FILCH_AWAIT(hold, f) ? -1 : filch_cancelled();
}

static void typed_await_is_not_cancelled(void **state)
{
	(void)state;
	EACH_POOL
	{
		_Atomic(int) begun = 0, gate = 0;
		struct filch_future *f = FILCH_GO_ON(pool, hold, &gate);
		struct filch_future *g = FILCH_GO_ON(pool, awaits_anyway, &begun, f);

		await_begun(&begun);
		filch_future_cancel(g);
		assert_int_equal(filch_await_until(g, filch_after(2 * FILCH_MS)),
		                 -ETIMEDOUT);
		open_gate(&gate);
		assert_int_equal(FILCH_AWAIT(awaits_anyway, g), 1);
		filch_future_drop(f);
		filch_future_drop(g);
	}
}

/* ---- deadlines of futures ---- */

static void deadlines(void **state)
{
	(void)state;
	EACH_POOL
	{
		_Atomic(int) begun = 0, gate = 0;
		struct filch_future *f = FILCH_GO_ON(pool, sleeps, &begun);
		uint64_t at = filch_after(5 * FILCH_MS);

		filch_future_deadline(f, at);
		/* If it began in time, it was asleep. */
		if (!filch_await(f))
			assert_int_equal(FILCH_RESULT(sleeps, f), -ECANCELED);
		assert_true(filch_now() >= at);
		filch_future_deadline(f, filch_after(FILCH_MS)); /* of one that is done */
		filch_future_drop(f);

		/* Set again and again, at last for good. */
		f = FILCH_GO_ON(pool, hold, &gate);
		filch_future_deadline(f, FILCH_NEVER);
		for (unsigned i = 0; i < 100; i++)
			filch_future_deadline(f, filch_after(FILCH_S + i * FILCH_MS));
		filch_future_deadline(f, FILCH_NEVER);
		assert_int_equal(filch_await_until(f, filch_after(3 * FILCH_MS)),
		                 -ETIMEDOUT);
		open_gate(&gate);
		assert_int_equal(FILCH_AWAIT(hold, f), 0);
		filch_future_drop(f);

		/* Brought forward; and of one that nobody else holds. */
		store_rlx(&gate, 0); /* before it is started */
		f = FILCH_GO_ON(pool, hold, &gate);
		filch_future_deadline(f, filch_after(1000 * FILCH_S));
		filch_future_deadline(f, filch_after(FILCH_MS));
		filch_future_keep(f);
		filch_future_drop(f);
		filch_await(f);
		filch_future_drop(f);
	}
}

FILCH_STATIC_TASK(int, deadlines_inside, (_Atomic(int) *, begun))
{
	struct filch_future *f = FILCH_GO(sleeps, begun);
	int err;

	filch_future_deadline(f, filch_after(2 * FILCH_MS));
	err = filch_await(f);
	if (!err)
		err = FILCH_RESULT(sleeps, f);
	filch_future_drop(f);
	return err;
}

static void deadlines_by_strands(void **state)
{
	(void)state;
	EACH_POOL
	{
		_Atomic(int) begun = 0;

		assert_int_equal(FILCH_RUN_ON(pool, deadlines_inside, &begun),
		                 -ECANCELED);
	}
}

/* ---- any and all ---- */

#define SEVERAL 40 /* more than fit on the stack */

FILCH_STATIC_TASK(int, any, (struct filch_future *const *, f), (size_t, n),
                  (uint64_t, deadline))
{
	return filch_await_any_until(f, n, deadline);
}

FILCH_STATIC_TASK(int, all, (struct filch_future *const *, f), (size_t, n),
                  (uint64_t, deadline))
{
	return filch_await_all_until(f, n, deadline);
}

static void several(size_t n)
{
	_Atomic(int) gate[SEVERAL] = {0};
	struct filch_future *f[SEVERAL], *by_strand, *all_by_strand;

	for (size_t i = 0; i < n; i++)
		f[i] = FILCH_GO_ON(pool, hold, &gate[i]);
	assert_int_equal(filch_await_any_until(f, n, 0), -ETIMEDOUT);
	assert_int_equal(filch_await_all_until(f, n, 0), -ETIMEDOUT);
	assert_int_equal(filch_await_any_until(f, n, filch_after(FILCH_MS)), -ETIMEDOUT);
	assert_int_equal(FILCH_RUN_ON(pool, any, f, n, filch_after(FILCH_MS)),
	                 -ETIMEDOUT);
	assert_int_equal(FILCH_RUN_ON(pool, all, f, n, filch_after(FILCH_MS)),
	                 -ETIMEDOUT);
	by_strand = FILCH_GO_ON(pool, any, f, n, FILCH_NEVER);
	all_by_strand = FILCH_GO_ON(pool, all, f, n, FILCH_NEVER);
	open_gate(&gate[n / 2]);
	assert_int_equal(filch_await_any(f, n), (int)n / 2);
	assert_int_equal(FILCH_AWAIT(any, by_strand), (int)n / 2);
	assert_int_equal(filch_await_all_until(f, n, filch_after(FILCH_MS)),
	                 n == 1 ? 0 : -ETIMEDOUT);
	for (size_t i = 0; i < n; i++)
		open_gate(&gate[i]);
	assert_int_equal(filch_await_all(f, n), 0);
	assert_int_equal(FILCH_AWAIT(all, all_by_strand), 0);
	assert_int_equal(filch_await_any(f, n), 0); /* the first of those done */
	filch_future_drop(by_strand);
	filch_future_drop(all_by_strand);
	for (size_t i = 0; i < n; i++)
		filch_future_drop(f[i]);
}

static void any_and_all(void **state)
{
	(void)state;
	EACH_POOL
	{
		several(1);
		several(2);
		several(16);
		several(SEVERAL);
	}
}

static void any_with_duplicates(void **state)
{
	(void)state;
	EACH_POOL
	{
		_Atomic(int) a = 0, b = 0;
		struct filch_future *x = FILCH_GO_ON(pool, hold, &a);
		struct filch_future *y = FILCH_GO_ON(pool, hold, &b);
		struct filch_future *f[] = {x, y, x, y, y, x};
		struct filch_future *g = FILCH_GO_ON(pool, any, f, 6, FILCH_NEVER);

		assert_int_equal(filch_await_any_until(f, 6, filch_after(FILCH_MS)),
		                 -ETIMEDOUT);
		open_gate(&b);
		assert_int_equal(filch_await_any(f, 6), 1);
		assert_int_equal(FILCH_AWAIT(any, g) % 2, 1);
		open_gate(&a);
		assert_int_equal(filch_await_all(f, 6), 0);
		filch_future_drop(x);
		filch_future_drop(y);
		filch_future_drop(g);
	}
}

static void cannot_be_awaited(void **state)
{
	struct filch_future *none[2] = {NULL, NULL};

	(void)state;
	assert_int_equal(filch_await(NULL), -EINVAL);
	assert_int_equal(filch_await_any(none, 0), -EINVAL);
	assert_int_equal(filch_await_all(none, 0), -EINVAL);
	assert_int_equal(filch_await_any(none, 2), -EINVAL);
	assert_int_equal(filch_await_all(none, 2), -EINVAL);
}

/* ---- awaiting oneself ---- */

struct ring {
	struct filch_future *f[4];
	_Atomic(int) ready;
	int err[4];
};

static void await_ready(struct ring *r)
{
	while (!load_acq(&r->ready)) /* made when all are known */
		filch_yield();
}

FILCH_STATIC_TASK(int, awaits_self, (struct ring *, r))
{
	await_ready(r);
	r->err[1] = filch_await_until(r->f[0], filch_after(FILCH_S));
	r->err[2] = filch_await_any(r->f, 1);
	r->err[3] = filch_await_all(r->f, 1);
	return filch_await(r->f[0]);
}

/* The part of a future is the future. */
FILCH_STATIC_TASK(int, part_awaits, (struct ring *, r), (int, n))
{
	if (n) {
		FILCH_SPAWN(x, part_awaits, r, n - 1);
		FILCH_SPAWN(y, part_awaits, r, n - 1);
		int err = FILCH_JOIN(y);
		return FILCH_JOIN(x) == err ? err : 0;
	}
	await_ready(r);
	return filch_await(r->f[0]);
}

static void awaiting_oneself(void **state)
{
	(void)state;
	EACH_POOL
	{
		struct ring r = {.ready = 0};

		r.f[0] = FILCH_GO_ON(pool, awaits_self, &r);
		store_rel(&r.ready, 1); /* seen by await_ready() */
		assert_int_equal(FILCH_AWAIT(awaits_self, r.f[0]), -EDEADLK);
		for (int i = 1; i < 4; i++)
			assert_int_equal(r.err[i], -EDEADLK);
		filch_future_drop(r.f[0]);

		store_rlx(&r.ready, 0); /* before it is started */
		r.f[0] = FILCH_GO_ON(pool, part_awaits, &r, 4);
		store_rel(&r.ready, 1); /* seen by await_ready() */
		assert_int_equal(FILCH_AWAIT(part_awaits, r.f[0]), -EDEADLK);
		filch_future_drop(r.f[0]);
	}
}

FILCH_STATIC_TASK(int, awaits_next, (struct ring *, r), (int, i), (int, n))
{
	await_ready(r);
	r->err[i] = filch_await(r->f[(i + 1) % n]);
	return r->err[i];
}

/* One of them closes the cycle; the others then go on. */
static void cycles(void **state)
{
	(void)state;
	EACH_POOL
	for (int n = 2; n <= 4; n++) {
		struct ring r = {.ready = 0};
		int closed = 0;

		for (int i = 0; i < n; i++)
			r.f[i] = FILCH_GO_ON(pool, awaits_next, &r, i, n);
		store_rel(&r.ready, 1); /* seen by await_ready() */
		assert_int_equal(filch_await_all(r.f, (size_t)n), 0);
		for (int i = 0; i < n; i++) {
			assert_true(!r.err[i] || r.err[i] == -EDEADLK);
			closed += r.err[i] == -EDEADLK;
			filch_future_drop(r.f[i]);
		}
		assert_int_equal(closed, 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(results),
		cmocka_unit_test(nested),
		cmocka_unit_test(default_pool),
		cmocka_unit_test(many_await_one),
		cmocka_unit_test(many_in_flight),
		cmocka_unit_test(detached),
		cmocka_unit_test(pool_ends_at_once),
		cmocka_unit_test(cancelled_before),
		cmocka_unit_test(cancelled_asleep),
		cmocka_unit_test(cancelled_with_parts),
		cmocka_unit_test(typed_await_is_not_cancelled),
		cmocka_unit_test(deadlines),
		cmocka_unit_test(deadlines_by_strands),
		cmocka_unit_test(any_and_all),
		cmocka_unit_test(any_with_duplicates),
		cmocka_unit_test(cannot_be_awaited),
		cmocka_unit_test(awaiting_oneself),
		cmocka_unit_test(cycles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
