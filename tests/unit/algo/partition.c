/* SPDX-License-Identifier: MIT */
/* All elements are there afterwards, the ones that belong first are first, the result is
 * the same for any number of workers, and each was looked at once, where it is. */
#include <filch/filter.h>
#include <filch/for.h>
#include <string.h>

#include "tests/everywhere.h"
#include "tests/together.h"

static const size_t sizes[] = {0,    1,    2,    3,    15,   16,    17,    31,
                               32,   33,   255,  256,  257,  1000,  2047,  2048,
                               2049, 4096, 8191, 8192, 8193, 16384, 16640, 100000};

#define SIZES (sizeof sizes / sizeof *sizes)
#define MOST (TEST_SLOW_BUILD ? 100000 : 1000000)

enum kind { NONE, ALL, OTHER, RUNS, RANDOM, FEW, SORTED, REVERSED, ORGAN, KINDS };

/* Elements begin with their index, in as many bytes as there are. */
struct parting {
	size_t n, size;
	enum kind kind;
	bool waits;
	char *a;
	char *result; /* of the first run; NULL: this is it */
	_Atomic(uint32_t) *seen;
};

static size_t index_of(const struct parting *p, const void *element)
{
	size_t i = 0;

	memcpy(&i, element, p->size < sizeof i ? p->size : sizeof i);
	return i;
}

static uint64_t mix(uint64_t x)
{
	x = (x + 1) * 0x9e3779b97f4a7c15u;
	x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
	return x ^ x >> 32;
}

static bool is_first(const struct parting *p, size_t i)
{
	switch (p->kind) {
	case NONE:
		return false;
	case ALL:
		return true;
	case OTHER:
		return i % 2;
	case RUNS:
		return i / 700 % 2;
	case FEW:
		return mix(i) % 100 == 0;
	case SORTED:
		return i < p->n / 3;
	case REVERSED:
		return i > p->n / 3;
	case ORGAN:
		return i < p->n / 4 || i > p->n / 2;
	default:
		return mix(i) & 1;
	}
}

static int nothing(size_t begin, size_t end, void *context)
{
	(void)begin;
	(void)end;
	(void)context;
	return 0;
}

static bool first(const void *element, void *context)
{
	struct parting *p = context;
	size_t i = index_of(p, element);

	CHECK((const char *)element >= p->a &&
	      (const char *)element <= p->a + (p->n - 1) * p->size);
	if (i >= p->n) { /* sizes of one and two bytes */
		CHECK(p->size < 4);
		return is_first(p, i);
	}
	add_rlx(&p->seen[i], 1); /* counted */
	if (p->waits && i % 50 == 0)
		filch_yield();
	if (p->waits && i % 50 == 1)
		filch_for(0, 3, nothing, NULL);
	if (p->waits && i % 500 == 2)
		filch_sleep(20 * FILCH_US);
	return is_first(p, i);
}

static void fill(struct parting *p)
{
	for (size_t i = 0; i < p->n; i++) {
		memset(p->a + i * p->size, (int)i, p->size);
		memcpy(p->a + i * p->size, &i, p->size < sizeof i ? p->size : sizeof i);
		store_rlx(&p->seen[i], 0); /* nobody else yet */
	}
}

/* All are there, and were looked at once. */
static void check_elements(struct parting *p)
{
	size_t bad = 0;

	for (size_t i = 0; i < p->n; i++) {
		size_t index = index_of(p, p->a + i * p->size);

		if (index >= p->n || add_rlx(&p->seen[index], 8) != 1) { /* counted */
			bad++;
			continue;
		}
		for (size_t j = sizeof index; j < p->size; j++)
			bad += p->a[i * p->size + j] != (char)index;
	}
	CHECK(!bad);
}

static void run(void *arg)
{
	struct parting *p = arg;
	size_t want = 0, wrong = 0, k;

	fill(p);
	for (size_t i = 0; i < p->n; i++)
		want += is_first(p, index_of(p, p->a + i * p->size));
	memset(p->a + p->n * p->size, 0x55, 64);
	k = filch_partition(p->a, p->n, p->size, first, p);
	CHECK(k == want);
	for (size_t i = 0; i < 64; i++)
		CHECK(p->a[p->n * p->size + i] == 0x55);
	for (size_t i = 0; i < p->n; i++)
		wrong += is_first(p, index_of(p, p->a + i * p->size)) != (i < k);
	CHECK(!wrong);
	if (p->size >= 4)
		check_elements(p);
	if (p->result) {
		CHECK(!memcmp(p->result, p->a, p->n * p->size));
	} else {
		p->result = malloc(p->n * p->size + 1);
		memcpy(p->result, p->a, p->n * p->size);
	}
}

static void run_everywhere(struct parting *p)
{
	p->result = NULL;
	everywhere(run, p);
	free(p->result);
}

static struct parting parting_of(size_t n, size_t size)
{
	struct parting p = {.n = n,
	                    .size = size,
	                    .a = malloc(n * size + 64),
	                    .seen = calloc(n, sizeof *p.seen)};

	assert_non_null(p.a);
	assert_non_null(p.seen);
	return p;
}

static void drop(struct parting *p)
{
	free(p->a);
	free((void *)p->seen);
}

static void against_a_loop(void **state)
{
	struct parting p = parting_of(100000, 8);

	(void)state;
	for (p.kind = 0; p.kind < KINDS; p.kind++)
		for (unsigned i = 0; i < SIZES - TEST_SLOW_BUILD; i++) {
			p.n = sizes[i];
			run_everywhere(&p);
		}
	drop(&p);
	all_right();
}

static void many(void **state)
{
	struct parting p = parting_of(MOST, 4);

	(void)state;
	for (p.kind = RANDOM; p.kind < KINDS; p.kind += 3)
		run_everywhere(&p);
	drop(&p);
	all_right();
}

static void element_sizes(void **state)
{
	static const size_t size[] = {1, 2, 3, 4, 5, 7, 8, 12, 16, 17, 24, 63, 64, 200};

	(void)state;
	for (unsigned i = 0; i < sizeof size / sizeof *size; i++) {
		struct parting p = parting_of(3000, size[i]);

		for (p.kind = 0; p.kind < KINDS; p.kind++)
			run_everywhere(&p);
		drop(&p);
	}
	all_right();
}

static void waiting_too(void **state)
{
	struct parting p = parting_of(10000, 8);

	(void)state;
	p.waits = true;
	p.kind = RANDOM;
	for (p.n = 10; p.n <= 10000; p.n *= 10)
		run_everywhere(&p);
	drop(&p);
	all_right();
}

/* It contradicts itself: nothing is lost, nor outside touched. */
static bool dice(const void *element, void *context)
{
	static _Atomic(unsigned) n;

	first(element, context);
	return add_rlx(&n, 1) * 2654435761u >> 31; /* any number */
}

static void throw_dice(void *arg)
{
	struct parting *p = arg;

	fill(p);
	CHECK(filch_partition(p->a, p->n, p->size, dice, p) <= p->n);
	check_elements(p);
}

/* There is no result to say it by: it is as if the group were not cancelled. */
static void cancelled(void **state)
{
	struct parting p = parting_of(10000, 8);

	(void)state;
	for (p.kind = 0; p.kind < KINDS; p.kind++) {
		p.result = NULL;
		everywhere(run, &p);
		everywhere_cancelled(run, &p);
		free(p.result);
	}
	drop(&p);
	all_right();
}

static void contradictions(void **state)
{
	struct parting p = parting_of(30000, 16);

	(void)state;
	everywhere(throw_dice, &p);
	drop(&p);
	all_right();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(against_a_loop), cmocka_unit_test(many),
		cmocka_unit_test(element_sizes),  cmocka_unit_test(waiting_too),
		cmocka_unit_test(cancelled),      cmocka_unit_test(contradictions),
	};

	return cmocka_run_group_tests(tests, everywhere_begin, everywhere_end);
}
