/* SPDX-License-Identifier: MIT */
/* Counts are those of a plain loop, added to what was there: few bins, many bins, more
 * than elements; bodies that wait, fail, count. */
#include <filch/histogram.h>
#include <string.h>

#include "tests/everywhere.h"
#include "tests/together.h"

static const size_t sizes[] = {0, 1, 2, 3, 63, 64, 65, 1000, 8191, 8192, 8193, 100000};

#define SIZES (sizeof sizes / sizeof *sizes)

enum how { PLAIN, SLEEPS, YIELDS, NESTS, FAILS, HOWS };

struct histogram {
	size_t n, bins;
	enum how how;
	uint64_t *count, *want;
};

static size_t bin(const struct histogram *h, size_t i)
{
	return i * 2654435761u % h->bins;
}

static int one(size_t begin, size_t end, uint64_t *count, void *context)
{
	(void)context;
	*count += end - begin;
	return 0;
}

static int body(size_t begin, size_t end, uint64_t *count, void *context)
{
	struct histogram *h = context;

	CHECK(begin < end && end <= h->n + 3);
	if (h->how == SLEEPS && begin * 7 / h->n % 3 == 0)
		filch_sleep(50 * FILCH_US);
	if (h->how == YIELDS)
		filch_yield();
	if (h->how == NESTS) {
		uint64_t inner = 0;

		CHECK(filch_histogram(0, 100, &inner, 1, one, NULL) == 0);
		CHECK(inner == 100);
	}
	for (size_t i = begin; i < end; i++)
		count[bin(h, i)]++;
	return h->how == FAILS && end > h->n ? 5 : 0;
}

static void run(void *arg)
{
	struct histogram *h = arg;

	for (size_t i = 0; i < h->bins; i++)
		h->count[i] = h->want[i] = i;
	for (size_t i = 3; i < h->n + 3; i++)
		h->want[bin(h, i)]++;
	CHECK(filch_histogram(3, h->n + 3, h->count, h->bins, body, h) ==
	      (h->how == FAILS && h->n ? 5 : 0));
	if (h->how == FAILS) { /* a part */
		for (size_t i = 0; i < h->bins; i++)
			CHECK(h->count[i] >= i && h->count[i] <= h->want[i]);
		return;
	}
	CHECK(!memcmp(h->count, h->want, h->bins * sizeof *h->count));
}

static struct histogram histogram_of(size_t bins)
{
	struct histogram h = {.count = malloc(bins * sizeof *h.count),
	                      .want = malloc(bins * sizeof *h.want)};

	assert_non_null(h.count);
	assert_non_null(h.want);
	return h;
}

static void drop(struct histogram *h)
{
	free(h->count);
	free(h->want);
}

static void against_a_loop(void **state)
{
	struct histogram h = histogram_of(10000);

	(void)state;
	for (h.bins = 1; h.bins <= 10000; h.bins *= 10)
		for (unsigned i = 0; i < SIZES - TEST_SLOW_BUILD; i++) {
			h.n = sizes[i];
			everywhere(run, &h);
		}
	drop(&h);
	all_right();
}

static void many(void **state)
{
	struct histogram h = histogram_of(1000000);

	(void)state;
	h.n = TEST_SLOW_BUILD ? 100000 : 1000000;
	for (h.bins = 256; h.bins <= 1000000; h.bins *= 15)
		everywhere(run, &h);
	h.n = 1000;
	h.bins = 1000000;
	everywhere(run, &h);
	drop(&h);
	all_right();
}

static void bodies_wait_and_fail(void **state)
{
	struct histogram h = histogram_of(50);

	(void)state;
	h.bins = 50;
	for (h.how = SLEEPS; h.how < HOWS; h.how++)
		for (h.n = 1; h.n <= 20000; h.n *= 20)
			everywhere(run, &h);
	drop(&h);
	all_right();
}

static void run_cancelled(void *arg)
{
	struct histogram *h = arg;

	CHECK(filch_histogram(0, 1000, h->count, 1, one, h) == -ECANCELED);
	CHECK(*h->count <= 1000);
}

static void cancelled(void **state)
{
	uint64_t count = 0;
	struct histogram h = {.count = &count};

	(void)state;
	everywhere_cancelled(run_cancelled, &h);
	all_right();
}

static void refused(void **state)
{
	uint64_t count = 0;

	(void)state;
	assert_int_equal(filch_histogram(1, 0, &count, 1, one, NULL), -EINVAL);
	assert_int_equal(filch_histogram(0, 1, NULL, 1, one, NULL), -EINVAL);
	assert_int_equal(filch_histogram(0, 1, &count, 0, one, NULL), -EINVAL);
	assert_int_equal(filch_histogram(0, 1, &count, 1, NULL, NULL), -EINVAL);
	assert_int_equal(filch_histogram(7, 7, &count, 1, one, NULL), 0);
	assert_int_equal(count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(against_a_loop),
		cmocka_unit_test(many),
		cmocka_unit_test(bodies_wait_and_fail),
		cmocka_unit_test(cancelled),
		cmocka_unit_test(refused),
	};

	return cmocka_run_group_tests(tests, everywhere_begin, everywhere_end);
}
