/* SPDX-License-Identifier: MIT */
/*
 * Futures and everything that may happen to them at the same time: strands and threads
 * that start, await, cancel, give deadlines and drop, while they end. Each future runs
 * once or was cancelled, and everybody who awaits it is told so.
 */
#include <errno.h>
#include <filch.h>
#include <filch/future.h>
#include <filch/io.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/atomic.h"
#include "tests/test.h"

#define THREADS 4
#define SLOTS 32
#define SOME 20

static struct filch_pool *pool;
static _Atomic(uint64_t) wrong, run, ended, skipped;

static const unsigned sizes[] = {1, 2, 8};
#define SIZES (sizeof sizes / sizeof *sizes)

static void set_up(unsigned workers)
{
	struct filch_pool_options o = {.workers = workers};

	store_rlx(&wrong, 0);   /* before it begins */
	store_rlx(&run, 0);     /* as above */
	store_rlx(&ended, 0);   /* as above */
	store_rlx(&skipped, 0); /* as above */
	assert_int_equal(filch_pool_create(&pool, &o, NULL), 0);
}

static void check(bool good)
{
	if (!good)
		add_rlx(&wrong, 1); /* a count */
}

/* fn in threads; each gets its number. */
static void crowd(void *(*fn)(void *))
{
	pthread_t t[THREADS];

	for (uintptr_t i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&t[i], NULL, fn, (void *)i), 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
}

/* ---- all kinds of ends ---- */

static void *idle_call(void *arg)
{
	return arg;
}

/* Does one of many things for a moment. */
FILCH_STATIC_TASK(uint64_t, moment, (uint64_t, what))
{
	struct filch__random random = filch__random_seed(what);
	uint64_t ns = filch__random_below(&random, 200 * FILCH_US);
	void *back = NULL;

	add_rlx(&run, 1); /* a count */
	switch (filch__random_below(&random, 8)) {
	case 0:
		filch_sleep(ns);
		break;
	case 1:
		filch_yield();
		break;
	case 2:
		check(filch_blocking(idle_call, &random) == &random);
		break;
	case 3:
		check(filch_blocking_until(idle_call, &random, &back, filch_after(ns)) ||
		      back == &random);
		break;
	default:
		break;
	}
	add_rlx(&ended, 1); /* a count */
	return what + 1;
}

static void use(struct filch_future *f, struct filch__random *random)
{
	uint64_t ns = filch__random_below(random, 100 * FILCH_US);

	switch (filch__random_below(random, 8)) {
	case 0:
		filch_future_cancel(f);
		break;
	case 1:
		filch_future_deadline(f, filch_after(ns));
		filch_future_deadline(f, filch_after(ns / 2));
		break;
	case 2:
		filch_future_deadline(f, filch_after(ns));
		filch_future_deadline(f, FILCH_NEVER);
		break;
	case 3:
		filch_await_until(f, filch_after(ns));
		break;
	case 4:
		filch_future_drop(filch_future_keep(f));
		break;
	default:
		break;
	}
}

/* Awaits one that has to be done then, with its result or without. */
static void finish(struct filch_future *f, uint64_t what)
{
	int err = filch_await(f);

	check(filch_future_done(f));
	check(!err || err == -ECANCELED);
	check(FILCH_RESULT(moment, f) == (err ? 0 : what + 1));
	if (err)
		add_rlx(&skipped, 1); /* a count */
	filch_future_drop(f);
}

static uint64_t starts_and_ends(struct filch__random *random, size_t rounds)
{
	struct filch_future *f[SOME];
	uint64_t what[SOME];

	for (size_t k = 0; k < rounds; k++) {
		for (size_t i = 0; i < SOME; i++) {
			what[i] = filch__random_next(random) >> 1;
			f[i] = FILCH_GO_ON(pool, moment, what[i]);
			use(f[i], random);
		}
		for (size_t i = 0; i < SOME; i++)
			use(f[filch__random_below(random, SOME)], random);
		if (k % 2)
			check(filch_await_any(f, SOME) >= 0);
		if (k % 4 == 1)
			check(!filch_await_all(f, SOME));
		for (size_t i = 0; i < SOME; i++)
			finish(f[i], what[i]);
	}
	return rounds * SOME;
}

FILCH_STATIC_TASK(uint64_t, strand_starts, (uint64_t, seed), (size_t, rounds))
{
	struct filch__random random = filch__random_seed(seed);

	return starts_and_ends(&random, rounds);
}

/* A thread of its own and a strand for each. */
static void *starts(void *arg)
{
	uint64_t seed = test_seed() + (uintptr_t)arg * 2;
	struct filch__random random = filch__random_seed(seed + 1);
	size_t rounds = test_scaled(40);
	struct filch_future *f = FILCH_GO_ON(pool, strand_starts, seed, rounds);

	starts_and_ends(&random, rounds);
	check(FILCH_AWAIT(strand_starts, f) == rounds * SOME);
	filch_future_drop(f);
	return NULL;
}

static void all_kinds_of_ends(void **state)
{
	(void)state;
	for (size_t i = 0; i < SIZES; i++) {
		set_up(sizes[i]);
		crowd(starts);
		assert_int_equal(load_rlx(&wrong), 0);                /* all done */
		assert_int_equal(load_rlx(&run), load_rlx(&ended));   /* as above */
		assert_int_equal(load_rlx(&run) + load_rlx(&skipped), /* as above */
		                 2 * THREADS * SOME * test_scaled(40));
		assert_int_equal(filch_pool_destroy(pool), 0);
	}
}

/* ---- shared by all ---- */

/* Futures that anybody may take a reference to, replace, cancel. */
static struct slot {
	pthread_mutex_t lock;
	struct filch_future *f;
} slots[SLOTS];

static struct filch_future *borrow(struct slot *s)
{
	struct filch_future *f = NULL;

	pthread_mutex_lock(&s->lock);
	if (s->f)
		f = filch_future_keep(s->f);
	pthread_mutex_unlock(&s->lock);
	return f;
}

static void replace(struct slot *s, struct filch_future *f)
{
	struct filch_future *old;

	pthread_mutex_lock(&s->lock);
	old = s->f;
	s->f = f;
	pthread_mutex_unlock(&s->lock);
	filch_future_drop(old); /* detached, if it runs */
}

static void await_several(struct filch__random *random)
{
	struct filch_future *f[SOME];
	size_t n = 0;

	for (size_t i = 0; i < SOME; i++) {
		f[n] = borrow(&slots[filch__random_below(random, SLOTS)]);
		n += f[n] != NULL;
	}
	if (n) {
		uint64_t ns = filch__random_below(random, 200 * FILCH_US);
		int any = filch_await_any_until(f, n, filch_after(ns));

		check(any < 0 ? any == -ETIMEDOUT : filch_future_done(f[any]));
	}
	while (n)
		filch_future_drop(f[--n]);
}

static void share(struct filch__random *random, size_t rounds)
{
	for (size_t i = 0; i < rounds; i++) {
		struct slot *s = &slots[filch__random_below(random, SLOTS)];
		struct filch_future *f = borrow(s);

		if (!f || filch__random_below(random, 4) == 0)
			replace(s, FILCH_GO_ON(pool, moment, i));
		if (f) {
			use(f, random);
			filch_future_drop(f);
		}
		if (i % 8 == 0)
			await_several(random);
	}
}

FILCH_STATIC_TASK_VOID(strand_shares, (uint64_t, seed), (size_t, rounds))
{
	struct filch__random random = filch__random_seed(seed);

	share(&random, rounds);
}

static void *shares(void *arg)
{
	uint64_t seed = test_seed() + 100 + (uintptr_t)arg * 2;
	struct filch__random random = filch__random_seed(seed + 1);
	size_t rounds = test_scaled(1000);
	struct filch_future *f = FILCH_GO_ON(pool, strand_shares, seed, rounds);

	share(&random, rounds);
	FILCH_AWAIT(strand_shares, f);
	filch_future_drop(f);
	return NULL;
}

static void shared_by_all(void **state)
{
	(void)state;
	for (size_t i = 0; i < SLOTS; i++)
		pthread_mutex_init(&slots[i].lock, NULL);
	for (size_t i = 0; i < SIZES; i++) {
		set_up(sizes[i]);
		crowd(shares);
		for (size_t k = 0; k < SLOTS; k++)
			replace(&slots[k], NULL);
		while (filch_pool_destroy(pool) == -EBUSY) /* some are detached */
			;
		assert_int_equal(load_rlx(&wrong), 0);              /* all done */
		assert_int_equal(load_rlx(&run), load_rlx(&ended)); /* as above */
	}
}

/* ---- a deadline and the end at the same time ---- */

FILCH_STATIC_TASK(uint64_t, ends_at, (uint64_t, at))
{
	while (filch_now() < at)
		filch_yield();
	return at;
}

FILCH_STATIC_TASK(uint64_t, awaits_at, (struct filch_future *, f), (uint64_t, at))
{
	int err = filch_await_until(f, at);

	check(!err || err == -ETIMEDOUT);
	return !err;
}

static void *races(void *arg)
{
	struct filch__random random = filch__random_seed(test_seed() + (uintptr_t)arg);

	for (size_t i = 0; i < test_scaled(200); i++) {
		uint64_t at = filch_after(filch__random_below(&random, 60 * FILCH_US));
		uint64_t skew = filch__random_below(&random, 20 * FILCH_US);
		struct filch_future *f = FILCH_GO_ON(pool, ends_at, at);
		struct filch_future *g = FILCH_GO_ON(pool, awaits_at, f, at + skew);
		int err = filch_await_until(f, at + skew);

		check(!err || err == -ETIMEDOUT);
		check(FILCH_AWAIT(ends_at, f) == at);
		check(FILCH_AWAIT(awaits_at, g) <= 1);
		filch_future_drop(f);
		filch_future_drop(g);
	}
	return NULL;
}

static void deadline_against_end(void **state)
{
	(void)state;
	for (size_t i = 0; i < SIZES; i++) {
		set_up(sizes[i]);
		crowd(races);
		assert_int_equal(load_rlx(&wrong), 0); /* all done */
		assert_int_equal(filch_pool_destroy(pool), 0);
	}
}

/* ---- random graphs: whoever closes a cycle is told ---- */

#define NODES 8

struct graph {
	struct filch_future *f[NODES];
	unsigned next[NODES];
	_Atomic(int) ready;
	_Atomic(int) closed;
};

FILCH_STATIC_TASK_VOID(node, (struct graph *, g), (unsigned, i))
{
	int err;

	while (!load_acq(&g->ready)) /* made when all are known */
		filch_yield();
	err = filch_await(g->f[g->next[i]]);
	check(!err || err == -EDEADLK);
	if (err)
		add_rlx(&g->closed, 1); /* a count */
}

/* Each node has one edge, so each cycle is closed by one. */
static int cycles_of(const struct graph *g)
{
	unsigned seen[NODES] = {0};
	int cycles = 0;

	for (unsigned i = 0; i < NODES; i++) {
		unsigned at = i;

		for (; !seen[at]; at = g->next[at])
			seen[at] = i + 1;
		cycles += seen[at] == i + 1;
	}
	return cycles;
}

static void *graphs(void *arg)
{
	struct filch__random random = filch__random_seed(test_seed() + (uintptr_t)arg);

	for (size_t k = 0; k < test_scaled(200); k++) {
		struct graph g = {.ready = 0, .closed = 0};

		for (unsigned i = 0; i < NODES; i++) {
			g.next[i] = (unsigned)filch__random_below(&random, NODES);
			g.f[i] = FILCH_GO_ON(pool, node, &g, i);
		}
		store_rel(&g.ready, 1); /* seen by node() */
		check(!filch_await_all(g.f, NODES));
		check(load_rlx(&g.closed) == cycles_of(&g)); /* all done */
		for (unsigned i = 0; i < NODES; i++)
			filch_future_drop(g.f[i]);
	}
	return NULL;
}

static void random_graphs(void **state)
{
	(void)state;
	for (size_t i = 0; i < SIZES; i++) {
		set_up(sizes[i]);
		crowd(graphs);
		assert_int_equal(load_rlx(&wrong), 0); /* all done */
		assert_int_equal(filch_pool_destroy(pool), 0);
	}
}

/* ---- the pool ends with the last of them ---- */

static void ended_at_once(void **state)
{
	struct filch__random random = filch__random_seed(test_seed());

	(void)state;
	for (size_t i = 0; i < test_scaled(300); i++) {
		struct filch_future *f[4];

		set_up(1 + (unsigned)i % 4);
		for (size_t k = 0; k < 4; k++) {
			f[k] = FILCH_GO_ON(pool, moment, i + k);
			use(f[k], &random);
		}
		assert_int_equal(filch_await_all(f, 4), 0);
		assert_int_equal(filch_pool_destroy(pool), 0);
		for (size_t k = 0; k < 4; k++)
			finish(f[k], i + k);
		assert_int_equal(load_rlx(&wrong), 0); /* all done */
	}
}

/* ---- a pool ends while another one's worker, or a thread, wakes its last strand ---- */

FILCH_STATIC_TASK_VOID(awaits_across, (struct filch_future *, f), (uint64_t, at))
{
	int err = filch_await_until(f, at);

	check(!err || err == -ETIMEDOUT || err == -ECANCELED);
}

static void *cancels(void *f)
{
	filch_future_cancel(f);
	filch_future_deadline(f, filch_after(FILCH_US));
	filch_future_drop(f);
	return NULL;
}

static void across_pools(void **state)
{
	struct filch__random random = filch__random_seed(test_seed());

	(void)state;
	set_up(2);
	for (size_t i = 0; i < test_scaled(300); i++) {
		struct filch_pool_options o = {.workers = 1 + (unsigned)i % 2};
		uint64_t at = filch_after(filch__random_below(&random, 60 * FILCH_US));
		uint64_t skew = filch__random_below(&random, 10 * FILCH_US);
		struct filch_future *f = FILCH_GO_ON(pool, ends_at, at), *g;
		struct filch_pool *other;
		pthread_t t;

		assert_int_equal(filch_pool_create(&other, &o, NULL), 0);
		g = FILCH_GO_ON(other, awaits_across, f, i % 3 ? at + skew : FILCH_NEVER);
		assert_int_equal(pthread_create(&t, NULL, cancels, filch_future_keep(g)),
		                 0);
		check(filch_await(g) != -ETIMEDOUT);
		assert_int_equal(filch_pool_destroy(other), 0);
		pthread_join(t, NULL);
		filch_future_drop(g);
		check(FILCH_AWAIT(ends_at, f) == at);
		filch_future_drop(f);
	}
	assert_int_equal(load_rlx(&wrong), 0); /* all done */
	assert_int_equal(filch_pool_destroy(pool), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_kinds_of_ends),    cmocka_unit_test(shared_by_all),
		cmocka_unit_test(deadline_against_end), cmocka_unit_test(random_graphs),
		cmocka_unit_test(ended_at_once),        cmocka_unit_test(across_pools),
	};

	test_seed(); /* before there are threads */
	return cmocka_run_group_tests(tests, NULL, NULL);
}
