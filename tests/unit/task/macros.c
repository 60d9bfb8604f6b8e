/* SPDX-License-Identifier: MIT */
/* The task macros, and what tasks may do: results, parameters, arrays, any order of joins,
 * tasks declared before they are defined, pools of one's own. */
#include <filch.h>
#include <string.h>

#include "tests/test.h"

FILCH_STATIC_TASK(long, fib, (int, n))
{
	if (n < 2)
		return n;
	FILCH_SPAWN(x, fib, n - 1);
	long y = FILCH_CALL(fib, n - 2);
	return FILCH_JOIN(x) + y;
}

static void test_fib(void **state)
{
	(void)state;
	assert_int_equal(FILCH_RUN(fib, 27), 196418);
	assert_int_equal(fib(20), 6765); /* outside a pool: a function */
}

FILCH_STATIC_TASK_DECL(bool, is_odd, (unsigned, n));

FILCH_STATIC_TASK(bool, is_even, (unsigned, n))
{
	if (n == 0)
		return true;
	FILCH_SPAWN(x, is_odd, n - 1);
	return FILCH_JOIN(x);
}

FILCH_STATIC_TASK(bool, is_odd, (unsigned, n))
{
	if (n == 0)
		return false;
	FILCH_SPAWN(x, is_even, n - 1);
	return FILCH_JOIN(x);
}

static void test_declared_first(void **state)
{
	(void)state;
	assert_true(FILCH_RUN(is_even, 1000));
	assert_false(FILCH_RUN(is_odd, 1000));
}

struct matrix {
	double v[2][2];
};

FILCH_STATIC_TASK(struct matrix, power, (struct matrix, m), (unsigned, n))
{
	struct matrix r = {{{1, 0}, {0, 1}}};

	if (n == 0)
		return r;
	FILCH_SPAWN(x, power, m, n / 2);
	struct matrix y = FILCH_CALL(power, m, n - n / 2 - 1), z = FILCH_JOIN(x), t;

	for (int i = 0; i < 2; i++)
		for (int j = 0; j < 2; j++)
			t.v[i][j] = y.v[i][0] * z.v[0][j] + y.v[i][1] * z.v[1][j];
	for (int i = 0; i < 2; i++)
		for (int j = 0; j < 2; j++)
			r.v[i][j] = t.v[i][0] * m.v[0][j] + t.v[i][1] * m.v[1][j];
	return r;
}

static void test_structs(void **state)
{
	struct matrix m = {{{1, 1}, {1, 0}}};

	(void)state;
	m = FILCH_RUN(power, m, 30);
	assert_true(m.v[0][1] == 832040);
}

FILCH_STATIC_TASK(long, eight, (char, a), (short, b), (int, c), (long, d), (float, e),
                  (double, f), (const char *, g), (bool, h))
{
	return a + b + c + d + (long)e + (long)f + (long)strlen(g) + h;
}

static int touched;

FILCH_STATIC_TASK_VOID(touch)
{
	touched++;
}

FILCH_STATIC_TASK(long, parameters)
{
	FILCH_SPAWN(x, eight, 1, 2, 3, 4, 5, 6, "seven..", true);
	FILCH_SPAWN(y, touch);
	FILCH_JOIN(y);
	return FILCH_JOIN(x);
}

static void test_parameters(void **state)
{
	(void)state;
	assert_int_equal(FILCH_RUN(parameters), 29);
	FILCH_RUN(touch);
	assert_int_equal(touched, 2);
}

/* Spawns n parts, and joins them from the first, the last or the middle on. */
FILCH_STATIC_TASK(long, parts, (int, n), (int, first))
{
	FILCH_FRAME(fib) part[n];
	long sum = 0;

	for (int i = 0; i < n; i++)
		FILCH_SPAWN_AT(&part[i], fib, i % 20);
	for (int i = 0; i < n; i++)
		sum += FILCH_JOIN_AT(&part[(first + i) % n], fib) * ((first + i) % n + 1);
	return sum;
}

static void test_arrays(void **state)
{
	(void)state;
	for (int n = 1; n < 200; n += 33) {
		long sum = 0;

		for (int i = 0; i < n; i++)
			sum += fib(i % 20) * (i + 1);
		for (int first = 0; first < n; first += 1 + n / 3)
			assert_int_equal(FILCH_RUN(parts, n, first), sum);
	}
}

/* Spawned in one order, joined in another, with others in between. */
FILCH_STATIC_TASK(long, crossed, (int, n))
{
	if (n == 0)
		return 1;
	FILCH_SPAWN(a, crossed, n - 1);
	FILCH_SPAWN(b, crossed, n - 1);
	FILCH_SPAWN(c, crossed, n - 1);
	long sum = FILCH_JOIN(a);

	FILCH_SPAWN(d, crossed, n - 1);
	sum += FILCH_JOIN(c);
	sum += FILCH_JOIN(d);
	return sum + FILCH_JOIN(b);
}

static void test_any_order(void **state)
{
	(void)state;
	assert_int_equal(FILCH_RUN(crossed, 9), 262144);
}

static void test_pools(void **state)
{
	(void)state;
	for (unsigned n = 1; n <= 8; n *= 2) {
		struct filch_pool_options o = {.workers = n};
		struct filch_pool *p;

		assert_int_equal(filch_pool_create(&p, &o, NULL), 0);
		assert_int_equal(filch_pool_workers(p), n);
		assert_int_equal(FILCH_RUN_ON(p, fib, 22), 17711);
		assert_int_equal(FILCH_RUN_ON(p, crossed, 7), 16384);
		assert_int_equal(filch_pool_destroy(p), 0);
	}
}

FILCH_STATIC_TASK(int, index_within)
{
	return filch_worker_index();
}

static void test_worker_index(void **state)
{
	(void)state;
	assert_int_equal(filch_worker_index(), -1);
	assert_in_range(FILCH_RUN(index_within), 0,
	                filch_pool_workers(filch_pool_default(NULL)) - 1);
}

/* A run within a run is a call. */
FILCH_STATIC_TASK(long, nested, (int, n))
{
	return FILCH_RUN(fib, n);
}

static void test_nested_run(void **state)
{
	(void)state;
	assert_int_equal(FILCH_RUN(nested, 15), 610);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fib),        cmocka_unit_test(test_declared_first),
		cmocka_unit_test(test_structs),    cmocka_unit_test(test_parameters),
		cmocka_unit_test(test_arrays),     cmocka_unit_test(test_any_order),
		cmocka_unit_test(test_pools),      cmocka_unit_test(test_worker_index),
		cmocka_unit_test(test_nested_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
