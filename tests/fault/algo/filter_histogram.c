/* SPDX-License-Identifier: MIT */
/*
 * Memory refused, the n-th or all from the n-th on: filters and histograms go on with
 * what they have, and their results are the same.
 */
#include <filch.h>
#include <filch/filter.h>
#include <filch/histogram.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic.h"
#include "tests/refuse.h"
#include "tests/test.h"

#define N 20000
#define BINS 10

REFUSE__wrap_malloc(refused());
REFUSE__wrap_calloc(refused());
REFUSE__wrap_aligned_alloc(refused());

/* ---- what is done meanwhile ---- */

static uint32_t out[N];

/* Slow enough that all workers join, and uneven, so that blocks overtake each other. */
static void take_time(size_t begin)
{
	if (begin % 5 == 0)
		filch_sleep(FILCH_MS / 10);
	else
		filch_yield();
}

static bool is_kept(size_t i)
{
	return i % 7 < 5;
}

static int keep(size_t begin, size_t end, void *to, size_t *kept, void *context)
{
	uint32_t *o = to;

	(void)context;
	take_time(begin / (N / 64));
	memset(o, 0xff, (end - begin) * sizeof *o); /* it has the room */
	for (size_t i = begin; i < end; i++)
		if (is_kept(i))
			o[(*kept)++] = (uint32_t)i;
	return 0;
}

/* The number of wrong ones. */
FILCH_STATIC_TASK(size_t, filters)
{
	size_t kept = 0, n = 0, wrong = 0;

	memset(out, 0xee, sizeof out);
	wrong += filch_filter(0, N, out, sizeof *out, &kept, keep, NULL) != 0;
	for (size_t i = 0; i < N; i++)
		if (is_kept(i))
			wrong += out[n++] != i;
	return wrong + (n != kept);
}

static int count(size_t begin, size_t end, uint64_t *counts, void *context)
{
	(void)context;
	take_time(begin / (N / 64));
	for (size_t i = begin; i < end; i++)
		counts[i % BINS]++;
	return 0;
}

FILCH_STATIC_TASK(size_t, counts)
{
	uint64_t got[BINS] = {0};
	size_t wrong = filch_histogram(0, N, got, BINS, count, NULL) != 0;

	for (size_t i = 0; i < BINS; i++)
		wrong += got[i] != N / BINS;
	return wrong;
}

/* ---- tests ---- */

static void live_through(struct filch_pool *p, long n, bool all)
{
	size_t wrong;

	refuse_after(n, all);
	wrong = FILCH_RUN_ON(p, filters);
	wrong += FILCH_RUN_ON(p, counts);
	refuse_none();
	assert_int_equal(wrong, 0);
}

static void each_call(bool all)
{
	static const long last = TEST_SLOW_BUILD ? 20 : 60;

	for (unsigned workers = 1; workers <= 8; workers *= 2) {
		struct filch_pool_options o = {.workers = workers};
		struct filch_pool *p = NULL;

		assert_int_equal(filch_pool_create(&p, &o, NULL), 0);
		for (long n = 0; n < last; n++)
			live_through(p, n, all);
		live_through(p, NEVER, false);
		assert_int_equal(filch_pool_destroy(p), 0);
	}
}

static void nth_refused(void **state)
{
	(void)state;
	each_call(false);
}

static void all_from_nth_refused(void **state)
{
	(void)state;
	each_call(true);
}

/* ---- the table of a filter, but no scratch memory: all that is aside is in `out`
 * ---- */

#define LARGE 64
#define WORDS 20000

struct large {
	uint32_t word[WORDS];
};

/* All but the first: each is to be moved to where the one before it was aside. */
static int keep_large(size_t begin, size_t end, void *to, size_t *kept, void *context)
{
	struct large *o = to;

	(void)context;
	take_time(begin);
	for (size_t i = begin ? begin : 1; i < end; i++) {
		for (size_t j = 0; j < WORDS; j++)
			o[*kept].word[j] = (uint32_t)i;
		++*kept;
	}
	return 0;
}

FILCH_STATIC_TASK(size_t, filters_large, (struct large *, o))
{
	size_t kept = 0, wrong = 0;

	wrong += filch_filter(0, LARGE, o, sizeof *o, &kept, keep_large, NULL) != 0;
	for (size_t i = 1; i < LARGE; i++)
		for (size_t j = 0; j < WORDS; j++)
			wrong += o[i - 1].word[j] != i;
	return wrong + (kept != LARGE - 1);
}

static void only_in_out(void **state)
{
	struct filch_pool_options o = {.workers = 8};
	struct large *large = malloc(LARGE * sizeof *large);
	struct filch_pool *p = NULL;
	long refused_so_far = 0;

	(void)state;
	assert_non_null(large);
	assert_int_equal(filch_pool_create(&p, &o, NULL), 0);
	for (long n = 0; n < 8; n++) {
		for (int i = 0; i < 4; i++) {
			size_t wrong;

			refuse_after(n, true);
			wrong = FILCH_RUN_ON(p, filters);
			refused_so_far += load_rlx(&refusals); /* all done */
			refuse_after(n, true);
			wrong += FILCH_RUN_ON(p, filters_large, large);
			refused_so_far += load_rlx(&refusals); /* all done */
			refuse_none();
			assert_int_equal(wrong, 0);
		}
	}
	assert_true(refused_so_far > 100);
	assert_int_equal(filch_pool_destroy(p), 0);
	free(large);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nth_refused),
		cmocka_unit_test(all_from_nth_refused),
		cmocka_unit_test(only_in_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
