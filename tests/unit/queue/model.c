/* SPDX-License-Identifier: MIT */
/*
 * Random sequences of put, get, steal and steal_batch on one thread, against a plain
 * list.
 *
 * These rules hold for every kind: a get returns the newest (LIFO) or the oldest (FIFO)
 * entry that was not stolen; a steal returns an entry that is there, the oldest for LIFO
 * kinds; nothing is lost or doubled; FULL only in a bounded queue; a thief that finds
 * nothing while the owner has entries gets one after the owner's next put.
 */
#include "tests/test.h"

#include <string.h>

#include "queue/queue.h"

#define STEPS 20000
#define MOST 4096

static struct {
	filch_entry item[MOST];
	size_t n;
	filch_entry next;
} model = {.next = 1}; /* oldest first */

static void model_remove(size_t i)
{
	memmove(&model.item[i], &model.item[i + 1],
	        (model.n - i - 1) * sizeof model.item[0]);
	model.n--;
}

static size_t model_find(filch_entry e)
{
	for (size_t i = 0; i < model.n; i++)
		if (model.item[i] == e)
			return i;
	fail_msg("entry %zu is not in the queue", (size_t)e);
	return 0;
}

enum order { LIFO, FIFO };

#define FILCH_QUEUE_EACH "tests/unit/queue/model.inc.h"
#include "queue/each.h"

int main(void)
{
#define TEST(kind, order, text) cmocka_unit_test(reference_##kind),
	const struct CMUnitTest tests[] = {FILCH_QUEUE_KINDS(TEST)};
#undef TEST

	return cmocka_run_group_tests(tests, NULL, NULL);
}
