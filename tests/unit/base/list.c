/* SPDX-License-Identifier: MIT */
/* The intrusive list: pushing at both ends, and removing from every place. */
#include "base/list.h"

#include <string.h>

#include "tests/test.h"

struct item {
	char name;
	struct filch__link link;
};

static struct item items[] = {{'a', {0}}, {'b', {0}}, {'c', {0}}, {'d', {0}}};

/* The list holds the items of these names, in this order, both forwards and backwards. */
static void holds(const struct filch__list *l, const char *names)
{
	const size_t n = strlen(names);
	struct filch__link *x = l->first;

	assert_int_equal(filch__list_check(l, SIZE_MAX), n);
	assert_int_equal(filch__list_empty(l), n == 0);
	for (size_t i = 0; i < n; i++, x = x->next)
		assert_int_equal(FILCH__HOLDER(x, struct item, link)->name, names[i]);
	assert_null(x);
	x = l->last;
	for (size_t i = n; i > 0; i--, x = x->prev)
		assert_int_equal(FILCH__HOLDER(x, struct item, link)->name, names[i - 1]);
	assert_null(x);
}

/* A list of the first n items, in order. */
static struct filch__list list_of(size_t n)
{
	struct filch__list l = {0};

	for (size_t i = 0; i < n; i++)
		filch__list_push_last(&l, &items[i].link);
	return l;
}

static void zero_bytes_are_an_empty_list(void **state)
{
	struct filch__list l = {0};

	(void)state;
	holds(&l, "");
	assert_null(FILCH__HOLDER(l.first, struct item, link));
}

static void push_at_both_ends(void **state)
{
	struct filch__list l = {0};

	(void)state;
	filch__list_push_first(&l, &items[1].link);
	holds(&l, "b");
	filch__list_push_last(&l, &items[2].link);
	holds(&l, "bc");
	filch__list_push_first(&l, &items[0].link);
	holds(&l, "abc");
	filch__list_push_last(&l, &items[3].link);
	holds(&l, "abcd");
}

static void insert_between(void **state)
{
	struct filch__list l = list_of(2);

	(void)state;
	filch__list_insert(&l, &items[3].link, &items[0].link, &items[1].link);
	holds(&l, "adb");
}

static void remove_from_every_place(void **state)
{
	static const char *const left[] = {"bcd", "acd", "abd", "abc"};

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct filch__list l = list_of(4);

		filch__list_remove(&l, &items[i].link);
		holds(&l, left[i]);
		filch__list_push_last(&l, &items[i].link);
		assert_int_equal(filch__list_check(&l, SIZE_MAX), 4);
		assert_ptr_equal(l.last, &items[i].link);
	}
}

static void remove_the_only_one(void **state)
{
	struct filch__list l = list_of(1);

	(void)state;
	filch__list_remove(&l, &items[0].link);
	holds(&l, "");
	filch__list_push_first(&l, &items[0].link);
	holds(&l, "a");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(zero_bytes_are_an_empty_list),
		cmocka_unit_test(push_at_both_ends),
		cmocka_unit_test(insert_between),
		cmocka_unit_test(remove_from_every_place),
		cmocka_unit_test(remove_the_only_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
