/* SPDX-License-Identifier: MIT */
/* filch_for, filch_for_2d, filch_both. */
#include <errno.h>
#include <filch.h>
#include <string.h>

#include "base/atomic.h"
#include "tests/everywhere.h"

#define MOST 300000

static unsigned char seen[MOST];
static _Atomic(size_t) pieces, largest;

static int mark(size_t begin, size_t end, void *context)
{
	(void)context;
	add_rlx(&pieces, 1);
	for (size_t i = begin; i < end; i++)
		seen[i]++;
	return 0;
}

static void check_marks(size_t begin, size_t end)
{
	for (size_t i = 0; i < MOST; i++)
		assert_int_equal(seen[i], i >= begin && i < end);
	memset(seen, 0, sizeof seen);
}

static void ranges(void *context)
{
	static const size_t ends[] = {0, 1, 2, 3, 63, 64, 65, 1000, 4097, MOST};

	(void)context;
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		for (size_t begin = 0; begin <= ends[i]; begin += 1 + ends[i] / 2) {
			assert_int_equal(filch_for(begin, ends[i], mark, NULL), 0);
			check_marks(begin, ends[i]);
			for (size_t grain = 1; grain < 100000; grain = grain * 7 + 1) {
				assert_int_equal(filch_for_grain(begin, ends[i], grain,
				                                 mark, NULL),
				                 0);
				check_marks(begin, ends[i]);
			}
		}
}

static void test_ranges(void **state)
{
	(void)state;
	everywhere(ranges, NULL);
}

static int note_size(size_t begin, size_t end, void *context)
{
	(void)context;
	if (end - begin > load_rlx(&largest))
		store_rlx(&largest, end - begin);
	return 0;
}

static void grains(void *context)
{
	(void)context;
	store_rlx(&largest, 0);
	assert_int_equal(filch_for_grain(5, 10005, 37, note_size, NULL), 0);
	assert_int_equal(load_rlx(&largest), 37);
	store_rlx(&pieces, 0);
	assert_int_equal(filch_for_grain(0, 1000, 10, mark, NULL), 0);
	assert_int_equal(load_rlx(&pieces), 100);
	check_marks(0, 1000);
}

static void test_grains(void **state)
{
	(void)state;
	everywhere(grains, NULL);
}

/* ---- ending early ---- */

static int fail_at(size_t begin, size_t end, void *context)
{
	size_t at = *(size_t *)context;

	add_rlx(&pieces, end - begin);
	return begin <= at && at < end ? 77 : 0;
}

static void failures(void *context)
{
	(void)context;
	for (size_t at = 0; at < 1000000; at = at * 10 + 3) {
		store_rlx(&pieces, 0);
		assert_int_equal(filch_for(0, 1000000, fail_at, &at), 77);
	}
	/* The first iteration ends it: hardly any other has begun. */
	store_rlx(&pieces, 0);
	assert_int_equal(filch_for_grain(0, 1000000, 1, fail_at, &(size_t){0}), 77);
	assert_true(load_rlx(&pieces) < 1000000);
}

static void test_failures(void **state)
{
	(void)state;
	everywhere(failures, NULL);
}

static void cancelled(void *context)
{
	size_t none = SIZE_MAX;

	(void)context;
	assert_int_equal(filch_for(0, 1000000, fail_at, &none), -ECANCELED);
	assert_int_equal(filch_for_grain(0, 1000000, 1, fail_at, &none), -ECANCELED);
}

static void test_cancelled(void **state)
{
	(void)state;
	everywhere_cancelled(cancelled, NULL);
}

/* ---- bodies that do more ---- */

static struct presence asleep;

static int waits(size_t begin, size_t end, void *context)
{
	(void)context;
	for (size_t i = begin; i < end; i++) {
		come(&asleep);
		filch_sleep(20 * FILCH_MS);
		go(&asleep);
	}
	return 0;
}

static int tile_waits(const struct filch_tile *t, void *context)
{
	for (size_t i = t->row; i < t->row_end; i++)
		waits(t->column, t->column_end, context);
	return 0;
}

/* One worker, and all of them wait at the same time. */
static void waiting(void *context)
{
	(void)context;
	store_rlx(&asleep.most, 0);
	assert_int_equal(filch_for_2d(8, 4, tile_waits, NULL), 0);
	assert_true(load_rlx(&asleep.most) >= 16);
	store_rlx(&asleep.most, 0);
	assert_int_equal(filch_for(0, 32, waits, NULL), 0);
	assert_true(load_rlx(&asleep.most) >= 16);
	store_rlx(&asleep.most, 0);
	assert_int_equal(filch_for_grain(0, 32, 1, waits, NULL), 0);
	assert_true(load_rlx(&asleep.most) >= 16);
}

static void test_waiting(void **state)
{
	(void)state;
	in_pool(1, waiting, NULL);
	in_pool(8, waiting, NULL);
}

FILCH_STATIC_TASK(long, fib, (int, n))
{
	if (n < 2)
		return n;
	FILCH_SPAWN(x, fib, n - 1);
	long y = FILCH_CALL(fib, n - 2);
	return FILCH_JOIN(x) + y;
}

static int spawns(size_t begin, size_t end, void *context)
{
	for (size_t i = begin; i < end; i++)
		((long *)context)[i] = FILCH_RUN(fib, (int)(i % 20));
	return 0;
}

static int nests(size_t begin, size_t end, void *context)
{
	long results[40];

	for (size_t i = begin; i < end; i++) {
		int r = filch_for(0, 40, spawns, results);

		if (r)
			return r;
		((long *)context)[i] = results[19];
	}
	return 0;
}

static void nested(void *context)
{
	long results[50] = {0};

	(void)context;
	assert_int_equal(filch_for(0, 50, nests, results), 0);
	for (int i = 0; i < 50; i++)
		assert_int_equal(results[i], 4181);
}

static void test_nested(void **state)
{
	(void)state;
	everywhere(nested, NULL);
}

/* ---- planes ---- */

#define SIDE 600

static unsigned char plane[SIDE * SIDE];

static int mark_tile(const struct filch_tile *t, void *context)
{
	size_t columns = *(size_t *)context;

	assert_true(t->row < t->row_end && t->column < t->column_end);
	for (size_t i = t->row; i < t->row_end; i++)
		for (size_t j = t->column; j < t->column_end; j++)
			plane[i * columns + j]++;
	return 0;
}

static int check_tile(const struct filch_tile *t, void *context)
{
	assert_true(t->row_end - t->row <= 7 && t->column_end - t->column <= 50);
	return mark_tile(t, context);
}

static void check_plane(size_t n)
{
	for (size_t i = 0; i < sizeof plane; i++)
		assert_int_equal(plane[i], i < n);
	memset(plane, 0, sizeof plane);
}

static void planes(void *context)
{
	static const size_t sides[][2] = {{0, 5},    {5, 0},   {1, 1},      {1, 1000},
	                                  {1000, 1}, {3, 333}, {SIDE, SIDE}};

	(void)context;
	for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
		size_t rows = sides[i][0], columns = sides[i][1];

		assert_int_equal(filch_for_2d(rows, columns, mark_tile, &columns), 0);
		check_plane(rows * columns);
		assert_int_equal(
			filch_for_2d_grain(rows, columns, 7, 50, check_tile, &columns),
			0);
		check_plane(rows * columns);
	}
}

static int fail_tile(const struct filch_tile *t, void *context)
{
	(void)context;
	return t->row <= 50 && 50 < t->row_end ? -5 : 0;
}

static void failing_planes(void *context)
{
	(void)context;
	assert_int_equal(filch_for_2d(100, 100, fail_tile, NULL), -5);
	assert_int_equal(filch_for_2d_grain(100, 100, 1, 1, fail_tile, NULL), -5);
}

static void test_planes(void **state)
{
	(void)state;
	everywhere(planes, NULL);
	everywhere(failing_planes, NULL);
}

/* ---- two calls ---- */

static void halve(void *context)
{
	size_t *range = context, middle = range[0] + (range[1] - range[0]) / 2;
	size_t left[2] = {range[0], middle}, right[2] = {middle, range[1]};

	if (range[1] - range[0] <= 1000)
		mark(range[0], range[1], NULL);
	else
		filch_both(halve, left, halve, right);
}

static void both(void *context)
{
	size_t range[2] = {0, MOST};

	(void)context;
	halve(range);
	check_marks(0, MOST);
}

static void test_both(void **state)
{
	(void)state;
	everywhere(both, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ranges),   cmocka_unit_test(test_grains),
		cmocka_unit_test(test_failures), cmocka_unit_test(test_cancelled),
		cmocka_unit_test(test_waiting),  cmocka_unit_test(test_nested),
		cmocka_unit_test(test_planes),   cmocka_unit_test(test_both),
	};

	return cmocka_run_group_tests(tests, everywhere_begin, everywhere_end);
}
