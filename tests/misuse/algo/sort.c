/* SPDX-License-Identifier: MIT */
/* Sorting what cannot be: the process ends with a sentence, here in a child. */
#include <filch/sort.h>

#include "tests/child.h"

static int equal(const void *a, const void *b, void *context)
{
	(void)a;
	(void)b;
	(void)context;
	return 0;
}

static int array[4];

#define WRONG(name, ...)                        \
	static void sort_##name(void)           \
	{                                       \
		filch_sort(__VA_ARGS__);        \
	}                                       \
	static void stable_sort_##name(void)    \
	{                                       \
		filch_stable_sort(__VA_ARGS__); \
	}

WRONG(nothing, NULL, 4, sizeof *array, equal, NULL)
WRONG(no_size, array, 4, 0, equal, NULL)
WRONG(no_compare, array, 4, sizeof *array, NULL, NULL)
WRONG(too_many, array, SIZE_MAX / 2, sizeof *array, equal, NULL)

#define ENDS_WITH(name, text)                                                     \
	do {                                                                      \
		ends_with(sort_##name, SIGABRT, "filch: filch_sort: " text "\n"); \
		ends_with(stable_sort_##name, SIGABRT,                            \
		          "filch: filch_stable_sort: " text "\n");                \
	} while (0)

static void wrong_arguments(void **state)
{
	(void)state;
	ENDS_WITH(nothing, "there is no array, but it has elements");
	ENDS_WITH(no_size, "the elements have no size; pass sizeof *base");
	ENDS_WITH(no_compare, "there is no function that compares");
	ENDS_WITH(too_many, "so many elements do not fit into memory; the arguments are "
	                    "the number and then the size");
}

/* Calls that look strange, but are not wrong. */
static void nothing_to_sort(void **state)
{
	(void)state;
	filch_sort(NULL, 0, sizeof *array, equal, NULL);
	filch_stable_sort(NULL, 0, sizeof *array, equal, NULL);
	filch_sort(array, 1, sizeof *array, equal, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wrong_arguments),
		cmocka_unit_test(nothing_to_sort),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
