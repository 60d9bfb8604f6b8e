/* SPDX-License-Identifier: MIT */
/* Tasks without macros, and the functions of filch/numbers.h from the library. */
#define FILCH_OUT_OF_LINE
#include <errno.h>
#include <filch.h>
#include <filch/numbers.h>
#include <string.h>

#include "tests/test.h"

static void *fib(void *n)
{
	uintptr_t i = (uintptr_t)n;
	struct filch_frame x;
	uintptr_t y;

	if (i < 2)
		return n;
	filch_spawn(&x, fib, (void *)(i - 1));
	y = (uintptr_t)fib((void *)(i - 2));
	return (void *)((uintptr_t)filch_join(&x) + y);
}

static void test_spawn(void **state)
{
	static const char *const asks[] = {"signal", "poll"};

	(void)state;
	assert_int_equal((uintptr_t)fib((void *)15), 610); /* outside a pool: calls */
	assert_int_equal((uintptr_t)filch_run(NULL, fib, (void *)20), 6765);
	for (size_t i = 0; i < 2; i++) {
		struct filch_pool_options o = {.workers = 4, .ask = asks[i]};
		struct filch_pool *pool;

		assert_int_equal(filch_pool_create(&pool, &o, NULL), 0);
		for (int turn = 0; turn < 20; turn++)
			assert_int_equal((uintptr_t)filch_run(pool, fib, (void *)20),
			                 6765);
		assert_int_equal(filch_pool_destroy(pool), 0);
	}
}

/* The spawned one waits for what its spawner does next: so somebody must have stolen it, and
 * whoever polls must have been answered by a join. */
struct meeting {
	struct filch_event here, there;
};

static void *meet(void *context)
{
	struct meeting *m = context;

	filch_event_set(&m->there);
	filch_event_wait(&m->here);
	return m;
}

static void *spawner(void *context)
{
	struct meeting m = {FILCH_EVENT_INIT, FILCH_EVENT_INIT};
	struct filch_frame x;

	(void)context;
	filch_spawn(&x, meet, &m);
	while (!filch_event_is_set(&m.there))
		fib((void *)5); /* joins */
	filch_event_set(&m.here);
	return filch_join(&x) == &m ? context : NULL;
}

static void test_stolen(void **state)
{
	static const char *const asks[] = {"signal", "poll"};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct filch_pool_options o = {.workers = 2, .ask = asks[i]};
		struct filch_pool *pool;

		assert_int_equal(filch_pool_create(&pool, &o, NULL), 0);
		assert_ptr_equal(filch_run(pool, spawner, state), state);
		assert_int_equal(filch_pool_destroy(pool), 0);
	}
}

static void *add_one(void *semaphore)
{
	filch_semaphore_release(semaphore, 1);
	return NULL;
}

/* Returns its argument if all went well. */
static void *grouped(void *context)
{
	struct filch_semaphore *s = context;
	struct filch_group g;
	bool right = true;

	filch_group_begin(&g);
	for (int i = 0; i < 1000; i++)
		right &= filch_group_spawn(&g, add_one, s) == 0;
	right &= filch_group_wait(&g) == 0;
	filch_group_begin(&g);
	filch_group_cancel(&g);
	right &= filch_group_spawn(&g, add_one, s) == -ECANCELED;
	right &= filch_group_wait(&g) == -ECANCELED;
	return right ? context : NULL;
}

static void test_group(void **state)
{
	struct filch_semaphore s = FILCH_SEMAPHORE_INIT(0);

	(void)state;
	assert_ptr_equal(filch_run(NULL, grouped, &s), &s);
	for (int i = 0; i < 1000; i++)
		assert_int_equal(filch_semaphore_try_acquire(&s), 0);
	assert_int_equal(filch_semaphore_try_acquire(&s), -EAGAIN);
}

static void test_sizes(void **state)
{
	(void)state;
	assert_int_equal(filch_size_of("filch_group"), sizeof(struct filch_group));
	assert_int_equal(filch_size_of("filch_tile"), sizeof(struct filch_tile));
	assert_int_equal(filch_size_of("filch_pool_options"),
	                 sizeof(struct filch_pool_options));
	assert_int_equal(filch_size_of("filch_pool"), 0); /* it is nobody's to make */
	assert_int_equal(filch_size_of(""), 0);
	assert_string_equal(filch_version(), FILCH_VERSION);
}

/* Each kind, each type: 4, 2, 0, 1, 3, 1 in its own order, sums and extremes. */
#define CHECK(suffix, type)                                                          \
	{                                                                            \
		const type in[] = {4, 2, 0, 1, 3, 1}, sorted[] = {0, 1, 1, 2, 3, 4}; \
		const type sums[] = {4, 6, 6, 7, 10, 11},                            \
			   before[] = {0, 4, 6, 6, 7, 10};                           \
		type a[6];                                                           \
                                                                                     \
		memcpy(a, in, sizeof a);                                             \
		filch_sort_##suffix(a, 6);                                           \
		assert_memory_equal(a, sorted, sizeof a);                            \
		memcpy(a, in, sizeof a);                                             \
		filch_stable_sort_##suffix(a, 6);                                    \
		assert_memory_equal(a, sorted, sizeof a);                            \
		assert_int_equal(filch_scan_##suffix(in, a, 6), 0);                  \
		assert_memory_equal(a, sums, sizeof a);                              \
		assert_int_equal(filch_scan_##suffix##_exclusive(in, a, 6), 0);      \
		assert_memory_equal(a, before, sizeof a);                            \
		assert_int_equal(filch_min_##suffix(in, 6), 2);                      \
		assert_int_equal(filch_max_##suffix(in, 6), 0);                      \
	}

static void test_numbers(void **state)
{
	(void)state;
	FILCH_NUMBERS(CHECK)
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_spawn),   cmocka_unit_test(test_stolen),
		cmocka_unit_test(test_group),   cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
