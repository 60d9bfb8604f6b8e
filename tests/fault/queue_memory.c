/* SPDX-License-Identifier: MIT */
/*
 * Memory refused at the n-th call, for every n: an init that fails leaves nothing behind,
 * a put that fails says FULL, and what was put before still comes out, once and in order.
 */
#include "tests/test.h"

#include <errno.h>

#include "queue/queue.h"

static long calls_left = -1; /* -1: never refuse */

void *__real_malloc(size_t size);
void *__real_aligned_alloc(size_t align, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_aligned_alloc(size_t align, size_t size);

static int refused(void)
{
	return calls_left >= 0 && calls_left-- == 0;
}

void *__wrap_malloc(size_t size)
{
	return refused() ? NULL : __real_malloc(size);
}

void *__wrap_aligned_alloc(size_t align, size_t size)
{
	return refused() ? NULL : __real_aligned_alloc(align, size);
}

#define FILCH_QUEUE_EACH "tests/fault/queue_memory.inc.h"
#include "queue/each.h"

int main(void)
{
#define TEST(kind, order, text) \
	cmocka_unit_test(init_refused_##kind), cmocka_unit_test(growth_refused_##kind),
	const struct CMUnitTest tests[] = {FILCH_QUEUE_KINDS(TEST)};
#undef TEST

	return cmocka_run_group_tests(tests, NULL, NULL);
}
