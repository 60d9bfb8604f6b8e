/* SPDX-License-Identifier: MIT */
/* Each transition of the BWoS FIFO queue, on one thread. */
#include "tests/test.h"

#include "queue/bwos_fifo.h"

static struct filch_bwos_fifo q;
static struct filch_bwos_fifo_owner owner;
static struct filch_bwos_fifo_thief thief;

static void begin(size_t block_size, size_t blocks, bool fixed)
{
	struct filch_queue_options o = {block_size, blocks, fixed, 0};

	assert_int_equal(filch_bwos_fifo_init(&q, &o), 0);
	owner = filch_bwos_fifo_owner(&q);
	thief = filch_bwos_fifo_thief(&q, 1);
}

static int end(void **state)
{
	(void)state;
	filch_bwos_fifo_destroy(&q);
	return 0;
}

static void put(filch_entry from, filch_entry to)
{
	for (filch_entry e = from; e < to; e++)
		assert_int_equal(filch_bwos_fifo_put(owner, e), FILCH_OK);
}

static void get(filch_entry from, filch_entry to)
{
	for (filch_entry e = from; e < to; e++) {
		filch_entry got = 0;

		assert_int_equal(filch_bwos_fifo_get(owner, &got), FILCH_OK);
		assert_int_equal(got, e);
	}
}

static filch_entry steal(void)
{
	filch_entry e = 0;

	assert_int_equal(filch_bwos_fifo_steal(&thief, &e), FILCH_OK);
	return e;
}

static void nothing_to_get(void)
{
	filch_entry e;

	assert_int_equal(filch_bwos_fifo_get(owner, &e), FILCH_EMPTY);
}

static void nothing_to_steal(void)
{
	filch_entry e;

	assert_int_equal(filch_bwos_fifo_steal(&thief, &e), FILCH_EMPTY);
}

static size_t blocks(void)
{
	size_t n = 0;

	for (struct filch__block *b = q.order.all; b; b = b->next_all)
		n++;
	return n;
}

static void blocks_behind_the_head_are_granted(void **state)
{
	(void)state;
	begin(4, 8, false);
	put(0, 8);
	assert_int_equal(filch_bwos_fifo_size_hint(&q),
	                 0); /* head and back are the owner's */
	put(8, 13);
	assert_int_equal(filch_bwos_fifo_size_hint(&q),
	                 8); /* the two between them are not */
	assert_in_range(steal(), 4, 11);
}

static void get_takes_over_the_next_block(void **state)
{
	(void)state;
	begin(4, 8, false);
	put(0, 13);
	get(0, 5);
	assert_int_equal(q.head_level, 1);
	assert_int_equal(filch_bwos_fifo_size_hint(&q), 4);
	get(5, 13);
	nothing_to_get();
	assert_ptr_equal(q.head, q.tail);
}

static void takeover_leaves_half_to_active_thieves(void **state)
{
	(void)state;
	begin(8, 4, false);
	put(0, 17);
	while (steal() != 8)
		; /* whichever block it began with, 8 is the first of the second */
	get(0, 8);
	get(9, 10); /* takes over [9, 16) and leaves the newer half */
	assert_int_equal(filch_bwos_fifo_size_hint(&q), 4);
	get(10, 17);
	nothing_to_get();
}

static void steals_from_any_granted_block(void **state)
{
	bool from[8] = {false};
	int different = 0;

	(void)state;
	for (uint64_t seed = 0; seed < 100; seed++) {
		filch_entry e;

		begin(4, 8, false);
		thief = filch_bwos_fifo_thief(&q, seed);
		put(0, 30);
		assert_int_equal(filch_bwos_fifo_steal(&thief, &e), FILCH_OK);
		from[e / 4] = true;
		if (seed != 99)
			end(NULL);
	}
	for (int i = 0; i < 8; i++)
		different += from[i];
	assert_int_equal(different, 6); /* all but the head and the back */
}

static void ring_wraps(void **state)
{
	filch_entry next = 0;

	(void)state;
	begin(2, 4, true);
	for (int round = 0; round < 100; round++) {
		put(next, next + 7);
		get(next, next + 7);
		next += 7;
		nothing_to_get();
	}
	put(next, next + 3);
	for (int round = 0; round < 100; round++) {
		put(next + 3, next + 4);
		get(next, next + 1);
		next++;
	}
	assert_int_equal(blocks(), 4);
	assert_true(q.head_level > 40);
}

static void poke_is_answered_by_put(void **state)
{
	(void)state;
	begin(64, 4, false);
	put(0, 1);
	nothing_to_steal();
	put(1, 2); /* the owner keeps the older half */
	assert_int_equal(steal(), 1);
	nothing_to_steal();
	put(2, 3); /* in the back block, which is all the thieves' */
	assert_int_equal(steal(), 2);
	get(0, 1);
	nothing_to_get();
}

static void poke_is_answered_by_get(void **state)
{
	(void)state;
	begin(64, 4, false);
	put(0, 6);
	nothing_to_steal();
	get(0, 1); /* 1..5 remain, 3..5 are granted */
	assert_int_equal(filch_bwos_fifo_size_hint(&q), 3);
	assert_int_equal(steal(), 3);
	get(1, 3);
	get(4, 6); /* taken back, in order */
	nothing_to_get();
}

static void poke_splits_the_head_again(void **state)
{
	(void)state;
	begin(64, 4, false);
	put(0, 9);
	nothing_to_steal();
	get(0, 1); /* 1..8: 5..8 granted */
	for (filch_entry e = 5; e < 9; e++)
		assert_int_equal(steal(), e);
	nothing_to_steal();
	get(1, 2); /* 2..4: 3..4 granted */
	assert_int_equal(steal(), 3);
	put(9, 10);
	get(2, 3);
	get(4, 5);
	get(9, 10);
	nothing_to_get();
}

static void poke_on_empty_waits_for_the_first_put(void **state)
{
	(void)state;
	begin(64, 4, false);
	nothing_to_steal();
	nothing_to_get();
	put(0, 1);
	assert_int_equal(steal(), 0);
	nothing_to_get();
}

static void grows_by_blocks(void **state)
{
	(void)state;
	begin(2, 2, false);
	put(0, 1000);
	assert_in_range(blocks(), 500, 512);
	get(0, 1000);
	nothing_to_get();
	for (int round = 0; round < 3; round++) {
		put(0, 1000);
		get(0, 1000);
	}
	assert_in_range(blocks(), 500, 512); /* and does not grow again */
}

/* An owner that only puts, and thieves that take all they are given: the blocks they have
 * emptied are used again, though the owner never gets past its head block. */
static void closes_up_over_stolen_blocks(void **state)
{
	uint64_t put_sum = 0, got_sum = 0;
	filch_entry e;

	(void)state;
	begin(4, 8, true);
	for (filch_entry i = 0; i < 10000; i++) {
		assert_int_equal(filch_bwos_fifo_put(owner, i), FILCH_OK);
		put_sum += i;
		if (i >= 16 && filch_bwos_fifo_steal(&thief, &e) == FILCH_OK)
			got_sum += e;
	}
	assert_int_equal(blocks(), 8);
	while (filch_bwos_fifo_get(owner, &e) == FILCH_OK)
		got_sum += e;
	assert_int_equal(put_sum, got_sum);
}

/* Thieves that keep up with an owner that only puts get its oldest entries too. */
static void oldest_entries_are_not_forgotten(void **state)
{
	bool out[64] = {false};
	int missing = 64;

	(void)state;
	begin(64, 4, false);
	put(0, 65);
	for (filch_entry i = 65; missing && i < 100000; i++) {
		filch_entry e;

		while (filch_bwos_fifo_steal(&thief, &e) == FILCH_OK) {
			missing -= e < 64 && !out[e];
			if (e < 64)
				out[e] = true;
		}
		put(i, i + 1);
	}
	assert_int_equal(missing, 0);
}

/* Blocks that thieves have emptied do not stay between head and tail for long. */
static void head_skips_drained_blocks(void **state)
{
	filch_entry e;

	(void)state;
	begin(2, 2, false);
	put(0, 2000);
	for (filch_entry i = 0; i < 4000; i++) {
		while (filch_bwos_fifo_steal(&thief, &e) == FILCH_OK)
			;
		put(i, i + 1);
	}
	assert_in_range(q.tail_level - q.head_level, 0, 4);
}

static void full_put_answers_a_poke(void **state)
{
	(void)state;
	begin(4, 2, true);
	put(0, 8);
	nothing_to_steal();
	assert_int_equal(filch_bwos_fifo_put(owner, 99), FILCH_FULL);
	assert_in_range(steal(), 0, 7);
}

static void full_changes_nothing(void **state)
{
	(void)state;
	begin(2, 2, true);
	put(0, 4);
	for (int i = 0; i < 5; i++)
		assert_int_equal(filch_bwos_fifo_put(owner, 99), FILCH_FULL);
	get(0, 1);
	assert_int_equal(filch_bwos_fifo_put(owner, 99),
	                 FILCH_FULL); /* its block is not free */
	get(1, 2);
	put(4, 6);
	assert_int_equal(filch_bwos_fifo_put(owner, 99), FILCH_FULL);
	get(2, 6);
	nothing_to_get();
	put(0, 4);
}

/* A full put may have to look for room; the owner's next get must still be right. */
static void full_after_thieves_emptied_the_head(void **state)
{
	(void)state;
	begin(4, 2, true);
	put(0, 4);
	nothing_to_steal();
	get(0, 1); /* 1..3: 2..3 granted; the back is another block from here on */
	put(4, 8);
	get(1, 2);
	assert_in_range(steal(), 2, 3);
	assert_in_range(steal(), 3, 3);
	put(8, 12);
	assert_int_equal(filch_bwos_fifo_put(owner, 99), FILCH_FULL);
	assert_int_equal(filch_bwos_fifo_put(owner, 99), FILCH_FULL);
	get(4, 12);
	nothing_to_get();
}

/* The case of EMPER's analysis, section 3.2: a thief has reserved two entries, the owner
 * empties the queue, and no further put would succeed. Here it does. */
static void never_full_and_empty_at_once(void **state)
{
	struct filch__claim c;
	filch_entry got[4];

	(void)state;
	begin(4, 4, true);
	put(0, 16);
	thief.block = filch__order_at(&q.order, 1);
	assert_int_equal(filch__bwos_fifo_reserve(&thief, 2, &c), FILCH_OK);
	get(0, 4);
	put(16, 20);
	get(6, 20);
	nothing_to_get();
	for (int round = 0; round < 10; round++) {
		put(0, 12);
		get(0, 12);
		nothing_to_get();
	}
	filch__block_finish(&c, got);
	assert_int_equal(got[0], 4);
	assert_int_equal(got[1], 5);
	assert_int_equal(blocks(), 5);
}

static void batch_takes_a_block(void **state)
{
	filch_entry got[16];
	size_t n;

	(void)state;
	begin(4, 4, false);
	put(0, 9);
	thief.block = filch__order_at(&q.order, 1);
	assert_int_equal(filch_bwos_fifo_steal_batch(&thief, got, 3, &n), FILCH_OK);
	assert_int_equal(n, 3);
	assert_int_equal(got[0], 4);
	assert_int_equal(filch_bwos_fifo_steal_batch(&thief, got, 16, &n), FILCH_OK);
	assert_int_equal(n, 1);
	assert_int_equal(got[0], 7);
	assert_int_equal(filch_bwos_fifo_steal_batch(&thief, got, 0, &n), FILCH_EMPTY);
	assert_int_equal(n, 0);
}

static void block_size_one(void **state)
{
	(void)state;
	begin(1, 2, true);
	put(0, 2);
	assert_int_equal(filch_bwos_fifo_put(owner, 2), FILCH_FULL);
	get(0, 1);
	put(2, 3);
	get(1, 3);
	nothing_to_get();
}

static void levels_wrap(void **state)
{
	struct filch_queue_options o = {2, 4, true, UINT64_MAX - 1};
	filch_entry next = 0;

	(void)state;
	assert_int_equal(filch_bwos_fifo_init(&q, &o), 0);
	owner = filch_bwos_fifo_owner(&q);
	thief = filch_bwos_fifo_thief(&q, 1);
	for (int round = 0; round < 10; round++, next += 8) {
		put(next, next + 7);
		assert_in_range(steal(), next + 2, next + 5);
		while (filch_bwos_fifo_get(owner, &(filch_entry){0}) == FILCH_OK)
			;
	}
	assert_true(q.head_level < 100);
}

/* The owner empties a block of which a thief still reads an entry: it must not begin it
 * anew. */
static void empty_block_with_a_stalled_thief_is_not_begun_anew(void **state)
{
	struct filch__claim c;
	filch_entry e = 0;

	(void)state;
	begin(64, 4, false);
	put(0, 1);
	nothing_to_steal();
	put(1, 2); /* moves the back to a second block, grants 1 from the head */
	assert_int_equal(steal(), 1);
	nothing_to_steal();
	put(2, 3); /* granted in the back block */
	assert_int_equal(filch__bwos_fifo_reserve(&thief, 1, &c), FILCH_OK);
	get(0, 1);
	nothing_to_get(); /* head and tail are the block that the thief reads */
	assert_ptr_equal(q.head, c.block);
	put(9, 10);
	filch__block_finish(&c, &e);
	assert_int_equal(e, 2);
	get(9, 10);
}

static void largest_block(void **state)
{
	uint64_t sum = 0;
	size_t taken = 0;

	(void)state;
	begin(FILCH_BLOCK_SIZE_MAX, 2, false);
	nothing_to_steal();
	put(0, 100000);
	for (; taken < 1000; taken++)
		sum += steal();
	for (filch_entry e; filch_bwos_fifo_get(owner, &e) == FILCH_OK; taken++)
		sum += e;
	assert_int_equal(taken, 100000);
	assert_int_equal(sum, (uint64_t)100000 * 99999 / 2);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_teardown(f, end)
	const struct CMUnitTest tests[] = {
		TEST(blocks_behind_the_head_are_granted),
		TEST(get_takes_over_the_next_block),
		TEST(takeover_leaves_half_to_active_thieves),
		TEST(steals_from_any_granted_block),
		TEST(ring_wraps),
		TEST(poke_is_answered_by_put),
		TEST(poke_is_answered_by_get),
		TEST(poke_splits_the_head_again),
		TEST(poke_on_empty_waits_for_the_first_put),
		TEST(grows_by_blocks),
		TEST(closes_up_over_stolen_blocks),
		TEST(oldest_entries_are_not_forgotten),
		TEST(head_skips_drained_blocks),
		TEST(full_put_answers_a_poke),
		TEST(full_changes_nothing),
		TEST(full_after_thieves_emptied_the_head),
		TEST(never_full_and_empty_at_once),
		TEST(empty_block_with_a_stalled_thief_is_not_begun_anew),
		TEST(batch_takes_a_block),
		TEST(block_size_one),
		TEST(levels_wrap),
		TEST(largest_block),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
