/* SPDX-License-Identifier: MIT */
/* The functions of filch/numbers.h, and those that filch/sort_template.h makes. */
#include <filch.h>
#include <filch/numbers.h>
#include <math.h>
#include <string.h>

#include "base/atomic.h"
#include "tests/sort_inputs.h"

static struct filch_pool *pools[3];
static const unsigned workers[] = {1, 2, 8};

typedef void call_fn(void *a, size_t n);

FILCH_STATIC_TASK_VOID(run, (call_fn *, f), (void *, a), (size_t, n))
{
	f(a, n);
}

static void call(struct filch_pool *pool, call_fn *f, void *a, size_t n)
{
	if (pool)
		FILCH_RUN_ON(pool, run, f, a, n);
	else
		f(a, n);
}

enum {
	GUARD = 32,
	LARGE = FILCH__SORT_CUT + 1000 /* partitioned by several */
};

/* ---- numbers: as they are, and as qsort() sorts them ---- */

#define NUMBERS(suffix, type)                                                         \
	static int compare_##suffix(const void *a, const void *b)                     \
	{                                                                             \
		type x = *(const type *)a, y = *(const type *)b;                      \
                                                                                      \
		return (x > y) - (x < y);                                             \
	}                                                                             \
	static void sort_##suffix(void *a, size_t n)                                  \
	{                                                                             \
		filch_sort_##suffix(a, n);                                            \
	}                                                                             \
	static void stable_sort_##suffix(void *a, size_t n)                           \
	{                                                                             \
		filch_stable_sort_##suffix(a, n);                                     \
	}                                                                             \
	static void sorts_##suffix(struct filch_pool *pool, call_fn *f, size_t n,     \
	                           enum input input)                                  \
	{                                                                             \
		struct filch__random r = filch__random_seed(test_seed() + n);         \
		type *a = malloc((n + 2 * GUARD) * sizeof *a), *want;                 \
                                                                                      \
		want = malloc((n + 1) * sizeof *want);                                \
		assert_true(a &&want);                                                \
		memset(a, 0xa5, (n + 2 * GUARD) * sizeof *a);                         \
		for (size_t i = 0; i < n; i++) /* of both signs, and large */         \
			a[GUARD + i] = want[i] =                                      \
				(type)((int64_t)input_key(input, i, n, &r) - 1000) *  \
				(type)100003;                                         \
		qsort(want, n, sizeof *want, compare_##suffix);                       \
		call(pool, f, a + GUARD, n);                                          \
		assert_memory_equal(a + GUARD, want, n * sizeof *a);                  \
		memset(want, 0xa5, sizeof *a);                                        \
		for (size_t i = 0; i < GUARD; i++) {                                  \
			assert_memory_equal(a + i, want, sizeof *a);                  \
			assert_memory_equal(a + GUARD + n + i, want, sizeof *a);      \
		}                                                                     \
		free(a);                                                              \
		free(want);                                                           \
	}                                                                             \
	static void numbers_##suffix(void **state)                                    \
	{                                                                             \
		(void)state;                                                          \
		for (int input = 0; input < INPUTS; input++)                          \
			for (size_t n = 0, i = 0;; n = next_size(n), i++) {           \
				sorts_##suffix(NULL, sort_##suffix, n,                \
				               (enum input)input);                    \
				sorts_##suffix(pools[i % 3], stable_sort_##suffix, n, \
				               (enum input)input);                    \
				if (n && !next_size(n))                               \
					break;                                        \
			}                                                             \
		sorts_##suffix(NULL, sort_##suffix, LARGE, RANDOM);                   \
		sorts_##suffix(pools[1], stable_sort_##suffix, LARGE, FEW);           \
	}

/* i32 times 100003 overflows on purpose only where it may. */
#define input_key(input, i, n, r) (input_key(input, i, n, r) % 20000)
FILCH_NUMBERS(NUMBERS)
#undef input_key

/* ---- doubles that are not like the others ---- */

static uint64_t bits_of(double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof bits);
	return bits;
}

static double of_bits(uint64_t bits)
{
	double x;

	memcpy(&x, &bits, sizeof x);
	return x;
}

static int rank_of(double x)
{
	return isnan(x) ? 5 : x == 0 ? 2 : x < 0 ? 1 : 3;
}

/* NaNs of either sign with numbers in them, zeros of either sign, infinities. */
static double special(uint64_t i, struct filch__random *r)
{
	switch (filch__random_below(r, 6)) {
	case 0:
		return of_bits(0x7ff8000000000000u + i);
	case 1:
		return of_bits(0xfff8000000000000u + i);
	case 2:
		return 0.0;
	case 3:
		return -0.0;
	case 4:
		return INFINITY;
	default:
		return -INFINITY;
	}
}

static int by_bits(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(double));
}

static void specials_sorted(struct filch_pool *pool, size_t n, bool stable)
{
	struct filch__random r = filch__random_seed(test_seed() + n);
	double *a = malloc(n * sizeof *a), *was = malloc(n * sizeof *a);
	size_t k = 0;

	assert_true(a && was);
	for (size_t i = 0; i < n; i++)
		a[i] = was[i] = special(i, &r);
	call(pool, stable ? stable_sort_f64 : sort_f64, a, n);
	for (size_t i = 1; i < n; i++)
		assert_true(rank_of(a[i - 1]) <= rank_of(a[i]));
	/* Of each rank, the same in the same order. */
	for (int rank = 1; stable && rank <= 5; rank++)
		for (size_t i = 0; i < n; i++)
			if (rank_of(was[i]) == rank)
				assert_int_equal(bits_of(a[k++]), bits_of(was[i]));
	qsort(a, n, sizeof *a, by_bits);
	qsort(was, n, sizeof *was, by_bits);
	assert_memory_equal(a, was, n * sizeof *a);
	free(a);
	free(was);
}

static void test_special_doubles(void **state)
{
	(void)state;
	for (size_t n = 1; n; n = next_size(n)) {
		specials_sorted(NULL, n, false);
		specials_sorted(pools[n % 3], n, true);
	}
	specials_sorted(NULL, test_scaled(100000), false);
}

static void test_special_floats(void **state)
{
	float a[] = {NAN, 1, -INFINITY, -NAN, 0, INFINITY, -1};
	const float want[] = {-INFINITY, -1, 0, 1, INFINITY};

	(void)state;
	filch_sort_f32(a, 7);
	assert_memory_equal(a, want, sizeof want);
	assert_true(isnan(a[5]) && isnan(a[6]));
}

/* ---- structures ---- */

struct pair {
	int64_t key, index;
};

static _Atomic(size_t) compared;

static inline bool before(const struct pair *a, const struct pair *b)
{
	return a->key < b->key;
}

#define FILCH_SORT_NAME sort_pairs
#define FILCH_SORT_STABLE_NAME stable_sort_pairs
#define FILCH_SORT_TYPE struct pair
#define FILCH_SORT_LESS before
#include <filch/sort_template.h>

struct wide {
	int32_t key, index;
	char more[52];
};

static inline bool wide_before(const struct wide *a, const struct wide *b)
{
	add_rlx(&compared, 1); /* counted */
	return a->key < b->key;
}

#define FILCH_SORT_NAME sort_wide
#define FILCH_SORT_STABLE_NAME stable_sort_wide
#define FILCH_SORT_TYPE struct wide
#define FILCH_SORT_LESS(a, b) wide_before(a, b)
#include <filch/sort_template.h>

struct apart {
	_Alignas(64) int32_t key;
	int32_t index;
};

static _Atomic(bool) misaligned;

static inline bool apart_before(const struct apart *a, const struct apart *b)
{
	if (((uintptr_t)a | (uintptr_t)b) & 63)
		store_rlx(&misaligned, true); /* looked at after the sort */
	return a->key < b->key;
}

#define FILCH_SORT_NAME sort_apart
#define FILCH_SORT_STABLE_NAME stable_sort_apart
#define FILCH_SORT_TYPE struct apart
#define FILCH_SORT_LESS apart_before
#include <filch/sort_template.h>

/* In the order of keys, each once; if stable, equal ones by their indices. */
#define STRUCTURES(type)                                                               \
	static void type##_sort(void *a, size_t n)                                     \
	{                                                                              \
		sort_##type(a, n);                                                     \
	}                                                                              \
	static void type##_stable_sort(void *a, size_t n)                              \
	{                                                                              \
		stable_sort_##type(a, n);                                              \
	}                                                                              \
	static void type##_sorted(struct filch_pool *pool, size_t n, enum input input, \
	                          bool stable)                                         \
	{                                                                              \
		struct filch__random r = filch__random_seed(test_seed() + n);          \
		STRUCT_##type *a =                                                     \
			aligned_alloc(64, ((n + 1) * sizeof *a + 63) / 64 * 64);       \
		bool *seen = calloc(n + 1, 1);                                         \
                                                                                       \
		assert_true(a &&seen);                                                 \
		for (size_t i = 0; i < n; i++) {                                       \
			a[i].key = (int32_t)input_key(input, i, n, &r);                \
			a[i].index = (int32_t)i;                                       \
		}                                                                      \
		call(pool, stable ? type##_stable_sort : type##_sort, a, n);           \
		for (size_t i = 0; i < n; i++) {                                       \
			assert_in_range(a[i].index, 0, n - 1);                         \
			assert_false(seen[a[i].index]);                                \
			seen[a[i].index] = true;                                       \
			assert_true(!i || a[i - 1].key < a[i].key ||                   \
			            (a[i - 1].key == a[i].key &&                       \
			             (!stable || a[i - 1].index < a[i].index)));       \
		}                                                                      \
		free(a);                                                               \
		free(seen);                                                            \
	}                                                                              \
	static void test_##type(void **state)                                          \
	{                                                                              \
		(void)state;                                                           \
		for (int input = 0; input < INPUTS; input++)                           \
			for (size_t n = 0, i = 0;; n = next_size(n), i++) {            \
				type##_sorted(NULL, n, (enum input)input, i % 2);      \
				type##_sorted(pools[i % 3], n, (enum input)input,      \
				              !(i % 2));                               \
				if (n && !next_size(n))                                \
					break;                                         \
			}                                                              \
	}

#define STRUCT_pairs struct pair
#define STRUCT_wide struct wide
#define STRUCT_apart struct apart
STRUCTURES(pairs)
STRUCTURES(wide)
STRUCTURES(apart)

static void test_alignment(void **state)
{
	test_apart(state);
	assert_false(load_rlx(&misaligned)); /* all done */
}

/* The same to the last byte, however many work on it: also where elements are equal. */
static void test_workers(void **state)
{
	const size_t n = LARGE;
	struct pair *a[3];

	(void)state;
	for (int p = 0; p < 3; p++) {
		struct filch__random r = filch__random_seed(test_seed());

		a[p] = malloc(n * sizeof **a);
		assert_non_null(a[p]);
		for (size_t i = 0; i < n; i++)
			a[p][i] = (struct pair){(int64_t)filch__random_below(&r, 1000),
			                        (int64_t)i};
		call(pools[p], pairs_sort, a[p], n);
		assert_memory_equal(a[p], a[0], n * sizeof **a);
	}
	for (int p = 0; p < 3; p++)
		free(a[p]);
}

/* ---- an order with a context ---- */

#define FILCH_SORT_NAME sort_by_weight
#define FILCH_SORT_STABLE_NAME stable_sort_by_weight
#define FILCH_SORT_TYPE uint32_t
#define FILCH_SORT_CONTEXT const double *
#define FILCH_SORT_LESS(a, b, weight) (weight[*(a)] > weight[*(b)])
#include <filch/sort_template.h>

static void test_context(void **state)
{
	enum { N = 20000 };
	static uint32_t a[N];
	static double weight[N];

	(void)state;
	for (uint32_t i = 0; i < N; i++) {
		a[i] = i;
		weight[i] = i * 2654435761u % 1000;
	}
	sort_by_weight(a, N, weight);
	for (size_t i = 1; i < N; i++)
		assert_true(weight[a[i - 1]] >= weight[a[i]]);
	filch_sort_u32(a, N);
	stable_sort_by_weight(a, N, weight);
	for (size_t i = 1; i < N; i++)
		assert_true(weight[a[i - 1]] > weight[a[i]] ||
		            (weight[a[i - 1]] == weight[a[i]] && a[i - 1] < a[i]));
}

/* ---- how many comparisons ---- */

static size_t comparisons(enum input input, size_t n)
{
	store_rlx(&compared, 0); /* nobody else is there */
	wide_sorted(NULL, n, input, false);
	return load_rlx(&compared); /* all done */
}

static void test_comparisons(void **state)
{
	const size_t n = 8000;

	(void)state;
	assert_in_range(comparisons(SORTED, n), n - 1, n);
	assert_in_range(comparisons(EQUAL, n), n - 1, n);
	assert_in_range(comparisons(REVERSED, n), n - 1, n + 1);
	assert_in_range(comparisons(FEW, n), n, 10 * n);
	assert_in_range(comparisons(RANDOM, n), 10 * n, 20 * n);
	assert_in_range(comparisons(ORGAN_PIPE, n), n, 20 * n);
}

/* ---- McIlroy's adversary: decides what is greater as late as it can ---- */

enum { MANY = 8000 };
static int gas = MANY, solid, candidate, value[MANY];
static size_t asked;

static bool adversary(const int *a, const int *b)
{
	asked++;
	if (value[*a] == gas && value[*b] == gas)
		value[*a == candidate ? *a : *b] = solid++;
	if (value[*a] == gas)
		candidate = *a;
	else if (value[*b] == gas)
		candidate = *b;
	return value[*a] < value[*b];
}

#define FILCH_SORT_NAME sort_against
#define FILCH_SORT_STABLE_NAME stable_sort_against
#define FILCH_SORT_TYPE int
#define FILCH_SORT_LESS adversary
#include <filch/sort_template.h>

static void against(void (*sort)(int *a, size_t n), size_t most)
{
	static int a[MANY];

	for (int i = 0; i < MANY; i++) {
		a[i] = i;
		value[i] = gas;
	}
	/* Neither sorted nor reversed: else it would find that out, and be done. */
	value[0] = 1;
	value[1] = 0;
	value[2] = 2;
	solid = 3;
	candidate = 0;
	asked = 0;
	sort(a, MANY);
	assert_in_range(asked, 1, most);
	for (int i = 1; i < MANY; i++)
		assert_true(value[a[i - 1]] <= value[a[i]]);
	/* The values that it has chosen are a bad input as well. */
	for (int i = 0; i < MANY; i++)
		a[i] = i;
	asked = 0;
	sort(a, MANY);
	assert_in_range(asked, 1, most);
}

static void test_adversary(void **state)
{
	(void)state;
	against(sort_against, MANY * 13 * 6);
	against(stable_sort_against, MANY * 14);
}

/* ---- orders that contradict themselves ---- */

static _Atomic(uint64_t) dice = 1;

static inline bool at_random(void)
{
	uint64_t x = add_rlx(&dice, 0x9e3779b97f4a7c15u); /* any number will do */

	return (x ^ x >> 32) * 0x2545f491u >> 13 & 1;
}

#define FOOLISH(X) X(dice) X(always) X(never) X(scissors)

#define FILCH_SORT_NAME sort_dice
#define FILCH_SORT_STABLE_NAME stable_sort_dice
#define FILCH_SORT_TYPE uint32_t
#define FILCH_SORT_LESS(a, b) at_random()
#include <filch/sort_template.h>

#define FILCH_SORT_NAME sort_always
#define FILCH_SORT_STABLE_NAME stable_sort_always
#define FILCH_SORT_TYPE uint32_t
#define FILCH_SORT_LESS(a, b) true
#include <filch/sort_template.h>

#define FILCH_SORT_NAME sort_never
#define FILCH_SORT_STABLE_NAME stable_sort_never
#define FILCH_SORT_TYPE uint32_t
#define FILCH_SORT_LESS(a, b) false
#include <filch/sort_template.h>

#define FILCH_SORT_NAME sort_scissors
#define FILCH_SORT_STABLE_NAME stable_sort_scissors
#define FILCH_SORT_TYPE uint32_t
#define FILCH_SORT_LESS(a, b) ((*(a) + 1) % 3 == *(b) % 3)
#include <filch/sort_template.h>

#define CALLS(order)                                  \
	static void order##_sort(void *a, size_t n)   \
	{                                             \
		sort_##order(a, n);                   \
	}                                             \
	static void order##_stable(void *a, size_t n) \
	{                                             \
		stable_sort_##order(a, n);            \
	}
FOOLISH(CALLS)

static void survives(struct filch_pool *pool, call_fn *f, size_t n)
{
	struct filch__random r = filch__random_seed(test_seed() + n);
	uint32_t *a = malloc((n + 2 * GUARD) * sizeof *a);
	uint32_t *was = malloc((n + 2 * GUARD) * sizeof *a);

	assert_true(a && was);
	for (size_t i = 0; i < n + 2 * GUARD; i++)
		a[i] = was[i] = (uint32_t)filch__random_next(&r);
	call(pool, f, a + GUARD, n);
	qsort(a + GUARD, n, sizeof *a, compare_u32);
	qsort(was + GUARD, n, sizeof *a, compare_u32);
	assert_memory_equal(a, was, (n + 2 * GUARD) * sizeof *a);
	free(a);
	free(was);
}

static void test_contradictions(void **state)
{
#define CALL(order) order##_sort, order##_stable,
	static call_fn *const foolish[] = {FOOLISH(CALL)};

	(void)state;
	for (size_t f = 0; f < sizeof foolish / sizeof *foolish; f++) {
		for (size_t n = 1; n; n = next_size(n)) {
			survives(NULL, foolish[f], n);
			survives(pools[n % 3], foolish[f], n);
		}
		survives(pools[1], foolish[f], LARGE);
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
#define TEST(suffix, type) cmocka_unit_test(numbers_##suffix),
	const struct CMUnitTest tests[] = {
		FILCH_NUMBERS(TEST) /* each type */
		cmocka_unit_test(test_special_doubles),
		cmocka_unit_test(test_special_floats),
		cmocka_unit_test(test_pairs),
		cmocka_unit_test(test_wide),
		cmocka_unit_test(test_alignment),
		cmocka_unit_test(test_workers),
		cmocka_unit_test(test_context),
		cmocka_unit_test(test_comparisons),
		cmocka_unit_test(test_adversary),
		cmocka_unit_test(test_contradictions),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
