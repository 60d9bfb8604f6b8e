/* SPDX-License-Identifier: MIT */
/*
 * Memory refused at the n-th call, for every n: an init that fails leaves nothing behind,
 * a put that fails says FULL, and what was put before still comes out, once and in order.
 */
#include "tests/test.h"

#include <errno.h>

#include "queue/queue.h"
#include "tests/refuse.h"

REFUSE__wrap_malloc(refused());
REFUSE__wrap_aligned_alloc(refused());

#define FILCH_QUEUE_EACH "tests/fault/queue/memory.inc.h"
#include "queue/each.h"

/* A stalled thief's block cannot be replaced: the put says FULL, and goes through once
 * there is memory again, or the thief is done. */
static void set_aside_refused(void **state)
{
	struct filch_queue_options o = {2, 2, false, 0};
	struct filch_bwos_lifo q;
	struct filch_bwos_lifo_owner owner;
	struct filch_bwos_lifo_thief thief;
	struct filch__claim c;
	filch_entry e;

	(void)state;
	assert_int_equal(filch_bwos_lifo_init(&q, &o), 0);
	owner = filch_bwos_lifo_owner(&q);
	thief = filch_bwos_lifo_thief(&q, 1);
	for (filch_entry i = 0; i < 4; i++)
		assert_int_equal(filch_bwos_lifo_put(owner, i), FILCH_OK);
	assert_int_equal(filch__bwos_lifo_reserve(&thief, 2, &c), FILCH_OK);
	refuse_after(0, true);
	assert_int_equal(filch_bwos_lifo_put(owner, 4), FILCH_FULL);
	assert_int_equal(filch_bwos_lifo_put(owner, 4), FILCH_FULL);
	filch__block_finish(&c, (filch_entry[2]){0});
	assert_int_equal(filch_bwos_lifo_put(owner, 4),
	                 FILCH_OK); /* in the thief's block */
	refuse_none();
	for (filch_entry want = 4; want >= 2; want--) {
		assert_int_equal(filch_bwos_lifo_get(owner, &e), FILCH_OK);
		assert_int_equal(e, want);
	}
	assert_int_equal(filch_bwos_lifo_get(owner, &e), FILCH_EMPTY);
	filch_bwos_lifo_destroy(&q);
}

int main(void)
{
#define TEST(kind, order, text) \
	cmocka_unit_test(init_refused_##kind), cmocka_unit_test(growth_refused_##kind),
	const struct CMUnitTest tests[] = {FILCH_QUEUE_KINDS(TEST)
	                                           cmocka_unit_test(set_aside_refused)};
#undef TEST

	return cmocka_run_group_tests(tests, NULL, NULL);
}
