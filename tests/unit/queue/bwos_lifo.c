/* SPDX-License-Identifier: MIT */
/* Each transition of the BWoS LIFO queue, on one thread. */
#include "tests/test.h"

#include "queue/bwos_lifo.h"

static struct filch_bwos_lifo q;
static struct filch_bwos_lifo_owner owner;
static struct filch_bwos_lifo_thief thief;

static void begin(size_t block_size, size_t blocks, bool fixed)
{
	struct filch_queue_options o = {block_size, blocks, fixed, 0};

	assert_int_equal(filch_bwos_lifo_init(&q, &o), 0);
	owner = filch_bwos_lifo_owner(&q);
	thief = filch_bwos_lifo_thief(&q, 1);
}

static int end(void **state)
{
	(void)state;
	filch_bwos_lifo_destroy(&q);
	return 0;
}

static void put(filch_entry from, filch_entry to)
{
	for (filch_entry e = from; e < to; e++)
		assert_int_equal(filch_bwos_lifo_put(owner, e), FILCH_OK);
}

static void get(filch_entry want)
{
	filch_entry e = 0;

	assert_int_equal(filch_bwos_lifo_get(owner, &e), FILCH_OK);
	assert_int_equal(e, want);
}

static void steal(filch_entry want)
{
	filch_entry e = 0;

	assert_int_equal(filch_bwos_lifo_steal(&thief, &e), FILCH_OK);
	assert_int_equal(e, want);
}

static void nothing_to_get(void)
{
	filch_entry e;

	assert_int_equal(filch_bwos_lifo_get(owner, &e), FILCH_EMPTY);
}

static void nothing_to_steal(void)
{
	filch_entry e;

	assert_int_equal(filch_bwos_lifo_steal(&thief, &e), FILCH_EMPTY);
}

static size_t blocks(void)
{
	size_t n = 0;

	for (struct filch__block *b = q.order.all; b; b = b->next_all)
		n++;
	return n;
}

static void full_block_is_granted(void **state)
{
	(void)state;
	begin(4, 4, false);
	put(0, 4);
	assert_int_equal(q.block->state, FILCH__HELD);
	assert_int_equal(filch_bwos_lifo_size_hint(&q), 0);
	put(4, 5); /* advances */
	assert_int_equal(q.level, 1);
	assert_int_equal(filch_bwos_lifo_size_hint(&q), 4);
	steal(0);
	steal(1);
}

static void get_takes_over_the_block_below(void **state)
{
	(void)state;
	begin(4, 4, false);
	put(0, 5);
	get(4);
	get(3);
	assert_int_equal(q.level, 0);
	assert_int_equal(filch_bwos_lifo_size_hint(&q), 0);
	get(2);
	get(1);
	get(0);
	nothing_to_get();
}

static void takeover_leaves_half_to_active_thieves(void **state)
{
	(void)state;
	begin(8, 4, false);
	put(0, 9);
	steal(0);
	get(8);
	get(7); /* takes over [1, 8), leaves 1..3 */
	assert_int_equal(filch_bwos_lifo_size_hint(&q), 3);
	get(6);
	get(5);
	get(4);
	steal(1);
	get(3); /* takes back [2, 4), leaves 2 */
	steal(2);
	nothing_to_get();
	nothing_to_steal();
}

static void drained_blocks_mean_empty(void **state)
{
	(void)state;
	begin(2, 4, false);
	put(0, 5);
	for (filch_entry e = 0; e < 4; e++)
		steal(e);
	get(4);
	nothing_to_get();
	assert_int_equal(q.level, 2); /* a drained level is not entered again */
	put(5, 6);
	get(5);
}

static void ring_wraps(void **state)
{
	filch_entry in = 0, out = 0;

	(void)state;
	begin(2, 4, true);
	for (int round = 0; round < 100; round++) {
		put(in, in + 6);
		in += 6;
		for (int i = 0; i < 6; i++) {
			filch_entry e;

			/* A thief takes all it can reach, the owner what is left. */
			if (filch_bwos_lifo_steal(&thief, &e) == FILCH_OK ||
			    filch_bwos_lifo_get(owner, &e) == FILCH_OK)
				out++;
		}
	}
	assert_int_equal(in, out);
	assert_int_equal(blocks(), 4);
	assert_true(q.level > 100);
}

static void poke_is_answered_by_put(void **state)
{
	(void)state;
	begin(64, 4, false);
	put(0, 1);
	nothing_to_steal();
	put(1, 2); /* grants the older half */
	steal(0);
	nothing_to_steal();
	put(2, 3);
	steal(1);
	get(2);
	nothing_to_get();
}

static void poke_is_answered_by_get(void **state)
{
	(void)state;
	begin(64, 4, false);
	put(0, 4);
	nothing_to_steal();
	get(3); /* 0..2 remain, the older two are granted */
	assert_int_equal(filch_bwos_lifo_size_hint(&q), 2);
	steal(0);
	get(2);
	get(1); /* taken back */
	nothing_to_get();
}

static void poke_on_empty_waits_for_the_first_put(void **state)
{
	(void)state;
	begin(64, 4, false);
	nothing_to_steal();
	nothing_to_get();
	put(0, 1);
	steal(0);
	put(1, 3); /* nobody has asked again */
	assert_int_equal(filch_bwos_lifo_size_hint(&q), 0);
}

static void poke_extends_an_open_grant(void **state)
{
	(void)state;
	begin(64, 4, false);
	nothing_to_steal();
	put(0, 1); /* granted at once */
	put(1, 9);
	steal(0);
	nothing_to_steal();
	get(8);
	assert_int_equal(filch_bwos_lifo_size_hint(&q), 4);
	for (filch_entry e = 1; e < 5; e++)
		steal(e);
	get(7);
	get(6);
	get(5);
	nothing_to_get();
}

static void grows_by_blocks(void **state)
{
	(void)state;
	begin(2, 2, false);
	put(0, 1000);
	assert_int_equal(blocks(), 500);
	for (filch_entry e = 0; e < 300; e++)
		steal(e);
	for (filch_entry e = 1000; e-- > 300;)
		get(e);
	nothing_to_get();
	put(0, 1000);
	assert_in_range(blocks(), 500, 512); /* and does not grow again */
}

static void full_changes_nothing(void **state)
{
	(void)state;
	begin(2, 2, true);
	put(0, 4);
	for (int i = 0; i < 5; i++)
		assert_int_equal(filch_bwos_lifo_put(owner, 99), FILCH_FULL);
	steal(0);
	assert_int_equal(filch_bwos_lifo_put(owner, 99),
	                 FILCH_FULL); /* its block is not free */
	steal(1);
	put(4, 6);
	assert_int_equal(filch_bwos_lifo_put(owner, 99), FILCH_FULL);
	get(5);
	get(4);
	get(3);
	get(2);
	nothing_to_get();
	put(0, 2);
}

static void block_of_a_stalled_thief_is_set_aside(void **state)
{
	struct filch__claim c;
	filch_entry e = 0;

	(void)state;
	begin(2, 2, true);
	put(0, 3);
	assert_int_equal(filch__bwos_lifo_reserve(&thief, 1, &c), FILCH_OK);
	steal(1);
	/* Level 2 comes back to the slot of level 0, where the thief still reads. */
	put(3, 5);
	assert_ptr_equal(q.order.aside, c.block);
	assert_int_equal(blocks(), 3);
	filch__block_finish(&c, &e);
	assert_int_equal(e, 0);
	for (filch_entry i = 4; i >= 2; i--)
		get(i);
	nothing_to_get();
	/* A second stall: the first block has come back, so there is no third spare. */
	put(10, 13);
	while (filch__bwos_lifo_reserve(&thief, 1, &c) != FILCH_OK)
		put(13, 14);
	for (int i = 0; i < 100; i++) {
		while (filch_bwos_lifo_get(owner, &e) == FILCH_OK)
			;
		put(0, 3);
	}
	assert_int_equal(blocks(), 3);
	filch__block_finish(&c, &e);
}

static void batch_takes_a_block(void **state)
{
	filch_entry got[16];
	size_t n;

	(void)state;
	begin(4, 4, false);
	put(0, 9);
	steal(0);
	assert_int_equal(filch_bwos_lifo_steal_batch(&thief, got, 16, &n), FILCH_OK);
	assert_int_equal(n, 3);
	assert_int_equal(got[0], 1);
	assert_int_equal(filch_bwos_lifo_steal_batch(&thief, got, 2, &n), FILCH_OK);
	assert_int_equal(n, 2);
	assert_int_equal(got[0], 4);
	assert_int_equal(filch_bwos_lifo_steal_batch(&thief, got, 0, &n), FILCH_EMPTY);
	assert_int_equal(n, 0);
}

static void block_size_one(void **state)
{
	(void)state;
	begin(1, 2, true);
	put(0, 2);
	assert_int_equal(filch_bwos_lifo_put(owner, 2), FILCH_FULL);
	steal(0);
	put(2, 3);
	get(2);
	get(1);
	nothing_to_get();
}

static void levels_wrap(void **state)
{
	struct filch_queue_options o = {2, 4, true, UINT64_MAX - 1};

	(void)state;
	assert_int_equal(filch_bwos_lifo_init(&q, &o), 0);
	owner = filch_bwos_lifo_owner(&q);
	thief = filch_bwos_lifo_thief(&q, 1);
	put(0, 8);
	assert_true(q.level < 10);
	for (filch_entry e = 0; e < 4; e++)
		steal(e);
	put(8, 12);
	for (filch_entry e = 12; e-- > 4;)
		get(e);
	nothing_to_get();
}

/* A thief that read bottom long ago finds another level's block in the slot. */
static void old_level_is_refused(void **state)
{
	struct filch__claim c;

	(void)state;
	begin(2, 2, true);
	put(0, 3);
	steal(0);
	steal(1);
	put(3, 5); /* level 2 now has the slot of level 0 */
	store_rlx(&q.bottom, 0);
	assert_int_equal(filch__bwos_lifo_reserve(&thief, 1, &c), FILCH_RETRY);
}

static void largest_block(void **state)
{
	(void)state;
	begin(FILCH_BLOCK_SIZE_MAX, 2, false);
	nothing_to_steal();
	put(0, 100000);
	for (filch_entry e = 0; e < 1000; e++)
		steal(e);
	for (filch_entry e = 100000; e-- > 1000;)
		get(e);
	nothing_to_get();
}

int main(void)
{
#define TEST(f) cmocka_unit_test_teardown(f, end)
	const struct CMUnitTest tests[] = {
		TEST(full_block_is_granted),
		TEST(get_takes_over_the_block_below),
		TEST(takeover_leaves_half_to_active_thieves),
		TEST(drained_blocks_mean_empty),
		TEST(ring_wraps),
		TEST(poke_is_answered_by_put),
		TEST(poke_is_answered_by_get),
		TEST(poke_on_empty_waits_for_the_first_put),
		TEST(poke_extends_an_open_grant),
		TEST(grows_by_blocks),
		TEST(full_changes_nothing),
		TEST(block_of_a_stalled_thief_is_set_aside),
		TEST(old_level_is_refused),
		TEST(batch_takes_a_block),
		TEST(block_size_one),
		TEST(levels_wrap),
		TEST(largest_block),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
