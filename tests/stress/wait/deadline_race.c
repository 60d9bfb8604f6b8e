/* SPDX-License-Identifier: MIT */
/*
 * Waits that end by a deadline, or are cancelled, at the moment when they are served:
 * either the one or the other, nothing is lost, and nobody is left behind. Deadlines are
 * 0 to 50 us away, about as long as it takes.
 */
#include <filch/sync.h>

#include "tests/together.h"

#define STRANDS 16
#define THREADS 3

struct subject {
	struct filch_mutex mutex;
	struct filch_condition condition;
	struct filch_semaphore semaphore;
	struct filch_event event;
	struct filch_rwlock rwlock;
	size_t times;
	unsigned long a, b;                  /* under the lock in question */
	_Atomic(unsigned long) done, missed; /* with and without success */
	_Atomic(unsigned) inside, left;
};

static uint64_t soon(struct filch__random *random)
{
	return filch_after(filch__random_below(random, 50 * FILCH_US));
}

/* Holds what it has for a while, one way or another. */
static void dwell(struct filch__random *random)
{
	switch (filch__random_below(random, 8)) {
	case 0:
		filch_sleep(filch__random_below(random, 20 * FILCH_US));
		break;
	case 1:
	case 2:
		filch_yield();
		break;
	}
}

static bool counted(struct subject *s, int result)
{
	CHECK(result == 0 || result == -ETIMEDOUT);
	add_rlx(result ? &s->missed : &s->done, 1); /* counted */
	return !result;
}

/* On pools of 1, 2 and 8 workers, with threads; `end` looks what has become of it. */
static void race(together_fn *fn, void (*end)(struct subject *))
{
	static const unsigned workers[] = {1, 2, 8};

	for (unsigned i = 0; i < 3; i++) {
		struct filch_pool *p = pool_of(workers[i]);
		struct subject s = {.semaphore = FILCH_SEMAPHORE_INIT(3),
		                    .times = test_scaled(400),
		                    .left = STRANDS + THREADS};

		together_on(p, STRANDS, THREADS, fn, &s);
		end(&s);
		print_message("%u workers: %lu had it, %lu had not\n", workers[i],
		              load_rlx(&s.done), load_rlx(&s.missed)); /* all done */
		assert_int_equal(filch_pool_destroy(p), 0);
		all_right();
	}
}

/* ---- mutex ---- */

static void race_for_mutex(void *arg, unsigned index)
{
	struct filch__random random = filch__random_seed(test_seed() + index);
	struct subject *s = arg;

	for (size_t i = 0; i < s->times; i++) {
		if (!counted(s, filch_mutex_lock_until(&s->mutex, soon(&random))))
			continue;
		s->a++;
		dwell(&random);
		s->b++;
		CHECK(s->a == s->b);
		filch_mutex_unlock(&s->mutex);
	}
}

static void end_mutex(struct subject *s)
{
	assert_int_equal(s->a, load_rlx(&s->done)); /* all done */
	assert_null(s->mutex.owner);
	assert_null(s->mutex.waiters.list.first);
}

static void mutex(void **state)
{
	(void)state;
	race(race_for_mutex, end_mutex);
}

/* ---- semaphore ---- */

static void race_for_semaphore(void *arg, unsigned index)
{
	struct filch__random random = filch__random_seed(test_seed() + index);
	struct subject *s = arg;

	for (size_t i = 0; i < s->times; i++) {
		if (!counted(s,
		             filch_semaphore_acquire_until(&s->semaphore, soon(&random))))
			continue;
		CHECK(add_rlx(&s->inside, 1) < 3); /* counted */
		dwell(&random);
		add_rlx(&s->inside, -1u); /* counted */
		filch_semaphore_release(&s->semaphore, 1);
	}
}

static void end_semaphore(struct subject *s)
{
	assert_int_equal(s->semaphore.count, 3);
	assert_null(s->semaphore.waiters.list.first);
}

static void semaphore(void **state)
{
	(void)state;
	race(race_for_semaphore, end_semaphore);
}

/* ---- read-write lock ---- */

static void write_soon(struct subject *s, struct filch__random *random)
{
	if (!counted(s, filch_rwlock_write_until(&s->rwlock, soon(random))))
		return;
	s->a++;
	dwell(random);
	s->b++;
	filch_rwlock_write_unlock(&s->rwlock);
}

/* Some of the readers wait for good: a writer that gives up must not leave them. */
static void read_soon(struct subject *s, struct filch__random *random)
{
	uint64_t deadline = filch__random_below(random, 2) ? FILCH_NEVER : soon(random);

	if (!counted(s, filch_rwlock_read_until(&s->rwlock, deadline)))
		return;
	CHECK(s->a == s->b);
	dwell(random);
	CHECK(s->a == s->b);
	filch_rwlock_read_unlock(&s->rwlock);
}

static void race_for_rwlock(void *arg, unsigned index)
{
	struct filch__random random = filch__random_seed(test_seed() + index);
	struct subject *s = arg;

	for (size_t i = 0; i < s->times; i++) {
		if (filch__random_below(&random, 3))
			read_soon(s, &random);
		else
			write_soon(s, &random);
	}
}

static void end_rwlock(struct subject *s)
{
	assert_int_equal(s->a, s->b);
	assert_int_equal(filch_rwlock_try_write(&s->rwlock), 0);
	assert_null(s->rwlock.waiters.list.first);
}

static void rwlock(void **state)
{
	(void)state;
	race(race_for_rwlock, end_rwlock);
}

/* ---- event ---- */

/* One sets and resets it until the others are done; those wait, some of them for good. */
static void race_for_event(void *arg, unsigned index)
{
	struct filch__random random = filch__random_seed(test_seed() + index);
	struct subject *s = arg;

	if (!index) {
		while (load_rlx(&s->left) > 1) { /* counted */
			filch_event_set(&s->event);
			filch_event_reset(&s->event); /* those who waited have it */
			filch_sleep(filch__random_below(&random, 100 * FILCH_US));
		}
		return;
	}
	for (size_t i = 0; i < s->times; i++)
		counted(s, filch_event_wait_until(&s->event,
		                                  i % 4 ? soon(&random) : FILCH_NEVER));
	add_rlx(&s->left, -1u); /* counted */
}

static void end_event(struct subject *s)
{
	assert_false(filch_event_is_set(&s->event));
	assert_null(s->event.waiters.list.first);
}

static void event(void **state)
{
	(void)state;
	race(race_for_event, end_event);
}

/* ---- condition ---- */

/* Takes one of `a`; some wait for good, and a signal that went to somebody whose time was
 * up would leave them there. */
static void take_one(struct subject *s, struct filch__random *random)
{
	bool patient = filch__random_below(random, 2);
	int r = 0;

	filch_mutex_lock(&s->mutex);
	while (!s->a) {
		r = filch_condition_wait_until(&s->condition, &s->mutex,
		                               patient ? FILCH_NEVER : soon(random));
		add_rlx(r ? &s->missed : &s->done, 1); /* counted */
		CHECK(r == 0 || (!patient && r == -ETIMEDOUT));
	}
	s->a--;
	s->b++;
	filch_mutex_unlock(&s->mutex);
}

static void give_one(struct subject *s)
{
	filch_mutex_lock(&s->mutex);
	s->a++;
	filch_mutex_unlock(&s->mutex);
	filch_condition_signal(&s->condition);
}

static void race_for_condition(void *arg, unsigned index)
{
	struct filch__random random = filch__random_seed(test_seed() + index);
	struct subject *s = arg;

	if (index == STRANDS)
		return; /* of an odd number */
	for (size_t i = 0; i < s->times; i++) {
		if (index % 2)
			take_one(s, &random);
		else
			give_one(s);
		if (index % 2 == 0 && i % 2)
			filch_sleep(filch__random_below(&random, 100 * FILCH_US));
	}
}

static void end_condition(struct subject *s)
{
	assert_int_equal(s->a, 0);
	assert_int_equal(s->b, (STRANDS + THREADS - 1) / 2 * s->times);
	assert_null(s->condition.waiters.list.first);
	assert_null(s->mutex.owner);
}

static void condition(void **state)
{
	(void)state;
	race(race_for_condition, end_condition);
}

/* ---- cancelled while they are served ---- */

struct served {
	struct filch_semaphore semaphore;
	struct filch_mutex mutex;
	_Atomic(unsigned long) got, cancelled;
	uint64_t seed;
};

FILCH_STATIC_TASK_VOID(wants, (struct served *, s), (unsigned, index))
{
	int r = filch_semaphore_acquire(&s->semaphore);

	CHECK(r == 0 || r == -ECANCELED);
	add_rlx(r ? &s->cancelled : &s->got, 1); /* counted */
	r = filch_mutex_lock_until(&s->mutex, FILCH_NEVER);
	CHECK(r == 0 || r == -ECANCELED);
	if (index % 2)
		filch_yield();
	if (!r)
		filch_mutex_unlock(&s->mutex);
}

FILCH_STATIC_TASK_VOID(serves, (struct served *, s))
{
	for (unsigned i = 0; i < 4; i++) {
		filch_sleep(2 * FILCH_US);
		filch_semaphore_release(&s->semaphore, 1);
	}
}

FILCH_STATIC_TASK_VOID(served_inner, (struct served *, s), (uint64_t, delay))
{
	struct filch_group g;

	filch_group_begin(&g);
	for (unsigned i = 0; i < 8; i++)
		FILCH_GROUP_SPAWN(&g, wants, s, i);
	filch_sleep(delay);
	filch_group_cancel(&g);
	filch_group_wait(&g);
}

/* Eight want one each, four are given, and the eight are cancelled meanwhile. */
FILCH_STATIC_TASK_VOID(served_once, (struct served *, s), (uint64_t, delay))
{
	FILCH_SPAWN(x, serves, s);
	FILCH_CALL(served_inner, s, delay);
	FILCH_JOIN(x);
}

static void cancelled(void **state)
{
	struct filch__random random = filch__random_seed(test_seed());

	(void)state;
	for (unsigned workers = 1; workers <= 8; workers *= 2) {
		struct filch_pool *p = pool_of(workers);
		struct served s = {.got = 0};
		size_t times = test_scaled(200);

		for (size_t i = 0; i < times; i++)
			FILCH_RUN_ON(p, served_once, &s,
			             filch__random_below(&random, 60 * FILCH_US));
		assert_int_equal(s.semaphore.count + s.got, 4 * times);
		assert_null(s.semaphore.waiters.list.first);
		assert_null(s.mutex.owner);
		print_message("%u workers: %lu had it, %lu were cancelled\n", workers,
		              s.got, s.cancelled);
		assert_int_equal(filch_pool_destroy(p), 0);
	}
	all_right();
}

/* ---- freed by the last who has waited ---- */

#define MOST 33 /* about one and two batches of wake-ups */

struct freed {
	struct filch_event event;
	struct filch_semaphore semaphore;
	_Atomic(unsigned) left;
};

/* In no group and without a deadline: the shortest way out of a wait. */
FILCH_STATIC_TASK_VOID(frees, (struct freed *, f), (bool, set))
{
	if (set)
		filch_event_wait(&f->event);
	else
		filch_semaphore_acquire(&f->semaphore);
	if (add_acq_rel(&f->left, -1u) == 1) /* the last one; counted */
		free(f);
}

FILCH_STATIC_TASK_VOID(wakes, (struct freed *, f), (unsigned, n), (bool, set))
{
	until_waiting(set ? &f->event.waiters : &f->semaphore.waiters, n);
	if (set)
		filch_event_set(&f->event);
	else
		filch_semaphore_release(&f->semaphore, n + 1);
}

FILCH_STATIC_TASK_VOID(all_free, (unsigned, n), (bool, set))
{
	struct freed *f = calloc(1, sizeof *f);
	FILCH_FRAME(frees) part[MOST];

	atomic_init(&f->left, n);
	for (unsigned i = 0; i < n; i++)
		FILCH_SPAWN_AT(&part[i], frees, f, set);
	FILCH_SPAWN(x, wakes, f, n, set);
	FILCH_JOIN(x);
	for (unsigned i = n; i--;)
		FILCH_JOIN_AT(&part[i], frees);
}

static void freed(void **state)
{
	(void)state;
	for (unsigned workers = 1; workers <= 8; workers *= 2) {
		struct filch_pool *p = pool_of(workers);

		for (size_t i = 0; i < test_scaled(200); i++)
			for (unsigned n = 15; n <= MOST; n += n == 17 ? 14 : 1)
				FILCH_RUN_ON(p, all_free, n, i % 2);
		assert_int_equal(filch_pool_destroy(p), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mutex),     cmocka_unit_test(semaphore),
		cmocka_unit_test(rwlock),    cmocka_unit_test(event),
		cmocka_unit_test(condition), cmocka_unit_test(cancelled),
		cmocka_unit_test(freed),
	};

	test_seed(); /* before there are threads */
	return cmocka_run_group_tests(tests, NULL, NULL);
}
