/* SPDX-License-Identifier: MIT */
/*
 * Thieves that stall at random between reserving and finishing, while the owner works at
 * full speed: every entry comes out once, blocks are set aside and come back, and the
 * number of blocks stays within one a thief of what the queue itself needs.
 */
#include "tests/test.h"

#include <pthread.h>
#include <sched.h>

#include "queue/bwos_fifo.h"
#include "queue/bwos_lifo.h"

#define THIEVES 4

static _Atomic(int) owner_done;

#define FILCH_QUEUE bwos_lifo
#include "tests/stress/queue/stalling_thieves.inc.h"
#undef FILCH_QUEUE
#define FILCH_QUEUE bwos_fifo
#include "tests/stress/queue/stalling_thieves.inc.h"
#undef FILCH_QUEUE

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stalling_bwos_lifo),
		cmocka_unit_test(stalling_bwos_fifo),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
