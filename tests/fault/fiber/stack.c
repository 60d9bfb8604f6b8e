/* SPDX-License-Identifier: MIT */
/*
 * Mappings, guards and advice refused: a take that fails says NULL and loses nothing,
 * stacks whose guard is refused come without one, and what was taken before stays good.
 */
#include "tests/test.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>

#include "fiber/stack.h"

#define SIZE ((size_t)64 << 10)
#define TAKEN 300

static long calls_left = -1; /* calls before the one to refuse; -1: refuse none */
static size_t refuse_above = SIZE_MAX; /* larger mappings are refused */
static bool refuse_mmap, refuse_madvise, refuse_mprotect;

void *__real_mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset);
int __real_madvise(void *at, size_t size, int advice);
int __real_mprotect(void *at, size_t size, int protection);
void *__wrap_mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset);
int __wrap_madvise(void *at, size_t size, int advice);
int __wrap_mprotect(void *at, size_t size, int protection);

static bool refused(bool all, int err)
{
	if (!all && (calls_left < 0 || calls_left-- > 0))
		return false;
	errno = err;
	return true;
}

void *__wrap_mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
	if (refused(refuse_mmap || size > refuse_above, ENOMEM))
		return MAP_FAILED;
	return __real_mmap(at, size, protection, flags, fd, offset);
}

int __wrap_madvise(void *at, size_t size, int advice)
{
	return refused(refuse_madvise, EINVAL) ? -1 : __real_madvise(at, size, advice);
}

int __wrap_mprotect(void *at, size_t size, int protection)
{
	return refused(refuse_mprotect, ENOMEM) ? -1
	                                        : __real_mprotect(at, size, protection);
}

static struct filch__stacks pool;
static struct filch__stack_cache cache;

static int set_up(void **state)
{
	(void)state;
	calls_left = -1;
	refuse_above = SIZE_MAX;
	refuse_mmap = refuse_madvise = refuse_mprotect = false;
	return 0;
}

/* Takes `n`, each marked at both ends, and counts the refusals. */
static size_t take(struct filch__stack **s, size_t n)
{
	size_t refusals = 0;

	for (size_t i = 0; i < n; i++) {
		while (!(s[i] = filch__stack_take(&pool, &cache)))
			assert_true(++refusals < 10);
		memcpy(s[i]->lo, &i, sizeof(i));
		memcpy(s[i]->hi - sizeof(i), &i, sizeof(i));
	}
	return refusals;
}

static void give(struct filch__stack **s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		assert_memory_equal(s[i]->lo, &i, sizeof(i));
		assert_memory_equal(s[i]->hi - sizeof(i), &i, sizeof(i));
		filch__stack_give(&pool, &cache, s[i]);
	}
	filch__stack_cache_flush(&pool, &cache);
	assert_int_equal(load_rlx(&pool.spare), pool.made);
}

/* The n-th call of any kind is refused, for every n that a run comes to. */
static void test_nth_refused(void **state)
{
	static struct filch__stack *s[TAKEN];
	bool ran_out = false;

	(void)state;
	for (long n = 0; !ran_out; n++) {
		calls_left = n;
		assert_int_equal(filch__stacks_init(&pool, SIZE), 0);
		assert_true(take(s, TAKEN) <= 1);
		give(s, TAKEN);
		filch__stacks_destroy(&pool);
		ran_out = calls_left >= 0;
		assert_true(n < 2000);
	}
}

static void test_no_mappings(void **state)
{
	static struct filch__stack *s[TAKEN];
	size_t made;

	(void)state;
	assert_int_equal(filch__stacks_init(&pool, SIZE), 0);
	take(s, 64);
	refuse_mmap = true;
	for (made = 64; made < TAKEN; made++) {
		s[made] = filch__stack_take(&pool, &cache);
		if (!s[made])
			break;
		memcpy(s[made]->lo, &made, sizeof(made));
		memcpy(s[made]->hi - sizeof(made), &made, sizeof(made));
	}
	assert_true(made < TAKEN);
	assert_null(filch__stack_take(&pool, &cache));
	assert_int_equal(pool.made, made);
	refuse_mmap = false;
	s[made] = filch__stack_take(&pool, &cache);
	assert_non_null(s[made]);
	filch__stack_give(&pool, &cache, s[made]);
	give(s, made);
	filch__stacks_destroy(&pool);
}

/* Where there is no room for a whole slab, a smaller one does. */
static void test_small_mappings(void **state)
{
	static struct filch__stack *s[TAKEN];

	(void)state;
	assert_int_equal(filch__stacks_init(&pool, SIZE), 0);
	refuse_above = 20 * SIZE;
	assert_int_equal(take(s, 100), 0);
	give(s, 100);
	filch__stacks_destroy(&pool);
}

static void test_no_markers(void **state)
{
	static struct filch__stack *s[TAKEN];

	(void)state;
	refuse_madvise = true;
	assert_int_equal(filch__stacks_init(&pool, SIZE), 0);
	assert_int_equal(load_rlx(&pool.level), FILCH__GUARD_PROTECTED); /* one thread */
	assert_int_equal(load_rlx(&pool.level_why), -EINVAL);            /* one thread */
	assert_int_equal(take(s, TAKEN), 0);
	assert_int_equal(s[0]->guard, FILCH__GUARD_PROTECTED);
	assert_int_equal(load_rlx(&pool.unguarded), 0); /* one thread */
	give(s, TAKEN);
	filch__stacks_destroy(&pool);
}

static void test_no_guards(void **state)
{
	static struct filch__stack *s[TAKEN];

	(void)state;
	refuse_madvise = refuse_mprotect = true;
	assert_int_equal(filch__stacks_init(&pool, SIZE), 0);
	assert_int_equal(take(s, TAKEN), 0);
	assert_int_equal(load_rlx(&pool.level), FILCH__GUARD_NONE); /* one thread */
	assert_int_equal(load_rlx(&pool.level_why), -ENOMEM);       /* one thread */
	assert_int_equal(load_rlx(&pool.unguarded), pool.made);     /* one thread */
	give(s, TAKEN);
	filch__stacks_destroy(&pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_nth_refused, set_up),
		cmocka_unit_test_setup(test_no_mappings, set_up),
		cmocka_unit_test_setup(test_small_mappings, set_up),
		cmocka_unit_test_setup(test_no_markers, set_up),
		cmocka_unit_test_setup(test_no_guards, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
