/* SPDX-License-Identifier: MIT */
/*
 * Nothing stays out of reach: an idle thief, and an owner that does nothing but a slow
 * put now and then. The thief must get every entry, though no block ever fills up. The
 * same with an owner that only gets: what it leaves, the thief gets.
 *
 * There is no time limit here; if the thief starves, the test hangs and CTest ends it.
 */
#include "tests/test.h"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include "base/atomic.h"
#include "queue/queue.h"

static _Atomic(size_t) stolen;
static _Atomic(int) stop;

#define FILCH_QUEUE_EACH "tests/stress/queue/liveness.inc.h"
#include "queue/each.h"

int main(void)
{
#define TEST(kind, order, text) \
	cmocka_unit_test(slow_put_##kind), cmocka_unit_test(slow_get_##kind),
	const struct CMUnitTest tests[] = {FILCH_QUEUE_KINDS(TEST)};
#undef TEST

	return cmocka_run_group_tests(tests, NULL, NULL);
}
