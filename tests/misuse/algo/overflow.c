/* SPDX-License-Identifier: MIT */
/*
 * A function of the user's that outgrows its stack is named in the message, and no task of
 * the library: the bodies of loops, and functions that are passed by address.
 */
#include <filch.h>
#include <filch/foreign.h>
#include <filch/pipeline.h>
#include <filch/reduce.h>
#include <filch/scan.h>
#include <filch/sort.h>

#include "base/atomic.h"
#include "tests/child.h"

#define MANY 100000

/* Not a tail call, and nothing that a compiler could leave out. The frames are large:
 * ThreadSanitizer has room for some 65000 calls. */
static __attribute__((noinline)) long deeper(long n)
{
	volatile char room[4096];

	room[0] = (char)n;
	return n < 0 ? 0 : deeper(n + 1) + room[0];
}

/* ---- functions of a user's, one of each kind ---- */

static int scale_line(size_t begin, size_t end, void *context)
{
	(void)end, (void)context;
	return (int)deeper((long)begin);
}

static int scale_plane(const struct filch_tile *tile, void *context)
{
	(void)context;
	return (int)deeper((long)tile->row);
}

static int add_up(size_t begin, size_t end, void *result, void *context)
{
	(void)end, (void)result, (void)context;
	return (int)deeper((long)begin);
}

static void add(void *left, const void *right, void *context)
{
	(void)context;
	*(long *)left += *(const long *)right;
}

static int prefix(size_t begin, size_t end, const void *before, void *sum, void *context)
{
	(void)end, (void)before, (void)sum, (void)context;
	return (int)deeper((long)begin);
}

/* Only a large array is sorted in a pool, which is where this goes wrong. */
static int by_value(const void *a, const void *b, void *context)
{
	long x = *(const long *)a, y = *(const long *)b;

	(void)context;
	if (filch_worker_index() >= 0)
		deeper(0);
	return (x > y) - (x < y);
}

static int make_item(void **item, void *context)
{
	(void)item, (void)context;
	return (int)deeper(0);
}

static void left_half(void *context)
{
	(void)context;
	deeper(0);
}

static void *plain(void *argument)
{
	return argument + deeper(0);
}

/* ---- what goes wrong ---- */

static void in_for(void)
{
	filch_for_grain(0, MANY, 10, scale_line, NULL);
}

static void in_for_2d(void)
{
	filch_for_2d_grain(100, 100, 10, 10, scale_plane, NULL);
}

static void in_reduce(void)
{
	long sum = 0;

	filch_reduce_grain(0, MANY, 10, &sum, sizeof sum, add_up, add, NULL);
}

static void in_scan(void)
{
	long sum = 0;

	filch_scan_grain(0, MANY, 10, &sum, sizeof sum, prefix, add, NULL);
}

static void in_sort(void)
{
	static long a[MANY];

	for (long i = 0; i < MANY; i++)
		a[i] = i * 7919 % MANY;
	filch_sort(a, MANY, sizeof *a, by_value, NULL);
}

static void in_pipeline(void)
{
	struct filch_stage stage[] = {{.kind = FILCH_SERIAL, .run = make_item}};

	filch_pipeline(stage, 1, 0, NULL);
}

static void in_both(void)
{
	filch_both(left_half, NULL, left_half, NULL);
}

static void in_run(void)
{
	filch_run(NULL, plain, NULL);
}

static void names(void (*fn)(void), const char *function)
{
	char text[256];

	snprintf(text, sizeof text,
	         "filch: stack overflow in task '%s', or in what it calls; raise "
	         "FILCH_STACK_SIZE or filch_pool_options.stack_size\n",
	         function);
	ends_with(fn, SIGSEGV, text);
}

static void bodies(void **state)
{
	(void)state;
	names(in_for, "scale_line");
	names(in_for_2d, "scale_plane");
	names(in_reduce, "add_up");
	names(in_scan, "prefix");
	names(in_sort, "by_value");
	names(in_pipeline, "make_item");
}

static void plain_functions(void **state)
{
	(void)state;
	names(in_both, "left_half");
	names(in_run, "plain");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bodies),
		cmocka_unit_test(plain_functions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
