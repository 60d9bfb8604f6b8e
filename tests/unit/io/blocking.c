/* SPDX-License-Identifier: MIT */
/*
 * filch_blocking: results, more calls than threads, what is cancelled or late while it
 * waits its turn, calls from outside, threads that come and go, and a worker that goes on
 * meanwhile.
 */
#include <errno.h>
#include <filch.h>
#include <filch/future.h>
#include <filch/io.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/atomic.h"
#include "fiber/switch.h"
#include "io/helpers.h"
#include "tests/test.h"

#define LIMIT 4
#define CALLS 50

static struct filch_pool *pool;

static void make_pool(unsigned workers)
{
	struct filch_pool_options o = {.workers = workers, .helpers = LIMIT};

	assert_int_equal(filch_pool_create(&pool, &o, NULL), 0);
}

static void end_pool(void)
{
	assert_int_equal(filch_pool_destroy(pool), 0);
}

static void pause_ms(long ms)
{
	struct timespec t = {ms / 1000, ms % 1000 * 1000000};

	while (nanosleep(&t, &t))
		;
}

/* ---- what blocks ---- */

static _Atomic(int) running, most, calls;

static void *count(void *arg)
{
	int now = add_rlx(&running, 1) + 1, seen = load_rlx(&most); /* counted */

	while (now > seen && !cas_rlx(&most, &seen, now)) /* counted */
		;
	add_rlx(&calls, 1); /* counted */
	pause_ms(1);
	add_rlx(&running, -1); /* counted */
	return (char *)arg + 1;
}

/* Stays until it may go. */
struct stay {
	_Atomic(int) begun, may_go;
};

static void *stay(void *arg)
{
	struct stay *s = arg;

	store_rel(&s->begun, 1);      /* seen by await_begun() */
	while (!load_acq(&s->may_go)) /* made by let_go() */
		pause_ms(1);
	return arg;
}

static void await_begun(struct stay *s)
{
	while (!load_acq(&s->begun)) /* made by stay() */
		pause_ms(1);
}

static void let_go(struct stay *s)
{
	store_rel(&s->may_go, 1); /* seen by stay() */
}

typedef void *call_fn(void *);

FILCH_STATIC_TASK(void *, blocks, (call_fn *, function), (void *, argument))
{
	return filch_blocking(function, argument);
}

FILCH_STATIC_TASK(int, blocks_until, (call_fn *, function), (void *, argument),
                  (uint64_t, deadline))
{
	void *result = NULL;
	int err = filch_blocking_until(function, argument, &result, deadline);

	return !err && !result ? 1 : err;
}

/* ---- with room for all ---- */

static void *who(void *arg)
{
	if (filch_worker_index() != -1)
		return NULL;
	*(pthread_t *)arg = pthread_self();
	return arg;
}

static void results(void **state)
{
	char place[2];
	pthread_t t;

	(void)state;
	make_pool(2);
	assert_ptr_equal(FILCH_RUN_ON(pool, blocks, count, place), place + 1);
	assert_ptr_equal(FILCH_RUN_ON(pool, blocks, who, &t), &t);
	assert_false(pthread_equal(t, pthread_self()));
	assert_int_equal(FILCH_RUN_ON(pool, blocks_until, count, place, FILCH_NEVER), 0);
	/* There is a thread for it at once: as good as a try can be. */
	assert_int_equal(FILCH_RUN_ON(pool, blocks_until, count, place, 0), 0);
	/* A strand may resume before its helper counts as idle: up to one for each call. */
	assert_in_range(filch__helpers_count(pool).threads, 1, 4);
	end_pool();
}

FILCH_STATIC_TASK(long, fib, (int, n))
{
	if (n < 2)
		return n;
	FILCH_SPAWN(x, fib, n - 1);
	long y = FILCH_CALL(fib, n - 2);
	return FILCH_JOIN(x) + y;
}

static void worker_goes_on(void **state)
{
	struct stay s = {0, 0};
	struct filch_future *f;

	(void)state;
	make_pool(1);
	f = FILCH_GO_ON(pool, blocks, stay, &s);
	await_begun(&s);
	assert_int_equal(FILCH_RUN_ON(pool, fib, 15), 610);
	assert_false(filch_future_done(f));
	assert_int_equal(filch_pool_destroy(pool), -EBUSY);
	let_go(&s);
	assert_ptr_equal(FILCH_AWAIT(blocks, f), &s);
	end_pool();
	filch_future_drop(f);
}

/* Its turn has come, so it is waited for. */
static void begun_is_not_given_up(void **state)
{
	(void)state;
	for (int way = 0; way < 2; way++) {
		struct stay s = {0, 0};
		struct filch_future *f;

		make_pool(1 + (unsigned)way);
		f = FILCH_GO_ON(pool, blocks_until, stay, &s,
		                way ? FILCH_NEVER : filch_after(FILCH_MS));
		await_begun(&s);
		filch_future_cancel(f);
		assert_int_equal(filch_await_until(f, filch_after(5 * FILCH_MS)),
		                 -ETIMEDOUT);
		let_go(&s);
		assert_int_equal(FILCH_AWAIT(blocks_until, f), 0);
		filch_future_drop(f);
		end_pool();
	}
}

/* ---- with more calls than threads ---- */

static void more_than_the_limit(void **state)
{
	(void)state;
	for (unsigned workers = 1; workers <= 4; workers *= 2) {
		struct filch_future *f[CALLS];
		char place[2];

		make_pool(workers);
		store_rlx(&most, 0);  /* before any call */
		store_rlx(&calls, 0); /* as above */
		for (int i = 0; i < CALLS; i++)
			f[i] = FILCH_GO_ON(pool, blocks, count, place);
		for (int i = 0; i < CALLS; i++) {
			assert_ptr_equal(FILCH_AWAIT(blocks, f[i]), place + 1);
			filch_future_drop(f[i]);
		}
		assert_int_equal(load_rlx(&calls), CALLS);  /* all done */
		assert_in_range(load_rlx(&most), 1, LIMIT); /* as above */
		assert_in_range(filch__helpers_count(pool).threads, 1, LIMIT);
		end_pool();
	}
}

static struct stay crowd[LIMIT];
static struct filch_future *crowd_future[LIMIT];

/* Keeps all threads busy. */
static void crowd_in(void)
{
	store_rlx(&calls, 0); /* before any call */
	for (int i = 0; i < LIMIT; i++) {
		store_rlx(&crowd[i].begun, 0);  /* before it is started */
		store_rlx(&crowd[i].may_go, 0); /* as above */
		crowd_future[i] = FILCH_GO_ON(pool, blocks, stay, &crowd[i]);
	}
	for (int i = 0; i < LIMIT; i++)
		await_begun(&crowd[i]);
}

static void crowd_out(void)
{
	for (int i = 0; i < LIMIT; i++)
		let_go(&crowd[i]);
	for (int i = 0; i < LIMIT; i++) {
		assert_int_equal(filch_await(crowd_future[i]), 0);
		filch_future_drop(crowd_future[i]);
	}
}

static void given_up_in_the_queue(void **state)
{
	struct filch_future *f[3];
	char place[2];

	(void)state;
	make_pool(2);
	crowd_in();
	assert_int_equal(FILCH_RUN_ON(pool, blocks_until, count, place, 0), -ETIMEDOUT);
	for (int i = 0; i < 3; i++)
		f[i] = FILCH_GO_ON(pool, blocks_until, count, place,
		                   i == 1 ? filch_after(2 * FILCH_MS) : FILCH_NEVER);
	assert_int_equal(FILCH_AWAIT(blocks_until, f[1]), -ETIMEDOUT);
	while (filch_future_cancel(f[0]), !filch_future_done(f[0]))
		pause_ms(1);
	assert_true(filch_await(f[0]) == -ECANCELED ||
	            FILCH_RESULT(blocks_until, f[0]) == -ECANCELED);
	assert_false(filch_future_done(f[2]));
	assert_int_equal(load_rlx(&calls), 0); /* none has begun */
	crowd_out();
	assert_int_equal(FILCH_AWAIT(blocks_until, f[2]), 0);
	assert_int_equal(load_rlx(&calls), 1); /* all done */
	for (int i = 0; i < 3; i++)
		filch_future_drop(f[i]);
	end_pool();
}

static _Atomic(int) asleep;

/* Is cancelled before it asks. */
FILCH_STATIC_TASK(int, asks_late, (void *, place))
{
	store_rel(&asleep, 1); /* seen by cancelled_early() */
	filch_sleep(1000 * FILCH_S);
	return filch_blocking(count, place) == place
	               ? 1
	               : filch_blocking_until(count, place, NULL, FILCH_NEVER);
}

static void cancelled_early(void **state)
{
	struct filch_future *f;
	char place[2];

	(void)state;
	make_pool(1);
	store_rlx(&calls, 0); /* before any call */
	f = FILCH_GO_ON(pool, asks_late, place);
	while (!load_acq(&asleep)) /* made by asks_late() */
		pause_ms(1);
	filch_future_cancel(f);
	assert_int_equal(FILCH_AWAIT(asks_late, f), -ECANCELED);
	assert_int_equal(load_rlx(&calls), 1); /* the one that is not cancelled */
	filch_future_drop(f);
	end_pool();
}

/* ---- outside ---- */

static void *calls_again(void *arg)
{
	return filch_blocking(count, arg);
}

static void *thread_blocks(void *arg)
{
	void *result = NULL;

	if (filch_blocking_until(count, arg, &result, 0) || result != (char *)arg + 1)
		return NULL;
	return filch_blocking(count, arg);
}

static void from_outside(void **state)
{
	char place[2];
	pthread_t t[8];
	void *result;

	(void)state;
	for (int i = 0; i < 8; i++)
		assert_int_equal(pthread_create(&t[i], NULL, thread_blocks, place), 0);
	for (int i = 0; i < 8; i++) {
		assert_int_equal(pthread_join(t[i], &result), 0);
		assert_ptr_equal(result, place + 1);
	}
	make_pool(1);
	assert_ptr_equal(FILCH_RUN_ON(pool, blocks, calls_again, place), place + 1);
	end_pool();
}

/* The child has none of the threads, and waits for none; it can have its own, but for
 * ThreadSanitizer and emulators. */
static void be_child(struct filch_future *f)
{
	struct filch_pool_options o = {.workers = 1};
	struct filch_pool *own;
	char place[2];

	if (filch_pool_destroy(pool) != -ECHILD || filch_await(f) != -ECHILD ||
	    filch_await_any(&f, 1) != -ECHILD)
		_exit(1);
	if (FILCH__TSAN || TEST_EMULATED)
		_exit(0);
	if (filch_pool_create(&own, &o, NULL) ||
	    FILCH_RUN_ON(own, blocks, count, place) != place + 1)
		_exit(2);
	_exit(filch_pool_destroy(own) ? 3 : 0);
}

static void forked(void **state)
{
	struct stay s = {0, 0};
	struct filch_future *f;
	int status;
	pid_t pid;

	(void)state;
	make_pool(2);
	f = FILCH_GO_ON(pool, blocks, stay, &s);
	await_begun(&s);
	pid = fork();
	if (!pid)
		be_child(f);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	let_go(&s);
	assert_int_equal(filch_await(f), 0);
	filch_future_drop(f);
	end_pool();
}

/* ---- threads come and go ---- */

static void idle_ones_end(void **state)
{
	char place[2];

	(void)state;
	make_pool(1);
	crowd_in();
	crowd_out();
	assert_int_equal(filch__helpers_count(pool).threads, LIMIT);
	while (filch__helpers_count(pool).threads)
		pause_ms(50);
	assert_ptr_equal(FILCH_RUN_ON(pool, blocks, count, place), place + 1);
	assert_int_equal(filch__helpers_count(pool).threads, 1);
	end_pool();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(results),
		cmocka_unit_test(worker_goes_on),
		cmocka_unit_test(begun_is_not_given_up),
		cmocka_unit_test(more_than_the_limit),
		cmocka_unit_test(given_up_in_the_queue),
		cmocka_unit_test(cancelled_early),
		cmocka_unit_test(from_outside),
		cmocka_unit_test(forked),
		cmocka_unit_test(idle_ones_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
