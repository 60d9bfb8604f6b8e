/* SPDX-License-Identifier: MIT */
/*
 * A thief that stops between reserving an entry and finishing the steal holds up nobody:
 * the owner goes on putting and getting a million entries, a second thief may stop as
 * well, memory does not grow, and the frozen entries come out once. Thieves that stall
 * while others go on are in stalling_thieves.c.
 */
#include "tests/test.h"

#include "queue/bwos_fifo.h"
#include "queue/bwos_lifo.h"

#define FILCH_QUEUE bwos_lifo
#include "tests/stress/queue/frozen_thief.inc.h"
#undef FILCH_QUEUE
#define FILCH_QUEUE bwos_fifo
#include "tests/stress/queue/frozen_thief.inc.h"
#undef FILCH_QUEUE

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frozen_bwos_lifo),
		cmocka_unit_test(frozen_bwos_fifo),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
