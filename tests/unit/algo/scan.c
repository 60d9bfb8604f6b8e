/* SPDX-License-Identifier: MIT */
/* filch_scan and what is made of it. */
#include <errno.h>
#include <filch.h>
#include <filch/numbers.h>
#include <filch/scan.h>
#include <string.h>

#include "base/atomic.h"
#include "tests/everywhere.h"

#define MOST 300000

static int32_t larger(int32_t a, int32_t b)
{
	return a > b ? a : b;
}

#define FILCH_SCAN_NAME scan_largest
#define FILCH_SCAN_TYPE int32_t
#define FILCH_SCAN_PLUS larger
#define FILCH_SCAN_ZERO INT32_MIN
#include <filch/scan_template.h>

static const size_t sizes[] = {0,    1,    2,    3,     4,     5,     1023,
                               1024, 1025, 2048, 65535, 65536, 65537, MOST};
#define SIZES (sizeof sizes / sizeof *sizes)

static int64_t in[MOST], out[MOST + 1];

static void check(const int64_t *got, size_t n, bool exclusive)
{
	int64_t sum = 0;

	for (size_t i = 0; i < n; i++) {
		int64_t before = sum;

		sum += in[i];
		assert_int_equal(got[i], exclusive ? before : sum);
	}
}

static void typed(void *context)
{
	(void)context;
	for (size_t i = 0; i < SIZES; i++) {
		size_t n = sizes[i];

		out[n] = -1;
		assert_int_equal(filch_scan_i64(in, out, n), 0);
		check(out, n, false);
		assert_int_equal(filch_scan_i64_exclusive(in, out, n), 0);
		check(out, n, true);
		memcpy(out, in, n * sizeof *in);
		assert_int_equal(filch_scan_i64(out, out, n), 0);
		check(out, n, false);
		memcpy(out, in, n * sizeof *in);
		assert_int_equal(filch_scan_i64_exclusive(out, out, n), 0);
		check(out, n, true);
		assert_int_equal(out[n], -1);
	}
}

static void test_typed(void **state)
{
	struct filch__random random = filch__random_seed(test_seed());

	(void)state;
	for (size_t i = 0; i < MOST; i++)
		in[i] = (int64_t)(filch__random_next(&random) % 2000) - 1000;
	everywhere(typed, NULL);
}

/* Every type; sums of whole numbers wrap around. */
static void all_types(void *context)
{
	(void)context;
#define CHECK(suffix, type, plus)                                                     \
	{                                                                             \
		static type from[5000], to[5000];                                     \
		type sum = 0;                                                         \
                                                                                      \
		for (int i = 0; i < 5000; i++)                                        \
			from[i] = (type)(i * 400003);                                 \
		assert_int_equal(filch_scan_##suffix(from, to, 5000), 0);             \
		for (int i = 0; i < 5000; i++) {                                      \
			sum = (type)plus(sum, from[i]);                               \
			assert_true(to[i] == sum);                                    \
		}                                                                     \
		assert_int_equal(filch_scan_##suffix##_exclusive(from, to, 5000), 0); \
		assert_true(to[0] == 0 && plus(to[4999], from[4999]) == sum);         \
	}
#define PLUS_U32(a, b) ((uint32_t)(a) + (uint32_t)(b))
#define PLUS_U64(a, b) ((uint64_t)(a) + (uint64_t)(b))
#define PLUS(a, b) ((a) + (b))
	CHECK(i32, int32_t, (int32_t)PLUS_U32)
	CHECK(u32, uint32_t, PLUS_U32)
	CHECK(i64, int64_t, (int64_t)PLUS_U64)
	CHECK(u64, uint64_t, PLUS_U64)
	CHECK(f64, double, PLUS) /* whole numbers below 2^53: exact */
}

/* Another operation than a sum. */
static void largest(void *context)
{
	static int32_t to[MOST], from[MOST];
	int32_t most = INT32_MIN;

	(void)context;
	for (size_t i = 0; i < MOST; i++)
		from[i] = (int32_t)in[i];
	assert_int_equal(scan_largest(from, to, MOST), 0);
	for (size_t i = 0; i < MOST; i++) {
		most = larger(most, from[i]);
		assert_int_equal(to[i], most);
	}
	assert_int_equal(scan_largest_exclusive(from, from, MOST), 0);
	assert_int_equal(from[0], INT32_MIN);
	assert_memory_equal(from + 1, to, (MOST - 1) * sizeof *to);
}

static void test_types(void **state)
{
	(void)state;
	everywhere(all_types, NULL);
	everywhere(largest, NULL);
}

static void add_element(void *left, const void *right, void *context)
{
	(void)context;
	*(int64_t *)left += *(const int64_t *)right;
}

/* An array that is too large for the caches is written past them, up to its last element
 * and no further. */
static void large(void *context)
{
	size_t n = *(size_t *)context;
	uint32_t *from = malloc((n + 1) * sizeof *from),
		 *to = malloc((n + 1) * sizeof *to);
	uint32_t sum = 0;

	assert_true(from && to);
	for (size_t i = 0; i <= n; i++)
		from[i] = (uint32_t)(i * 2654435761u >> 7);
	to[n] = 42;
	assert_int_equal(filch_scan_u32(from, to, n), 0);
	for (size_t i = 0; i < n; i++) {
		sum += from[i];
		assert_true(to[i] == sum);
	}
	assert_int_equal(filch_scan_u32_exclusive(from + 1, to, n - 1), 0);
	sum = 0;
	for (size_t i = 0; i + 1 < n; i++) {
		assert_true(to[i] == sum);
		sum += from[i + 1];
	}
	assert_int_equal(to[n], 42);
	free(from);
	free(to);
}

static void test_large(void **state)
{
	size_t n = ((size_t)32 << 20) / sizeof(uint32_t) + 7;

	(void)state;
	in_pool(1, large, &n);
	in_pool(2, large, &n);
}

/* ---- the same bits everywhere ---- */

static double fin[MOST], fout[MOST], expected[MOST];

static void same_bits(void *context)
{
	assert_int_equal(filch_scan_f64(fin, fout, MOST), 0);
	if (*(bool *)context)
		assert_memory_equal(fout, expected, sizeof fout);
	memcpy(expected, fout, sizeof fout);
	*(bool *)context = true;
}

static void test_same_bits(void **state)
{
	bool known = false;
	double sum = 0;

	(void)state;
	for (size_t i = 0; i < MOST; i++)
		fin[i] = 1.0 / (double)(i % 1009 + 3);
	for (int i = 0; i < 5; i++)
		everywhere(same_bits, &known);
	for (size_t i = 0; i < MOST; i++) {
		sum += fin[i];
		assert_true(expected[i] > sum * 0.999999 && expected[i] < sum * 1.000001);
	}
}

/* ---- pieces that are left by who adds them up ---- */

struct delayed {
	size_t grain;
	unsigned every; /* of so many pieces one waits */
	_Atomic(size_t) left;
};

static int delay(size_t begin, size_t end, const void *before, void *sum, void *context)
{
	struct delayed *d = context;
	int64_t s = *(int64_t *)sum;

	if (d->every && begin / d->grain % d->every == 0)
		filch_sleep(FILCH_MS);
	if (!before)
		add_rlx(&d->left, 1);
	for (size_t i = begin; i < end; i++) {
		s += in[i];
		if (before)
			out[i] = *(const int64_t *)before + s;
	}
	*(int64_t *)sum = s;
	return 0;
}

static void delays(void *context)
{
	for (unsigned every = 0; every < 20; every += 3) {
		struct delayed d = {.grain = 10, .every = every};
		int64_t sum = 0, expect = 0;

		memset(out, 0, sizeof out);
		assert_int_equal(filch_scan_grain(0, 1000, d.grain, &sum, sizeof sum,
		                                  delay, add_element, &d),
		                 0);
		check(out, 1000, false);
		for (int i = 0; i < 1000; i++)
			expect += in[i];
		assert_int_equal(sum, expect);
		if (every)
			add_rlx((_Atomic(size_t) *)context, load_rlx(&d.left));
	}
}

static void test_delays(void **state)
{
	_Atomic(size_t) left = 0;

	(void)state;
	everywhere(delays, &left);
	assert_true(left > 0); /* blocks were added up before all before was known */
}

/* ---- ends ---- */

static int fail_at(size_t begin, size_t end, const void *before, void *sum, void *context)
{
	size_t at = *(size_t *)context;

	(void)before;
	(void)sum;
	return begin <= at && at < end ? 9 : 0;
}

static void failing(void *context)
{
	int64_t sum = 42;

	(void)context;
	for (size_t at = 0; at < MOST; at = at * 11 + 4) {
		assert_int_equal(
			filch_scan(0, MOST, &sum, sizeof sum, fail_at, add_element, &at),
			9);
		assert_int_equal(filch_scan_grain(0, MOST, 100, &sum, sizeof sum, fail_at,
		                                  add_element, &at),
		                 9);
	}
	assert_int_equal(sum, 42);
}

static void cancelled(void *context)
{
	int64_t sum = 42;

	(void)context;
	assert_int_equal(filch_scan(0, MOST, &sum, sizeof sum, delay, add_element, NULL),
	                 -ECANCELED);
	assert_int_equal(sum, 42);
}

static void test_ends(void **state)
{
	(void)state;
	everywhere(failing, NULL);
	everywhere_cancelled(cancelled, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_typed),  cmocka_unit_test(test_types),
		cmocka_unit_test(test_large),  cmocka_unit_test(test_same_bits),
		cmocka_unit_test(test_delays), cmocka_unit_test(test_ends),
	};

	return cmocka_run_group_tests(tests, everywhere_begin, everywhere_end);
}
