/* SPDX-License-Identifier: MIT */
/*
 * Every entry comes out exactly once: an owner that puts and gets in bursts, 1, 2 and 8
 * thieves that steal one or many, block sizes 1, 2, 8 and 64, growing and fixed, counters
 * that start at 0 and just before they wrap. Checked by count, by sum and by a bitmap.
 */
#include "tests/test.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>

#include "base/atomic.h"
#include "queue/queue.h"

#define THIEVES_MOST 8

struct tally {
	uint64_t count, sum;
};

static _Atomic(uint64_t) *seen; /* one bit an entry */
static _Atomic(int) owner_done;

static void note(struct tally *t, filch_entry e)
{
	uint64_t bit = (uint64_t)1 << (e & 63);
	uint64_t old = atomic_fetch_or_explicit(&seen[e / 64], bit, memory_order_relaxed);

	if (old & bit) {
		fprintf(stderr, "entry %zu came out twice\n", (size_t)e);
		abort();
	}
	t->count++;
	t->sum += e;
}

#define FILCH_QUEUE_EACH "tests/stress/queue/exactly_once.inc.h"
#include "queue/each.h"

int main(void)
{
#define TEST(kind, order, text) cmocka_unit_test(exactly_once_##kind),
	const struct CMUnitTest tests[] = {FILCH_QUEUE_KINDS(TEST)};
#undef TEST

	return cmocka_run_group_tests(tests, NULL, NULL);
}
