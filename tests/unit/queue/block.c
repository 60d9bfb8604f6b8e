/* SPDX-License-Identifier: MIT */
/* The block's transitions: grant, look, reserve, take, finish, and the tag that tells
 * grants apart. */
#include "tests/test.h"

#include "queue/order.h"

static struct filch__order order;

static struct filch__block *block(uint64_t start)
{
	struct filch_queue_options o = {4, 2, false, start};

	assert_int_equal(filch__order_init(&order, &o), 0);
	return filch__order_fresh(&order, 0);
}

static void held_block_refuses(void **state)
{
	struct filch__block *b = block(0);

	(void)state;
	assert_int_equal(filch__block_look(b).state, FILCH__HELD);
	assert_int_equal(filch__block_look(b).left, 0);
	assert_true(filch__block_idle(b));
	filch__order_destroy(&order);
}

static void grant_and_steal_all(void **state)
{
	struct filch__block *b = block(0);
	struct filch__claim c;
	filch_entry got;

	(void)state;
	for (filch_entry i = 0; i < 4; i++)
		b->entry[i] = 100 + i;
	filch__block_grant(b, FILCH__CLOSED, 1, 4);
	for (filch_entry i = 1; i < 4; i++) {
		struct filch__block_look l = filch__block_look(b);

		assert_false(filch__block_drained(b));
		assert_int_equal(l.left, 4 - i);
		assert_true(filch__block_reserve(b, l, 1, &c));
		filch__block_finish(&c, &got);
		assert_int_equal(got, 100 + i);
	}
	assert_true(filch__block_drained(b));
	assert_int_equal(filch__block_look(b).left, 0);
	assert_int_equal(filch__block_look(b).state, FILCH__CLOSED);
	assert_int_equal(filch__block_take(b), 4);
	assert_true(filch__block_idle(b));
	filch__order_destroy(&order);
}

static void reserve_takes_at_most_what_is_left(void **state)
{
	struct filch__block *b = block(0);
	struct filch__claim c;
	filch_entry got[4];

	(void)state;
	for (filch_entry i = 0; i < 4; i++)
		b->entry[i] = i;
	filch__block_grant(b, FILCH__OPEN, 0, 3);
	assert_true(filch__block_reserve(b, filch__block_look(b), 2, &c));
	assert_int_equal(c.count, 2);
	filch__block_finish(&c, got);
	assert_true(filch__block_reserve(b, filch__block_look(b), SIZE_MAX, &c));
	assert_int_equal(c.count, 1);
	filch__block_finish(&c, got + 2);
	for (filch_entry i = 0; i < 3; i++)
		assert_int_equal(got[i], i);
	filch__order_destroy(&order);
}

static void takeover_wins_over_an_old_look(void **state)
{
	struct filch__block *b = block(0);
	struct filch__block_look l;
	struct filch__claim c;

	(void)state;
	filch__block_grant(b, FILCH__CLOSED, 0, 4);
	l = filch__block_look(b);
	assert_int_equal(filch__block_take(b), 0);
	assert_false(filch__block_reserve(b, l, 1, &c));
	filch__order_destroy(&order);
}

/* The repeating word: granted, taken over and granted again, the index is the same as
 * before. An old look must not pass for the new grant. */
static void regrant_changes_the_word(void **state)
{
	struct filch__block *b = block(0);
	struct filch__block_look l;
	struct filch__claim c;

	(void)state;
	filch__block_grant(b, FILCH__CLOSED, 0, 4);
	l = filch__block_look(b);
	filch__block_take(b);
	filch__block_grant(b, FILCH__CLOSED, 0, 4);
	assert_int_equal(filch__block_look(b).index, l.index);
	assert_false(filch__block_reserve(b, l, 1, &c));
	assert_true(filch__block_reserve(b, filch__block_look(b), 1, &c));
	filch__order_destroy(&order);
}

/* A look is two loads. If the word is of one grant and the end of a later, smaller one,
 * the block seems drained; a thief must not take that for good. */
static void mixed_look_is_not_taken_for_drained(void **state)
{
	struct filch__block *b = block(0);
	struct filch__block_look l;
	struct filch__claim c;

	(void)state;
	filch__block_grant(b, FILCH__CLOSED, 0, 4);
	assert_true(filch__block_reserve(b, filch__block_look(b), 2, &c));
	l = filch__block_look(b); /* index 2 */
	filch__block_take(b);
	filch__block_grant(b, FILCH__OPEN, 0, 1);
	l.left = l.index < filch__block_end(b)
	                 ? 1
	                 : 0; /* what the late load would have given */
	assert_int_equal(l.left, 0);
	assert_false(filch__block_drained_for_good(b, l));

	filch__block_take(b);
	filch__block_grant(b, FILCH__CLOSED, 4, 4);
	assert_true(filch__block_drained_for_good(b, filch__block_look(b)));
	filch__order_destroy(&order);
}

/* Steals that are under way over several grants are all waited for before a block is
 * idle. */
static void idle_counts_over_grants(void **state)
{
	struct filch__block *b = block(0);
	struct filch__claim c1, c2;
	filch_entry got;

	(void)state;
	filch__block_grant(b, FILCH__OPEN, 0, 2);
	assert_true(filch__block_reserve(b, filch__block_look(b), 1, &c1));
	assert_int_equal(filch__block_take(b), 1);
	assert_false(filch__block_idle(b));
	filch__block_grant(b, FILCH__CLOSED, 1, 4);
	assert_true(filch__block_reserve(b, filch__block_look(b), 1, &c2));
	assert_int_equal(filch__block_take(b), 2);
	filch__block_finish(&c2, &got);
	assert_false(filch__block_idle(b));
	filch__block_finish(&c1, &got);
	assert_true(filch__block_idle(b));
	filch__order_destroy(&order);
}

/* Tag, claimed and done all go over their ends here. */
static void counters_wrap(void **state)
{
	struct filch__block *b = block(UINT64_MAX - 3);
	struct filch__claim c;
	filch_entry got;

	(void)state;
	for (int i = 0; i < 10; i++) {
		struct filch__block_look before;

		filch__block_grant(b, FILCH__OPEN, 0, 4);
		before = filch__block_look(b);
		assert_int_equal(before.left, 4);
		assert_true(filch__block_reserve(b, before, 1, &c));
		assert_int_equal(filch__block_take(b), 1);
		assert_false(filch__block_idle(b));
		filch__block_finish(&c, &got);
		assert_true(filch__block_idle(b));
		filch__block_grant(b, FILCH__OPEN, 0, 4);
		assert_false(filch__block_reserve(b, before, 1, &c));
		filch__block_take(b);
	}
	filch__order_destroy(&order);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(held_block_refuses),
		cmocka_unit_test(grant_and_steal_all),
		cmocka_unit_test(reserve_takes_at_most_what_is_left),
		cmocka_unit_test(takeover_wins_over_an_old_look),
		cmocka_unit_test(regrant_changes_the_word),
		cmocka_unit_test(mixed_look_is_not_taken_for_drained),
		cmocka_unit_test(idle_counts_over_grants),
		cmocka_unit_test(counters_wrap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
