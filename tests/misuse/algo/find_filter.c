/* SPDX-License-Identifier: MIT */
/*
 * Searches, filters and partitions used wrongly. Functions that can report an error
 * return -EINVAL (see tests/unit); the others end the process with a sentence, here in a
 * child of this one.
 */
#include <filch/filter.h>
#include <filch/find.h>
#include <stdint.h>

#include "tests/child.h"

static int numbers[4] = {3, 1, 2, 0};

static int by_value(const void *a, const void *b, void *context)
{
	(void)context;
	return *(const int *)a - *(const int *)b;
}

static bool positive(const void *element, void *context)
{
	(void)context;
	return *(const int *)element > 0;
}

/* ---- arguments ---- */

static void min_of_nowhere(void)
{
	filch_min(NULL, 4, 4, by_value, NULL);
}

static void max_of_nothing(void)
{
	filch_max(numbers, 4, 0, by_value, NULL);
}

static void max_of_too_many(void)
{
	filch_max(numbers, SIZE_MAX / 2, 4, by_value, NULL);
}

static void min_by_nobody(void)
{
	filch_min(numbers, 4, 4, NULL, NULL);
}

static void partition_nowhere(void)
{
	filch_partition(NULL, 4, 4, positive, NULL);
}

static void partition_nothing(void)
{
	filch_partition(numbers, 4, 0, positive, NULL);
}

static void partition_too_many(void)
{
	filch_partition(numbers, SIZE_MAX / 2, 4, positive, NULL);
}

static void partition_by_nobody(void)
{
	filch_partition(numbers, 4, 4, NULL, NULL);
}

static void wrong_arguments(void **state)
{
	(void)state;
	ends_with(min_of_nowhere, SIGABRT,
	          "filch: filch_min: 4 elements of 4 bytes at (nil) cannot be in memory; "
	          "pass an array\n");
	ends_with(max_of_nothing, SIGABRT, "filch: filch_max: 4 elements of 0 bytes at ");
	ends_with(max_of_too_many, SIGABRT,
	          "filch: filch_max: 9223372036854775807 elements of 4 bytes at ");
	ends_with(min_by_nobody, SIGABRT,
	          "filch: filch_min: compare is NULL; pass a function like that of "
	          "qsort_r()\n");
	ends_with(partition_nowhere, SIGABRT,
	          "filch: filch_partition: 4 elements of 4 bytes at (nil) cannot be in "
	          "memory; pass an array\n");
	ends_with(partition_nothing, SIGABRT,
	          "filch: filch_partition: 4 elements of 0 bytes at ");
	ends_with(partition_too_many, SIGABRT,
	          "filch: filch_partition: 9223372036854775807 elements of 4 bytes at ");
	ends_with(partition_by_nobody, SIGABRT,
	          "filch: filch_partition: first is NULL; pass a function that tells "
	          "which elements go first\n");
}

/* ---- bodies ---- */

static int finds_behind(size_t begin, size_t end, size_t *found, void *context)
{
	(void)begin;
	(void)context;
	*found = end + 1;
	return 0;
}

static int finds_before(size_t begin, size_t end, size_t *found, void *context)
{
	(void)end;
	(void)context;
	*found = begin - 1;
	return 0;
}

static int keeps_more(size_t begin, size_t end, void *out, size_t *kept, void *context)
{
	(void)out;
	(void)context;
	*kept = end - begin + 1;
	return 0;
}

static void find_behind(void)
{
	size_t found;

	filch_find_first(5, 6, &found, finds_behind, NULL);
}

static void find_before(void)
{
	size_t found;

	filch_find_first(5, 6, &found, finds_before, NULL);
}

static void keep_more(void)
{
	size_t kept;

	filch_filter(0, 1, numbers, sizeof *numbers, &kept, keeps_more, NULL);
}

static void wrong_bodies(void **state)
{
	(void)state;
	ends_with(find_behind, SIGABRT,
	          "filch: filch_find_first: the body found 7, which is not in its piece, "
	          "5 to 6; set *found to an index of the piece, or leave it\n");
	ends_with(find_before, SIGABRT,
	          "filch: filch_find_first: the body found 4, which is not in its piece, "
	          "5 to 6; set *found to an index of the piece, or leave it\n");
	ends_with(keep_more, SIGABRT,
	          "filch: filch_filter: the body kept 2 of a piece of 1; count what it "
	          "wrote to `out`\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wrong_arguments),
		cmocka_unit_test(wrong_bodies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
