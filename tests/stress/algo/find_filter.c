/* SPDX-License-Identifier: MIT */
/*
 * Many searches, filters, partitions and histograms at once, on pools of 1, 2 and 8
 * workers, by strands and threads, with bodies that wait now and then: the blocks
 * complete in any order, and the results are those of a plain loop.
 */
#include <filch/filter.h>
#include <filch/find.h>
#include <filch/histogram.h>
#include <string.h>

#include "tests/together.h"

#define MOST 6000
#define BINS 7

struct job {
	uint64_t seed;
	size_t n;
	unsigned slow; /* one piece in so many waits; 0: none */
};

static uint64_t mix(uint64_t x)
{
	x ^= x >> 31;
	x *= 0x9e3779b97f4a7c15u;
	return x ^ x >> 29;
}

static uint64_t value(const struct job *j, size_t i)
{
	return mix(j->seed + i);
}

/* Waits, or not, as the piece has it. */
static void perhaps_wait(const struct job *j, size_t i)
{
	uint64_t x = mix(j->seed ^ i);

	if (!j->slow || x % j->slow)
		return;
	if (x >> 40 & 1)
		filch_yield();
	else
		filch_sleep((x >> 42) % 100 * FILCH_US);
}

static bool is_kept(const struct job *j, size_t i)
{
	return value(j, i) % 3 != 0;
}

/* ---- the four ---- */

static int filter(size_t begin, size_t end, void *out, size_t *kept, void *context)
{
	const struct job *j = context;
	uint64_t *o = out;

	for (size_t i = begin; i < end; i++) {
		o[*kept] = value(j, i);
		*kept += is_kept(j, i);
		if (i == (begin + end) / 2)
			perhaps_wait(j, i);
	}
	return 0;
}

static void check_filter(struct job *j, uint64_t *a)
{
	size_t kept = 0, n = 0, wrong = 0;

	CHECK(filch_filter(0, j->n, a, sizeof *a, &kept, filter, j) == 0);
	for (size_t i = 0; i < j->n; i++)
		if (is_kept(j, i))
			wrong += a[n++] != value(j, i);
	CHECK(n == kept);
	CHECK(wrong == 0);
}

static bool odd(const void *element, void *context)
{
	uint64_t x = *(const uint64_t *)element;

	perhaps_wait(context, x >> 5);
	return x & 1;
}

static void check_partition(struct job *j, uint64_t *a)
{
	uint64_t sum = 0, squares = 0;
	size_t k, n = 0, wrong = 0;

	for (size_t i = 0; i < j->n; i++) {
		a[i] = value(j, i);
		n += a[i] & 1;
		sum += a[i];
		squares += a[i] * a[i];
	}
	k = filch_partition(a, j->n, sizeof *a, odd, j);
	CHECK(k == n);
	for (size_t i = 0; i < j->n; i++) {
		wrong += (a[i] & 1) != (i < n);
		sum -= a[i];
		squares -= a[i] * a[i];
	}
	CHECK(wrong == 0);
	CHECK(sum == 0 && squares == 0); /* the same elements */
}

static int count(size_t begin, size_t end, uint64_t *counts, void *context)
{
	struct job *j = context;

	perhaps_wait(j, begin);
	for (size_t i = begin; i < end; i++)
		counts[value(j, i) % BINS]++;
	return 0;
}

static void check_histogram(struct job *j)
{
	uint64_t got[BINS] = {0}, want[BINS] = {0};

	for (size_t i = 0; i < j->n; i++)
		want[value(j, i) % BINS]++;
	CHECK(filch_histogram(0, j->n, got, BINS, count, j) == 0);
	CHECK(!memcmp(got, want, sizeof got));
}

static int rare(size_t begin, size_t end, size_t *found, void *context)
{
	struct job *j = context;

	perhaps_wait(j, begin);
	for (size_t i = begin; i < end; i++)
		if (value(j, i) % 2048 == 0) {
			*found = i;
			break;
		}
	return 0;
}

static void check_find(struct job *j)
{
	size_t got = 0, want = 0;

	while (want < j->n && value(j, want) % 2048)
		want++;
	CHECK(filch_find_first(0, j->n, &got, rare, j) == 0);
	CHECK(got == want);
}

/* ---- all at once ---- */

struct shared {
	uint64_t seed;
	size_t rounds;
	unsigned slow;
};

static void rounds(void *arg, unsigned index)
{
	struct shared *s = arg;
	uint64_t *a = malloc(MOST * sizeof *a);

	for (size_t i = 0; a && i < s->rounds; i++) {
		uint64_t seed = mix(s->seed + 1000 * index + i);
		struct job j = {seed, seed % MOST, s->slow};

		switch (seed >> 50 & 3) {
		case 0:
			check_filter(&j, a);
			break;
		case 1:
			check_partition(&j, a);
			break;
		case 2:
			check_histogram(&j);
			break;
		default:
			check_find(&j);
		}
	}
	CHECK(a);
	free(a);
}

static void at_once(void **state)
{
	(void)state;
	for (unsigned slow = 0; slow <= 100; slow = slow ? slow * 10 : 10) {
		struct shared s = {test_seed(), test_scaled(slow ? 8 : 40), slow};

		together(5, 3, rounds, &s);
		all_right();
	}
}

/* ---- one at a time, with all workers ---- */

#define LARGE 400000

static void large(void *arg, unsigned index)
{
	struct shared *s = arg;
	uint64_t *a = malloc(LARGE * sizeof *a);

	(void)index;
	for (size_t i = 0; a && i < s->rounds; i++) {
		struct job j = {mix(s->seed + i), LARGE - mix(i) % 1000, s->slow};

		check_filter(&j, a);
		check_partition(&j, a);
		check_histogram(&j);
		check_find(&j);
	}
	CHECK(a);
	free(a);
}

static void large_ones(void **state)
{
	static const unsigned slow[] = {0, 20000};

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct shared s = {test_seed(), test_scaled(4), slow[i]};

		together(1, 0, large, &s);
		all_right();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(at_once),
		cmocka_unit_test(large_ones),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
