/* SPDX-License-Identifier: MIT */
/* The kept elements, in order, are those of a plain loop: none, all, every other, runs;
 * bodies that write beyond what they keep, wait, fail, filter. */
#include <filch/filter.h>
#include <string.h>

#include "tests/everywhere.h"
#include "tests/together.h"

static const size_t sizes[] = {0, 1, 2, 3, 63, 64, 65, 1000, 8191, 8192, 8193, 100000};

#define SIZES (sizeof sizes / sizeof *sizes)
#define MOST (size_t)(TEST_SLOW_BUILD ? 100000 : 1000000)

enum keep { NONE, ALL, OTHER, RUNS, RANDOM, FIRST_HALF, KEEPS };
enum how { PLAIN, SLEEPS, YIELDS, NESTS, FAILS, HOWS };

struct filter {
	size_t n;
	size_t size; /* of the elements: each is its index, repeated */
	enum keep keep;
	enum how how;
	unsigned char *out;
	_Atomic(size_t) seen;
};

static bool is_kept(const struct filter *f, size_t i)
{
	switch (f->keep) {
	case NONE:
		return false;
	case ALL:
		return true;
	case OTHER:
		return i % 2;
	case RUNS:
		return i / 3000 % 2;
	case FIRST_HALF:
		return i < f->n / 2;
	default:
		return (i + 1) * 0x9e3779b97f4a7c15u % 2039 % 2;
	}
}

static void put(unsigned char *to, size_t size, size_t i)
{
	for (size_t j = 0; j < size; j++)
		to[j] = (unsigned char)(i >> 8 * (j % 4));
}

static int one(size_t begin, size_t end, void *out, size_t *kept, void *context)
{
	(void)context;
	for (size_t i = begin; i < end; i++)
		((int *)out)[i - begin] = (int)i;
	*kept = end - begin;
	filch_yield();
	return 0;
}

static int body(size_t begin, size_t end, void *out, size_t *kept, void *context)
{
	struct filter *f = context;
	unsigned char *to = out;

	CHECK(begin < end && end <= f->n && *kept == 0);
	add_rlx(&f->seen, end - begin); /* counted */
	if (f->how == SLEEPS && begin * 7 / f->n % 3 == 0)
		filch_sleep(50 * FILCH_US);
	if (f->how == YIELDS)
		filch_yield();
	if (f->how == NESTS) {
		int inner[10];
		size_t n = 0;

		CHECK(filch_filter(0, 10, inner, sizeof *inner, &n, one, NULL) == 0);
		CHECK(n == 10 && inner[9] == 9);
	}
	memset(to, 0xee, (end - begin) * f->size); /* it has the room */
	for (size_t i = begin; i < end; i++)
		if (is_kept(f, i)) {
			put(to, f->size, i);
			to += f->size;
			++*kept;
		}
	return f->how == FAILS && end > f->n / 2 ? 5 : 0;
}

/* `out` holds exactly the bytes that a plain loop would have written. */
static void check_out(struct filter *f, size_t kept)
{
	unsigned char *at = f->out, want[200];
	size_t n = 0, wrong = 0;

	for (size_t i = 0; i < f->n; i++) {
		if (!is_kept(f, i))
			continue;
		put(want, f->size, i);
		wrong += memcmp(at, want, f->size) != 0;
		at += f->size;
		n++;
	}
	CHECK(kept == n);
	CHECK(!wrong);
}

static void run(void *arg)
{
	struct filter *f = arg;
	size_t kept = 12345, room = f->n * f->size;
	int r;

	store_rlx(&f->seen, 0); /* nobody else yet */
	memset(f->out, 0x55, room + 64);
	r = filch_filter(0, f->n, f->out, f->size, &kept, body, f);
	for (size_t i = 0; i < 64; i++)
		CHECK(f->out[room + i] == 0x55);
	if (f->how == FAILS && f->n) {
		CHECK(r == 5);
		CHECK(kept == 12345);
		return;
	}
	CHECK(r == 0);
	CHECK(load_rlx(&f->seen) == f->n); /* all done */
	check_out(f, kept);
}

static void against_a_loop(void **state)
{
	struct filter f = {.out = malloc(100000 * 8 + 64)};

	(void)state;
	assert_non_null(f.out);
	for (f.keep = 0; f.keep < KEEPS; f.keep++)
		for (unsigned i = 0; i < SIZES - TEST_SLOW_BUILD; i++) {
			f.n = sizes[i];
			f.size = i % 2 ? 4 : 8;
			everywhere(run, &f);
		}
	free(f.out);
	all_right();
}

static void many(void **state)
{
	struct filter f = {.n = MOST, .size = 4, .out = malloc(MOST * 4 + 64)};

	(void)state;
	assert_non_null(f.out);
	for (f.keep = 0; f.keep < KEEPS; f.keep++)
		everywhere(run, &f);
	free(f.out);
	all_right();
}

static void element_sizes(void **state)
{
	static const size_t size[] = {1, 2, 3, 5, 16, 24, 200};
	struct filter f = {.n = 10000, .out = malloc(10000 * 200 + 64)};

	(void)state;
	assert_non_null(f.out);
	for (unsigned i = 0; i < sizeof size / sizeof *size; i++)
		for (f.keep = 0; f.keep < KEEPS; f.keep++) {
			f.size = size[i];
			everywhere(run, &f);
		}
	free(f.out);
	all_right();
}

/* Larger than what is written aside at once. */
struct large {
	size_t index;
	char rest[200000];
};

static int third(size_t begin, size_t end, void *out, size_t *kept, void *context)
{
	struct large *o = out;

	(void)context;
	filch_yield();
	for (size_t i = begin; i < end; i++)
		if (i % 3 == 0)
			o[(*kept)++].index = i;
	return 0;
}

static void filter_large(void *arg)
{
	struct large *o = arg;
	size_t kept = 0;

	CHECK(filch_filter(0, 40, o, sizeof *o, &kept, third, NULL) == 0);
	CHECK(kept == 14);
	for (size_t i = 0; i < kept; i++)
		CHECK(o[i].index == 3 * i);
}

static void large_elements(void **state)
{
	struct large *o = malloc(40 * sizeof *o);

	(void)state;
	assert_non_null(o);
	everywhere(filter_large, o);
	free(o);
	all_right();
}

static void bodies_wait_and_fail(void **state)
{
	struct filter f = {.size = 4, .keep = RANDOM, .out = malloc(20000 * 4 + 64)};

	(void)state;
	assert_non_null(f.out);
	for (f.how = SLEEPS; f.how < HOWS; f.how++)
		for (f.n = 1; f.n <= 20000; f.n *= 20)
			everywhere(run, &f);
	free(f.out);
	all_right();
}

static void run_cancelled(void *arg)
{
	struct filter *f = arg;
	size_t kept = 3;

	CHECK(filch_filter(0, f->n, f->out, f->size, &kept, body, f) == -ECANCELED);
	CHECK(kept == 3);
}

static void cancelled(void **state)
{
	unsigned char out[4000];
	struct filter f = {.n = 1000, .size = 4, .keep = ALL, .out = out};

	(void)state;
	everywhere_cancelled(run_cancelled, &f);
	all_right();
}

static void refused(void **state)
{
	int out[4];
	size_t kept = 0;

	(void)state;
	assert_int_equal(filch_filter(1, 0, out, 4, &kept, one, NULL), -EINVAL);
	assert_int_equal(filch_filter(0, 1, NULL, 4, &kept, one, NULL), -EINVAL);
	assert_int_equal(filch_filter(0, 1, out, 0, &kept, one, NULL), -EINVAL);
	assert_int_equal(filch_filter(0, 1, out, 4, NULL, one, NULL), -EINVAL);
	assert_int_equal(filch_filter(0, 1, out, 4, &kept, NULL, NULL), -EINVAL);
	assert_int_equal(filch_filter(3, 3, NULL, 4, &kept, one, NULL), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(against_a_loop),
		cmocka_unit_test(many),
		cmocka_unit_test(element_sizes),
		cmocka_unit_test(large_elements),
		cmocka_unit_test(bodies_wait_and_fail),
		cmocka_unit_test(cancelled),
		cmocka_unit_test(refused),
	};

	return cmocka_run_group_tests(tests, everywhere_begin, everywhere_end);
}
