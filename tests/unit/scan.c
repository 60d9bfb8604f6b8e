/* SPDX-License-Identifier: MIT */
/* filch_scan and what is made of it. */
#include <errno.h>
#include <filch.h>
#include <filch/scan.h>
#include <string.h>

#include "base/atomic.h"
#include "tests/everywhere.h"

#define MOST 300000

#define FILCH_SCAN_NAME scan_i64
#define FILCH_SCAN_TYPE int64_t
#define FILCH_SCAN_PLUS(a, b) ((a) + (b))
#define FILCH_SCAN_ZERO 0
#include <filch/scan_template.h>

#define FILCH_SCAN_NAME scan_f64
#define FILCH_SCAN_TYPE double
#define FILCH_SCAN_PLUS(a, b) ((a) + (b))
#define FILCH_SCAN_ZERO 0
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
		assert_int_equal(scan_i64(in, out, n), 0);
		check(out, n, false);
		assert_int_equal(scan_i64_exclusive(in, out, n), 0);
		check(out, n, true);
		memcpy(out, in, n * sizeof *in);
		assert_int_equal(scan_i64(out, out, n), 0);
		check(out, n, false);
		memcpy(out, in, n * sizeof *in);
		assert_int_equal(scan_i64_exclusive(out, out, n), 0);
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

/* ---- elements ---- */

static void add_element(void *left, const void *right, void *context)
{
	(void)context;
	*(int64_t *)left += *(const int64_t *)right;
}

static void elements(void *context)
{
	const int64_t zero = 0;

	(void)context;
	for (size_t i = 0; i < SIZES; i++) {
		size_t n = sizes[i];

		assert_int_equal(filch_scan_inclusive(in, out, n, sizeof *in, &zero,
		                                      add_element, NULL),
		                 0);
		check(out, n, false);
		assert_int_equal(filch_scan_exclusive(in, out, n, sizeof *in, &zero,
		                                      add_element, NULL),
		                 0);
		check(out, n, true);
		memcpy(out, in, n * sizeof *in);
		assert_int_equal(filch_scan_inclusive(out, out, n, sizeof *in, &zero,
		                                      add_element, NULL),
		                 0);
		check(out, n, false);
	}
}

static void test_elements(void **state)
{
	(void)state;
	everywhere(elements, NULL);
}

/* ---- the same bits everywhere ---- */

static double fin[MOST], fout[MOST], expected[MOST];

static void same_bits(void *context)
{
	assert_int_equal(scan_f64(fin, fout, MOST), 0);
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
		cmocka_unit_test(test_typed),     cmocka_unit_test(test_elements),
		cmocka_unit_test(test_same_bits), cmocka_unit_test(test_delays),
		cmocka_unit_test(test_ends),
	};

	return cmocka_run_group_tests(tests, everywhere_begin, everywhere_end);
}
