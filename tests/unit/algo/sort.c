/* SPDX-License-Identifier: MIT */
/* filch_sort() and filch_stable_sort(): sizes, elements, inputs, foolish comparisons. */
#include <filch.h>
#include <filch/sort.h>
#include <string.h>

#include "base/atomic.h"
#include "tests/sort_inputs.h"

typedef void sort_fn(void *base, size_t n, size_t size,
                     int (*compare)(const void *a, const void *b, void *context),
                     void *context);
typedef int compare_fn(const void *a, const void *b, void *context);

static struct filch_pool *pools[3];
static const unsigned workers[] = {1, 2, 8};
static _Atomic(bool) misaligned;

struct job {
	sort_fn *sort;
	void *base;
	size_t n, size;
	compare_fn *compare;
	void *context;
};

FILCH_STATIC_TASK_VOID(run, (struct job *, j))
{
	j->sort(j->base, j->n, j->size, j->compare, j->context);
}

/* ---- elements: a key, where they stood, and more that belongs to it ---- */

static uint32_t key_of(const unsigned char *e, size_t size)
{
	uint32_t key = 0;

	memcpy(&key, e, size < 4 ? size : 4);
	return key;
}

/* The part of an index that an element of this size has room for. */
static uint32_t index_of(const unsigned char *e, size_t size)
{
	uint32_t index = 0;

	if (size >= 8)
		memcpy(&index, e + 4, 4);
	return index;
}

static void make(unsigned char *a, size_t n, size_t size, enum input input)
{
	struct filch__random r = filch__random_seed(test_seed());

	for (size_t i = 0; i < n; i++, a += size) {
		uint32_t key = input_key(input, i, n, &r), index = (uint32_t)i;

		memset(a, (int)(key % 251), size);
		memcpy(a, &key, size < 4 ? size : 4);
		if (size >= 8) {
			memset(a, (int)(index % 251), size);
			memcpy(a, &key, 4);
			memcpy(a + 4, &index, 4);
		}
	}
}

static int by_key(const void *a, const void *b, void *context)
{
	size_t size = *(size_t *)context, align = size & -size;
	uint32_t x = key_of(a, size), y = key_of(b, size);

	align = align > 16 ? 16 : align;
	if (((uintptr_t)a | (uintptr_t)b) & (align - 1))
		store_rlx(&misaligned, true); /* looked at after the sort */
	return (x > y) - (x < y);
}

static int by_key_and_index(const void *a, const void *b, void *context)
{
	size_t size = *(size_t *)context;
	uint32_t x = index_of(a, size), y = index_of(b, size);
	int c = by_key(a, b, context);

	return c ? c : (x > y) - (x < y);
}

/* ---- the array is between two others that nobody may write to ---- */

enum { GUARD = 256 };

static unsigned char *guarded(size_t bytes)
{
	unsigned char *a = malloc(bytes + 2 * GUARD);

	assert_non_null(a);
	memset(a, 0xa5, GUARD);
	memset(a + GUARD + bytes, 0x5a, GUARD);
	return a + GUARD;
}

static void free_guarded(unsigned char *a, size_t bytes)
{
	for (size_t i = 0; i < GUARD; i++) {
		assert_int_equal(a[i - GUARD], 0xa5);
		assert_int_equal(a[bytes + i], 0x5a);
	}
	free(a - GUARD);
}

/* Sorts such an array; by a pool if there is one. */
static void sorts(struct filch_pool *pool, sort_fn *sort, size_t n, size_t size,
                  enum input input)
{
	unsigned char *a = guarded(n * size), *want = guarded(n * size);
	struct job j = {sort, a, n, size, by_key, &size};

	make(a, n, size, input);
	if (n)
		memcpy(want, a, n * size);
	qsort_r(want, n, size, by_key_and_index, &size);
	if (pool)
		FILCH_RUN_ON(pool, run, &j);
	else
		sort(a, n, size, by_key, &size);
	for (size_t i = 1; i < n; i++)
		assert_true(by_key(a + (i - 1) * size, a + i * size, &size) <= 0);
	if (sort == filch_sort)
		qsort_r(a, n, size, by_key_and_index, &size);
	assert_memory_equal(a, want, n * size);
	assert_false(load_rlx(&misaligned)); /* the sort is done */
	free_guarded(a, n * size);
	free_guarded(want, n * size);
}

static const size_t element_sizes[] = {1, 2, 3, 4, 5, 8, 12, 16, 20, 24, 32, 40, 64, 200};
#define ELEMENT_SIZES (sizeof element_sizes / sizeof *element_sizes)

static void test_sizes(void **state)
{
	(void)state;
	for (int input = 0; input < INPUTS; input++)
		for (size_t n = 0, i = 0;; n = next_size(n), i++) {
			sorts(NULL, filch_sort, n, element_sizes[i % ELEMENT_SIZES],
			      (enum input)input);
			sorts(pools[i % 3], filch_stable_sort, n,
			      element_sizes[i % ELEMENT_SIZES], (enum input)input);
			if (n && !next_size(n))
				break;
		}
}

static void test_elements(void **state)
{
	static const size_t sizes[] = {0, 1, 2, 3, 31, 32, 33, 100, 1000, 3000};

	(void)state;
	for (size_t e = 0; e < ELEMENT_SIZES; e++)
		for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
			sorts(NULL, filch_stable_sort, sizes[i], element_sizes[e], FEW);
			sorts(pools[i % 3], filch_sort, sizes[i], element_sizes[e],
			      RANDOM);
			sorts(pools[i % 3], filch_stable_sort, sizes[i], element_sizes[e],
			      RUNS);
		}
}

static void test_workers(void **state)
{
	(void)state;
	for (int p = 0; p < 3; p++)
		for (int input = 0; input < INPUTS; input++) {
			sorts(pools[p], filch_stable_sort, 10000, 8, (enum input)input);
			sorts(pools[p], filch_stable_sort, 3000, 40, (enum input)input);
		}
}

static void test_large(void **state)
{
	(void)state;
	sorts(NULL, filch_sort, test_scaled(100000), 5, RANDOM);
	sorts(NULL, filch_sort, test_scaled(300000), 8, RANDOM);
	sorts(NULL, filch_stable_sort, test_scaled(300000), 16, NEARLY);
	sorts(NULL, filch_stable_sort, test_scaled(100000), 40, ORGAN_PIPE);
}

/* ---- how many comparisons ---- */

static _Atomic(size_t) compared;

static int counting(const void *a, const void *b, void *context)
{
	add_rlx(&compared, 1); /* counted */
	return by_key(a, b, context);
}

static size_t comparisons(size_t n, size_t size, enum input input)
{
	unsigned char *a = guarded(n * size);

	make(a, n, size, input);
	store_rlx(&compared, 0); /* nobody else is there */
	filch_sort(a, n, size, counting, &size);
	free_guarded(a, n * size);
	return load_rlx(&compared); /* all done */
}

static void test_comparisons(void **state)
{
	const size_t n = 1 << 15;

	(void)state;
	assert_in_range(comparisons(n, 8, RANDOM), 13 * n, 15 * n);
	assert_in_range(comparisons(n, 8, FEW), 1, 15 * n);
	assert_in_range(comparisons(n, 8, SORTED), n - 1, n);
	assert_in_range(comparisons(n, 8, EQUAL), n - 1, n);
	assert_in_range(comparisons(n, 40, REVERSED), n - 1, n + 1);
	assert_in_range(comparisons(n, 8, ORGAN_PIPE), n, 4 * n);
}

/* ---- McIlroy's adversary: decides what is greater as late as it can ---- */

static int gas, solid, candidate, value[4096];
static size_t asked;

/* Several tasks call it, one after the other on a single worker: ThreadSanitizer, which
 * takes tasks for parallel all the same, is not to look. */
__attribute__((no_sanitize("thread"))) static int adversary(const void *a, const void *b, void *context)
{
	int x = *(const int *)a, y = *(const int *)b;

	(void)context;
	asked++;
	if (value[x] == gas && value[y] == gas)
		value[x == candidate ? x : y] = solid++;
	if (value[x] == gas)
		candidate = x;
	else if (value[y] == gas)
		candidate = y;
	return value[x] - value[y];
}

static void test_adversary(void **state)
{
	static int a[4096];
	const int n = 4096;
	struct job j = {filch_sort, a, (size_t)n, sizeof *a, adversary, NULL};

	(void)state;
	gas = n;
	for (int i = 0; i < n; i++) {
		a[i] = i;
		value[i] = gas;
	}
	/* Neither sorted nor reversed: else it would find that out, and be done. */
	value[0] = 1;
	value[1] = 0;
	value[2] = 2;
	solid = 3;
	FILCH_RUN_ON(pools[0], run, &j); /* one at a time: it remembers what it said */
	assert_in_range(asked, 1, (size_t)n * 13);
	for (int i = 1; i < n; i++)
		assert_true(value[a[i - 1]] <= value[a[i]]);
}

/* ---- comparisons that contradict themselves ---- */

static _Atomic(uint64_t) dice = 1;

static int at_random(const void *a, const void *b, void *context)
{
	uint64_t x = add_rlx(&dice, 0x9e3779b97f4a7c15u); /* any number will do */

	(void)a;
	(void)b;
	(void)context;
	return (int)((x ^ x >> 32) * 0x2545f491u >> 13) % 3 - 1;
}

static int always_less(const void *a, const void *b, void *context)
{
	(void)a;
	(void)b;
	(void)context;
	return -1;
}

static int always_greater(const void *a, const void *b, void *context)
{
	(void)a;
	(void)b;
	(void)context;
	return 1;
}

static int scissors(const void *a, const void *b, void *context)
{
	size_t size = *(size_t *)context;

	return (int)((key_of(a, size) % 3 + 3 - key_of(b, size) % 3) % 3 + 1) % 3 - 1;
}

static void survives(struct filch_pool *pool, sort_fn *sort, compare_fn *compare,
                     size_t n, size_t size)
{
	unsigned char *a = guarded(n * size), *want = guarded(n * size);
	struct job j = {sort, a, n, size, compare, &size};

	make(a, n, size, RANDOM);
	if (n)
		memcpy(want, a, n * size);
	qsort_r(want, n, size, by_key_and_index, &size);
	if (pool)
		FILCH_RUN_ON(pool, run, &j);
	else
		sort(a, n, size, compare, &size);
	qsort_r(a, n, size, by_key_and_index, &size);
	assert_memory_equal(a, want, n * size);
	free_guarded(a, n * size);
	free_guarded(want, n * size);
}

static void test_contradictions(void **state)
{
	static compare_fn *const foolish[] = {at_random, always_less, always_greater,
	                                      scissors};

	(void)state;
	for (int f = 0; f < 4; f++)
		for (size_t n = 0, i = 0;; n = next_size(n), i++) {
			size_t size = element_sizes[i % ELEMENT_SIZES];

			survives(NULL, filch_sort, foolish[f], n, size);
			survives(pools[i % 3], filch_stable_sort, foolish[f], n, 8);
			if (n && !next_size(n))
				break;
		}
}

/* ---- comparisons that do more than that ---- */

static int with_yield(const void *a, const void *b, void *context)
{
	filch_yield();
	return by_key(a, b, context);
}

static int with_sleep(const void *a, const void *b, void *context)
{
	filch_sleep(1000);
	return by_key(a, b, context);
}

/* Sorts two keys to find out which is less. */
static int with_sort(const void *a, const void *b, void *context)
{
	size_t size = sizeof(uint32_t), of = *(size_t *)context;
	uint32_t pair[] = {key_of(a, of), key_of(b, of)};

	if (pair[0] == pair[1])
		return 0;
	filch_sort(pair, 2, sizeof *pair, by_key, &size);
	return pair[0] == key_of(a, of) ? -1 : 1;
}

static void test_busy_comparisons(void **state)
{
	static compare_fn *const busy[] = {with_yield, with_sleep, with_sort};
	size_t size = 8;

	(void)state;
	for (int f = 0; f < 3; f++)
		for (int p = 0; p < 3; p++) {
			size_t n = busy[f] == with_sleep ? 300 : 3000;
			unsigned char *a = guarded(n * size);
			struct job j = {filch_stable_sort, a, n, size, busy[f], &size};

			make(a, n, size, FEW);
			FILCH_RUN_ON(pools[p], run, &j);
			for (size_t i = 1; i < n; i++)
				assert_true(by_key_and_index(a + (i - 1) * size,
				                             a + i * size, &size) < 0);
			free_guarded(a, n * size);
		}
}

/* ---- in a task whose group is cancelled: half sorted is no use to anybody ---- */

FILCH_STATIC_TASK_VOID(cancel_and_sort, (struct filch_group *, g), (struct job *, j))
{
	filch_group_cancel(g);
	run(j);
}

FILCH_STATIC_TASK_VOID(cancelled, (struct job *, j))
{
	struct filch_group g;

	filch_group_begin(&g);
	FILCH_GROUP_SPAWN(&g, cancel_and_sort, &g, j);
	filch_group_wait(&g);
}

static void test_cancelled(void **state)
{
	(void)state;
	for (size_t size = 8; size <= 40; size += 32) {
		const size_t n = 20000;
		unsigned char *a = guarded(n * size);
		struct job j = {filch_stable_sort, a, n, size, by_key, &size};

		make(a, n, size, RANDOM);
		FILCH_RUN_ON(pools[1], cancelled, &j);
		for (size_t i = 1; i < n; i++)
			assert_true(by_key_and_index(a + (i - 1) * size, a + i * size,
			                             &size) < 0);
		free_guarded(a, n * size);
	}
}

static int begin(void **state)
{
	(void)state;
	for (int i = 0; i < 3; i++) {
		struct filch_pool_options o = {.workers = workers[i]};

		if (filch_pool_create(&pools[i], &o, NULL))
			return -1;
	}
	return 0;
}

static int end(void **state)
{
	(void)state;
	for (int i = 0; i < 3; i++)
		if (filch_pool_destroy(pools[i]))
			return -1;
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_elements),
		cmocka_unit_test(test_workers),
		cmocka_unit_test(test_large),
		cmocka_unit_test(test_comparisons),
		cmocka_unit_test(test_adversary),
		cmocka_unit_test(test_contradictions),
		cmocka_unit_test(test_busy_comparisons),
		cmocka_unit_test(test_cancelled),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
