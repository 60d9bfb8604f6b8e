/* SPDX-License-Identifier: MIT */
/*
 * Strands that suspend and are woken: by their own children, by foreign threads, by
 * several wakers at once, right away or late; with tasks left behind, private or exposed.
 * Of several wakers exactly one is the first. And strands that yield to each other.
 */
#include "strand/strand.h"

#include <filch.h>
#include <pthread.h>
#include <sched.h>
#include <time.h>

#include "tests/test.h"

#define STRANDS 8
#define WAKERS 3
#define YIELDS 200

static struct filch_pool *pool;

/* One strand's waits. Each waker calls once a round; a round ends when all have. */
static struct place {
	struct filch__ticket waiter;     /* its strand writes, carried by rounds */
	_Atomic(unsigned) rounds;        /* begun so far */
	_Atomic(unsigned) calls, firsts; /* by the wakers, since the beginning */
} places[STRANDS];

static _Atomic(unsigned) wrong;
static _Atomic(unsigned) finished; /* strands that are through */

/* The word is left; the wakers may come before this returns. */
static bool arm(void *arg, struct filch__strand *s)
{
	struct place *p = arg;

	p->waiter = filch__ticket(s);
	add_rel(&p->rounds, 1); /* seen by the wakers */
	return true;
}

static bool arm_not(void *arg, struct filch__strand *s)
{
	(void)arg;
	(void)s;
	return false;
}

static void call(struct place *p)
{
	if (filch__wake_ticket(pool, p->waiter))
		add_rlx(&p->firsts, 1); /* carried by calls */
	add_rel(&p->calls, 1);          /* the last that is done to this round */
}

/* Waits until all wakers have called for the round that just ended. */
static void check_round(struct place *p, unsigned round, unsigned wakers)
{
	while (load_acq(&p->calls) < round * wakers) { /* made by call() */
		filch__yield();
		sched_yield();
	}
	if (load_rlx(&p->firsts) != round) /* carried by calls */
		add_rlx(&wrong, 1);        /* counted */
}

FILCH_STATIC_TASK(long, fib, (int, n))
{
	if (n < 2)
		return n;
	FILCH_SPAWN(x, fib, n - 1);
	long y = FILCH_CALL(fib, n - 2);
	return FILCH_JOIN(x) + y;
}

/* ---- woken by foreign threads ---- */

static void dawdle(struct filch__random *random)
{
	struct timespec late = {0, (long)filch__random_below(random, 200000)};
	uint64_t how = filch__random_below(random, 16);

	if (how == 0)
		nanosleep(&late, NULL);
	else if (how < 4)
		sched_yield();
	else
		for (uint64_t n = filch__random_below(random, 300); n; n--)
			filch__relax();
}

static void *waker(void *arg)
{
	struct filch__random random = filch__random_seed(test_seed() + (uintptr_t)arg);
	unsigned called[STRANDS] = {0};

	while (load_acq(&finished) < STRANDS) { /* made by waits() */
		bool idle = true;

		for (unsigned i = 0; i < STRANDS; i++) {
			if (load_acq(&places[i].rounds) == called[i]) /* made by arm() */
				continue;
			dawdle(&random);
			call(&places[i]);
			called[i]++;
			idle = false;
		}
		if (idle)
			sched_yield();
	}
	return NULL;
}

/* Suspends `rounds` times, with private tasks in this frame and the one above. */
FILCH_STATIC_TASK(long, waits, (struct place *, p), (unsigned, rounds))
{
	long sum = 0;

	for (unsigned i = 0; i < rounds; i++) {
		FILCH_SPAWN(x, fib, 5);
		FILCH_SPAWN(y, fib, 6);
		filch__suspend(arm, p, FILCH__BECAUSE(other));
		sum += FILCH_JOIN(
			x); /* other wakers may still come while it waits here */
		if (i % 5 == 0)
			filch__suspend(arm_not, NULL, FILCH__BECAUSE(other));
		sum += FILCH_JOIN(y);
		check_round(p, i + 1, WAKERS);
	}
	add_rel(&finished, 1); /* seen by the wakers */
	return sum;
}

FILCH_STATIC_TASK(long, all_wait, (unsigned, rounds))
{
	FILCH_FRAME(waits) part[STRANDS];
	long sum = 0;

	for (unsigned i = 0; i < STRANDS; i++)
		FILCH_SPAWN_AT(&part[i], waits, &places[i], rounds);
	for (unsigned i = 0; i < STRANDS; i++)
		sum += FILCH_JOIN_AT(&part[i], waits);
	return sum;
}

static void set_up(unsigned workers)
{
	struct filch_pool_options o = {.workers = workers};

	for (unsigned i = 0; i < STRANDS; i++) {
		atomic_init(&places[i].rounds, 0);
		atomic_init(&places[i].calls, 0);
		atomic_init(&places[i].firsts, 0);
	}
	atomic_init(&wrong, 0);
	atomic_init(&finished, 0);
	assert_int_equal(filch_pool_create(&pool, &o, NULL), 0);
}

static void tear_down(void)
{
	for (unsigned i = 0; i < STRANDS; i++)   /* the strands are gone */
		if (load_rlx(&places[i].rounds)) /* all done */
			assert_false(filch__wake_ticket(pool, places[i].waiter));
	assert_int_equal(load_rlx(&wrong), 0); /* all done */
	assert_int_equal(filch_pool_destroy(pool), 0);
}

static void woken_by_threads(void **state)
{
	unsigned rounds = (unsigned)test_scaled(100);

	(void)state;
	for (unsigned workers = 1; workers <= 8; workers += 1 + 5 * (workers / 2)) {
		pthread_t t[WAKERS];

		set_up(workers);
		for (uintptr_t i = 0; i < WAKERS; i++)
			assert_int_equal(pthread_create(&t[i], NULL, waker, (void *)i),
			                 0);
		assert_int_equal(FILCH_RUN_ON(pool, all_wait, rounds),
		                 (long)rounds * STRANDS * 13);
		for (unsigned i = 0; i < WAKERS; i++)
			pthread_join(t[i], NULL);
		tear_down();
	}
}

/* ---- woken by its own children ---- */

FILCH_STATIC_TASK_VOID(wakes, (struct place *, p), (unsigned, round))
{
	while (load_acq(&p->rounds) < round) /* made by arm() */
		filch__yield();
	call(p);
}

/* The wakers are private when it suspends: they become stealable by that. */
FILCH_STATIC_TASK(long, woken_by_own, (struct place *, p), (unsigned, rounds),
                  (int, work))
{
	long sum = 0;

	for (unsigned i = 1; i <= rounds; i++) {
		FILCH_SPAWN(a, wakes, p, i);
		FILCH_SPAWN(x, fib, 5);
		FILCH_SPAWN(b, wakes, p, i);
		if (work) /* somebody may ask meanwhile */
			sum += FILCH_CALL(fib, work);
		filch__suspend(arm, p, FILCH__BECAUSE(other));
		FILCH_JOIN(b); /* the other one may still come while it waits here */
		sum += FILCH_JOIN(x);
		FILCH_JOIN(a);
		check_round(p, i, 2);
	}
	return sum;
}

FILCH_STATIC_TASK(long, all_woken, (unsigned, rounds), (int, work))
{
	FILCH_FRAME(woken_by_own) part[STRANDS];
	long sum = 0;

	for (unsigned i = 0; i < STRANDS; i++)
		FILCH_SPAWN_AT(&part[i], woken_by_own, &places[i], rounds, work);
	for (unsigned i = STRANDS; i-- > 0;)
		sum += FILCH_JOIN_AT(&part[i], woken_by_own);
	return sum;
}

static void woken_by_strands(void **state)
{
	unsigned rounds = (unsigned)test_scaled(200);

	(void)state;
	for (unsigned workers = 1; workers <= 8; workers += 1 + 5 * (workers / 2)) {
		set_up(workers);
		assert_int_equal(FILCH_RUN_ON(pool, all_woken, rounds, 0),
		                 (long)rounds * STRANDS * 5);
		tear_down();
		set_up(workers);
		assert_int_equal(FILCH_RUN_ON(pool, all_woken, rounds, 10),
		                 (long)rounds * STRANDS * 60);
		tear_down();
	}
}

/* ---- yields ---- */

static _Atomic(unsigned) turn;

/* Takes every second turn; gets one only if the other strand goes on. */
FILCH_STATIC_TASK(unsigned, takes_turns, (unsigned, me))
{
	unsigned taken = 0;

	while (taken < YIELDS) {
		if (load_acq(&turn) % 2 == me) { /* made by the other */
			add_rel(&turn, 1);       /* as above */
			taken++;
		}
		filch__yield();
	}
	return taken;
}

static void *run_turns(void *me)
{
	return (void *)(uintptr_t)FILCH_RUN_ON(pool, takes_turns,
	                                       (unsigned)(uintptr_t)me);
}

static void yields(void **state)
{
	(void)state;
	for (unsigned workers = 1; workers <= 8; workers += 1 + 5 * (workers / 2)) {
		pthread_t t[2];

		set_up(workers);
		atomic_init(&turn, 0);
		for (uintptr_t i = 0; i < 2; i++)
			assert_int_equal(
				pthread_create(&t[i], NULL, run_turns, (void *)i), 0);
		for (unsigned i = 0; i < 2; i++) {
			void *taken;

			pthread_join(t[i], &taken);
			assert_int_equal((uintptr_t)taken, YIELDS);
		}
		tear_down();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(woken_by_threads),
		cmocka_unit_test(woken_by_strands),
		cmocka_unit_test(yields),
	};

	test_seed(); /* before there are threads */
	return cmocka_run_group_tests(tests, NULL, NULL);
}
