/* SPDX-License-Identifier: MIT */
/* The first that fits: at every place, none, several; bodies that wait, fail, search. The
 * least and the greatest: the first of them, as a plain loop has it. */
#include <filch/find.h>
#include <filch/for.h>
#include <filch/numbers.h>
#include <math.h>

#include "tests/everywhere.h"
#include "tests/together.h"

static const size_t sizes[] = {1, 2, 3, 63, 64, 65, 1000, 8191, 8192, 8193, 100000};

#define SIZES (sizeof sizes / sizeof *sizes)

/* ---- the first ---- */

struct search {
	size_t begin, end;
	size_t hit[3];  /* that fit */
	int how;        /* what the body does besides: */
	size_t fail_at; /* fails there */
};

enum { PLAIN, SLEEPS, YIELDS, NESTS };

static int nothing(size_t begin, size_t end, void *context)
{
	(void)begin;
	(void)end;
	(void)context;
	filch_yield();
	return 0;
}

static int look(size_t begin, size_t end, size_t *found, void *context)
{
	struct search *s = context;

	CHECK(begin < end && begin >= s->begin && end <= s->end && *found == end);
	if (s->how == SLEEPS && begin % 7 == 0)
		filch_sleep(20 * FILCH_US);
	if (s->how == YIELDS)
		filch_yield();
	if (s->how == NESTS)
		filch_for(0, 3, nothing, NULL);
	if (s->fail_at >= begin && s->fail_at < end)
		return 77;
	for (size_t i = begin; i < end; i++)
		if (i == s->hit[0] || i == s->hit[1] || i == s->hit[2]) {
			*found = i;
			break;
		}
	return 0;
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static void search(void *arg)
{
	struct search *s = arg;
	size_t want = least(s->end, least(s->hit[0], least(s->hit[1], s->hit[2])));
	size_t found = SIZE_MAX;
	int r = filch_find_first(s->begin, s->end, &found, look, s);

	/* A piece that fails counts as a whole. */
	if (s->fail_at < want || (s->fail_at != SIZE_MAX && r)) {
		CHECK(r == 77);
		CHECK(found == SIZE_MAX);
		return;
	}
	CHECK(r == 0);
	CHECK(found == want);
}

static void each_place(void **state)
{
	(void)state;
	for (unsigned i = 0; i < SIZES; i++) {
		size_t n = sizes[i], step = n < 70 ? 1 : n / 13;

		for (size_t at = 0; at <= n; at += step) { /* n: none */
			struct search s = {5,
			                   5 + n,
			                   {5 + at, SIZE_MAX, 5 + at + 1},
			                   PLAIN,
			                   SIZE_MAX};

			if (at == n)
				s.hit[2] = SIZE_MAX;
			everywhere(search, &s);
			s.hit[1] = 5 + n - 1; /* the first counts */
			everywhere(search, &s);
		}
	}
	all_right();
}

static void empty(void *arg)
{
	size_t found = SIZE_MAX;

	CHECK(filch_find_first(9, 9, &found, look, arg) == 0);
	CHECK(found == 9);
}

static void none_at_all(void **state)
{
	struct search s = {0, 0, {SIZE_MAX, SIZE_MAX, SIZE_MAX}, PLAIN, SIZE_MAX};

	(void)state;
	everywhere(empty, &s);
	assert_int_equal(filch_find_first(1, 0, &s.begin, look, &s), -EINVAL);
	assert_int_equal(filch_find_first(0, 1, NULL, look, &s), -EINVAL);
	assert_int_equal(filch_find_first(0, 1, &s.begin, NULL, &s), -EINVAL);
	all_right();
}

static void bodies_wait(void **state)
{
	(void)state;
	for (int how = SLEEPS; how <= NESTS; how++) {
		struct search s = {0, 300, {SIZE_MAX, 299, 170}, how, SIZE_MAX};

		everywhere(search, &s);
		s.hit[2] = s.hit[1] = SIZE_MAX;
		everywhere(search, &s);
	}
	all_right();
}

/* A failure counts if nothing was found before it. */
static void bodies_fail(void **state)
{
	(void)state;
	for (unsigned i = 3; i < SIZES; i++) {
		size_t n = sizes[i];
		struct search s = {0, n, {n / 3, n / 2, n - 1}, PLAIN, n - 1};

		everywhere(search, &s);
		s.fail_at = 0;
		everywhere(search, &s);
		s.fail_at = n / 2;
		s.hit[0] = s.hit[1] = s.hit[2] = SIZE_MAX;
		everywhere(search, &s);
	}
	all_right();
}

/* Elements after the hit are skipped: otherwise this would take years. */
struct early {
	size_t hit;
	_Atomic(size_t) seen;
};

static int at_hit(size_t begin, size_t end, size_t *found, void *context)
{
	struct early *e = context;

	add_rlx(&e->seen, end - begin); /* counted */
	if (begin <= e->hit && e->hit < end)
		*found = e->hit;
	return 0;
}

static void stops_early(void *arg)
{
	struct early e = {*(size_t *)arg, 0};
	size_t found;

	CHECK(filch_find_first(0, (size_t)1 << 60, &found, at_hit, &e) == 0);
	CHECK(found == e.hit);
	/* How far others get until they know depends on when the finder gets a processor:
	 * seconds are enough for this bound. */
	CHECK(load_rlx(&e.seen) < e.hit + ((size_t)1 << 36)); /* all done */
}

static void early(void **state)
{
	(void)state;
	for (size_t hit = 3; hit < 1000000000; hit *= 97) /* by the caller, by a crew */
		everywhere(stops_early, &hit);
	all_right();
}

/* All from 50 on fit, and the others are found while the first already is. */
static int late(size_t begin, size_t end, size_t *found, void *context)
{
	(void)context;
	filch_sleep(begin <= 50 ? FILCH_MS / 5 : FILCH_MS);
	if (end > 50)
		*found = begin > 50 ? begin : 50;
	return 0;
}

static void search_late(void *arg)
{
	size_t found = 99;

	(void)arg;
	CHECK(filch_find_first(0, 300, &found, late, NULL) == 0);
	CHECK(found == 50);
}

static void others_are_late(void **state)
{
	(void)state;
	for (int i = 0; i < 5; i++)
		everywhere(search_late, NULL);
	all_right();
}

static void search_cancelled(void *arg)
{
	struct search s = {0, 1000, {5, 5, 5}, PLAIN, SIZE_MAX};
	size_t found = 42;

	(void)arg;
	CHECK(filch_find_first(0, 1000, &found, look, &s) == -ECANCELED);
	CHECK(found == 42);
}

static void cancelled(void **state)
{
	(void)state;
	everywhere_cancelled(search_cancelled, NULL);
	all_right();
}

/* ---- the least, the greatest ---- */

struct odd { /* of 12 bytes */
	int key, a, b;
};

struct keys {
	struct odd *k;
	size_t n;
	bool waits;
};

static int by_key(const void *a, const void *b, void *context)
{
	const struct odd *x = a, *y = b;
	struct keys *k = context;

	CHECK(x >= k->k && x < k->k + k->n && y >= k->k && y < k->k + k->n);
	if (k->waits && (x - k->k) % 64 == 0)
		filch_yield();
	return x->key < y->key ? INT32_MIN : x->key > y->key; /* -INT32_MIN is not */
}

static void min_and_max(void *arg)
{
	struct keys *k = arg;
	size_t low = 0, high = 0;

	for (size_t i = 1; i < k->n; i++) {
		low = k->k[i].key < k->k[low].key ? i : low;
		high = k->k[i].key > k->k[high].key ? i : high;
	}
	CHECK(filch_min(k->k, k->n, sizeof *k->k, by_key, k) == low);
	CHECK(filch_max(k->k, k->n, sizeof *k->k, by_key, k) == high);
}

static void fill(struct keys *k, size_t n, int distinct)
{
	uint64_t random = test_seed();

	k->n = n;
	for (size_t i = 0; i < n; i++) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		k->k[i].key = (int)((random >> 33) % (unsigned)distinct);
	}
}

static void extremes(void **state)
{
	struct keys k = {malloc(100000 * sizeof(struct odd)), 0, false};

	(void)state;
	assert_non_null(k.k);
	for (unsigned i = 0; i < SIZES; i++)
		for (int distinct = 1; distinct < 2000000; distinct *= 100) {
			fill(&k, sizes[i], distinct);
			everywhere(min_and_max, &k);
			everywhere_cancelled(min_and_max, &k); /* all the same */
		}
	fill(&k, 1000, 50);
	k.waits = true;
	everywhere(min_and_max, &k);
	fill(&k, 0, 1);
	everywhere(min_and_max, &k);
	assert_int_equal(filch_min(NULL, 0, 1, by_key, NULL), 0);
	free(k.k);
	all_right();
}

/* It contradicts itself: any index, but one of them. */
static int dice(const void *a, const void *b, void *context)
{
	static _Atomic(unsigned) n;

	(void)a;
	(void)b;
	(void)context;
	return (int)(add_rlx(&n, 1) * 2654435761u >> 30) - 1; /* any number */
}

static void inconsistent(void *arg)
{
	(void)arg;
	CHECK(filch_min("abcdefgh", 8, 1, dice, NULL) < 8);
	CHECK(filch_max(&everywhere_pool, 3, sizeof *everywhere_pool, dice, NULL) < 3);
}

static void contradictions(void **state)
{
	(void)state;
	for (int i = 0; i < 20; i++)
		everywhere(inconsistent, NULL);
	all_right();
}

/* ---- of numbers ---- */

#define NUMBERS 100000

/* Values that are the worst of their type, too. */
static uint64_t some_number(size_t i, unsigned distinct)
{
	uint64_t x = (i + 1) * 0x9e3779b97f4a7c15u;

	x ^= x >> 31;
	return distinct > 2 ? x >> 5 : distinct == 2 ? -(x >> 20 & 1) : UINT64_MAX;
}

#define TYPED(suffix, type)                                                     \
	static void numbers_##suffix(void *arg)                                 \
	{                                                                       \
		type *a = arg;                                                  \
                                                                                \
		for (unsigned i = 0; i < SIZES; i++)                            \
			for (unsigned distinct = 1; distinct < 4; distinct++) { \
				size_t n = sizes[i], low = 0, high = 0;         \
                                                                                \
				for (size_t j = 0; j < n; j++)                  \
					a[j] = (type)some_number(j, distinct);  \
				for (size_t j = 1; j < n; j++) {                \
					low = a[j] < a[low] ? j : low;          \
					high = a[j] > a[high] ? j : high;       \
				}                                               \
				CHECK(filch_min_##suffix(a, n) == low);         \
				CHECK(filch_max_##suffix(a, n) == high);        \
			}                                                       \
		a[0] = (type)-1;                                                \
		a[1] = a[2] = 0;                                                \
		CHECK(filch_min_##suffix(a, 0) == 0);                           \
		CHECK(filch_max_##suffix(a, 0) == 0);                           \
		CHECK(filch_max_##suffix(a, 3) == (a[0] < a[1] ? 1 : 0));       \
		CHECK(filch_min_##suffix(a, 3) == (a[0] < a[1] ? 0 : 1));       \
	}
TYPED(i32, int32_t)
TYPED(u32, uint32_t)
TYPED(i64, int64_t)
TYPED(u64, uint64_t)
TYPED(f32, float)
TYPED(f64, double)

static void numbers(void **state)
{
	double *a = malloc(NUMBERS * sizeof *a);

	(void)state;
	assert_non_null(a);
#define ON_ALL(suffix, type)             \
	everywhere(numbers_##suffix, a); \
	everywhere_cancelled(numbers_##suffix, a);
	FILCH_NUMBERS(ON_ALL)
	free(a);
	all_right();
}

/* NaNs do not count, wherever they are, unless there is nothing else. */
#define WITH_NANS(suffix, type)                                             \
	static void nans_##suffix(void *arg)                                \
	{                                                                   \
		type *a = arg, infinite = (type)INFINITY;                   \
                                                                            \
		for (unsigned i = 0; i < SIZES; i++) {                      \
			size_t n = sizes[i], at = n * 2 / 3, last = n - 1;  \
                                                                            \
			for (size_t j = 0; j < n; j++)                      \
				a[j] = (type)NAN;                           \
			CHECK(filch_min_##suffix(a, n) == 0);               \
			CHECK(filch_max_##suffix(a, n) == 0);               \
			a[at] = a[last] = infinite; /* the worst of them */ \
			CHECK(filch_min_##suffix(a, n) == at);              \
			CHECK(filch_max_##suffix(a, n) == at);              \
			a[at] = a[last] = -infinite;                        \
			CHECK(filch_min_##suffix(a, n) == at);              \
			CHECK(filch_max_##suffix(a, n) == at);              \
			a[last] = 0;                                        \
			a[at] = (type)-0.0; /* equal */                     \
			CHECK(filch_min_##suffix(a, n) == at);              \
			CHECK(filch_max_##suffix(a, n) == at);              \
			a[last] = 1;                                        \
			CHECK(filch_min_##suffix(a, n) ==                   \
			      (n > 1 && at < last ? at : last));            \
			CHECK(filch_max_##suffix(a, n) == last);            \
		}                                                           \
	}
WITH_NANS(f32, float)
WITH_NANS(f64, double)

static void nans(void **state)
{
	double *a = malloc(NUMBERS * sizeof *a);

	(void)state;
	assert_non_null(a);
	everywhere(nans_f32, a);
	everywhere(nans_f64, a);
	free(a);
	all_right();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_place),     cmocka_unit_test(none_at_all),
		cmocka_unit_test(bodies_wait),    cmocka_unit_test(bodies_fail),
		cmocka_unit_test(early),          cmocka_unit_test(others_are_late),
		cmocka_unit_test(cancelled),      cmocka_unit_test(extremes),
		cmocka_unit_test(contradictions), cmocka_unit_test(numbers),
		cmocka_unit_test(nans),
	};

	return cmocka_run_group_tests(tests, everywhere_begin, everywhere_end);
}
