/* SPDX-License-Identifier: MIT */
/* Memory refused at the n-th call, and at all: sorting takes longer, and that is all. */
#include <filch.h>
#include <filch/sort.h>
#include <string.h>

#include "base/atomic.h"
#include "tests/refuse.h"
#include "tests/sort_inputs.h"

REFUSE__wrap_malloc(refused());
REFUSE__wrap_aligned_alloc(refused());

/* ---- elements of four sizes, with a key and where they stood ---- */

struct element {
	uint32_t key, index;
};

static int by_key(const void *a, const void *b, void *context)
{
	const struct element *x = a, *y = b;

	(void)context;
	return (x->key > y->key) - (x->key < y->key);
}

#define FILCH_SORT_STABLE_NAME stable_sort_elements
#define FILCH_SORT_TYPE struct element
#define FILCH_SORT_LESS(a, b) ((a)->key < (b)->key)
#include <filch/sort_template.h>

static void check(const unsigned char *a, size_t n, size_t size, bool stable)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++) {
		const struct element *e = (const void *)(a + i * size);
		const struct element *d = (const void *)(a + (i ? i - 1 : i) * size);

		sum += e->index;
		assert_true(d->key <= e->key);
		assert_true(!stable || d->key < e->key || d->index <= e->index);
		for (size_t more = sizeof *e; more < size; more++)
			assert_int_equal(((const unsigned char *)e)[more],
			                 e->index % 251);
	}
	assert_int_equal(sum, (uint64_t)n * (n - 1) / 2);
}

enum how { SORT, STABLE_SORT, TEMPLATE };

static void *array;

/* While all is refused but the first `granted`. Returns how often it was. */
static long sorts(enum how how, size_t n, size_t size, enum input input, long granted)
{
	struct filch__random r = filch__random_seed(test_seed());
	unsigned char *a = array;
	long count;

	for (size_t i = 0; i < n; i++) {
		struct element e = {input_key(input, i, n, &r), (uint32_t)i};

		memset(a + i * size, (int)(i % 251), size);
		memcpy(a + i * size, &e, sizeof e);
	}
	refuse_after(granted, true);
	if (how == SORT)
		filch_sort(a, n, size, by_key, NULL);
	else if (how == STABLE_SORT)
		filch_stable_sort(a, n, size, by_key, NULL);
	else
		stable_sort_elements((struct element *)array, n);
	count = load_rlx(&refusals); /* all done */
	refuse_none();
	check(a, n, size, how != SORT);
	return count;
}

static long without_memory(long granted)
{
	static const size_t sizes[] = {8, 16, 40, 100};
	static const size_t numbers[] = {1, 2, 9, 40, 1000, 20000};
	long count = 0;

	for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
		for (int input = 0; input < INPUTS; input++) {
			for (size_t s = 0; s < 4; s++)
				count += sorts(input % 2 ? SORT : STABLE_SORT, numbers[k],
				               sizes[s], (enum input)input, granted);
			count += sorts(TEMPLATE, numbers[k], 8, (enum input)input,
			               granted);
		}
	return count;
}

static void test_refused(void **state)
{
	(void)state;
	for (long granted = 0; granted < 3; granted++)
		assert_true(without_memory(granted) > 0);
}

static int begin(void **state)
{
	(void)state;
	array = malloc(20000 * 100);
	return array && filch_pool_default(NULL) ? 0 : -1;
}

static int end(void **state)
{
	(void)state;
	free(array);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
