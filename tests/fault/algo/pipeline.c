/* SPDX-License-Identifier: MIT */
/*
 * Memory, mappings and threads refused, the n-th or all from the n-th on: a pipeline does
 * with fewer tokens, or with one worker, and all items pass.
 */
#include <filch.h>
#include <filch/pipeline.h>
#include <stdbool.h>

#include "base/atomic.h"
#include "tests/refuse.h"
#include "tests/test.h"

#define ITEMS 60u

static _Atomic(int) mappings_only; /* memory is to be had */

static bool memory_refused(void)
{
	return !load_rlx(&mappings_only) && refused(); /* set before */
}

REFUSE__wrap_malloc(memory_refused());
REFUSE__wrap_calloc(memory_refused());
REFUSE__wrap_aligned_alloc(memory_refused());
REFUSE__wrap_mmap(refused());
REFUSE__wrap_pthread_create(refused());

/* ---- some work ---- */

struct work {
	unsigned made, next;
	_Atomic(unsigned) worked;
	unsigned item[ITEMS];
};

static int make(void **item, void *context)
{
	struct work *w = context;

	if (w->made < ITEMS) {
		w->item[w->made] = w->made;
		*item = &w->item[w->made++];
	}
	return 0;
}

static int nap(void **item, void *context)
{
	struct work *w = context;
	unsigned n = *(unsigned *)*item;

	add_rlx(&w->worked, 1); /* a count */
	if (n % 5 == 0)
		filch_sleep(FILCH_US * 50);
	else if (n % 5 == 1)
		filch_yield();
	return 0;
}

static int take(void **item, void *context)
{
	struct work *w = context;

	return *(unsigned *)*item == w->next++ ? 0 : -1;
}

FILCH_STATIC_TASK(int, pipeline, (size_t, tokens))
{
	struct work w = {0};
	struct filch_stage stage[] = {{FILCH_SERIAL, make, &w},
	                              {FILCH_PARALLEL, nap, &w},
	                              {FILCH_SERIAL, take, &w}};
	int result = filch_pipeline(stage, 3, tokens, NULL);

	if (result)
		return result;
	return w.next == ITEMS && load_rlx(&w.worked) == ITEMS ? 0 : -2; /* joined */
}

/* ---- tests ---- */

/* Uses pipelines while the n-th call is refused. False if there was no n-th call. */
static bool live_through(unsigned workers, long n, bool all)
{
	struct filch_pool_options o = {.workers = workers};
	struct filch_pool *p = NULL;

	refuse_none();
	assert_int_equal(filch_pool_create(&p, &o, NULL), 0);
	refuse_after(n, all);
	assert_int_equal(FILCH_RUN_ON(p, pipeline, 0), 0);
	assert_int_equal(FILCH_RUN_ON(p, pipeline, 1000), 0);
	assert_int_equal(FILCH_RUN_ON(p, pipeline, SIZE_MAX), 0);
	assert_int_equal(filch_pool_destroy(p), 0);
	return load_rlx(&refusals) > 0; /* all done */
}

static void each_call(bool all)
{
	for (unsigned workers = 1; workers <= 4; workers *= 2) {
		long n = 0;

		while (live_through(workers, n, all) && n < 40)
			n++;
		assert_true(n > 2);
		assert_false(live_through(workers, NEVER, false));
	}
}

static void nth_refused(void **state)
{
	(void)state;
	each_call(false);
}

static void all_from_nth_refused(void **state)
{
	(void)state;
	each_call(true);
}

/* Strands run in place, one upon the other; none waits for one that lies below it. */
static void no_stacks(void **state)
{
	(void)state;
	store_rlx(&mappings_only, 1); /* nobody else is there */
	for (long n = 0; n < 40; n += 3)
		for (unsigned workers = 1; workers <= 4; workers++)
			live_through(workers, n, true);
	refuse_none();
	store_rlx(&mappings_only, 0); /* nobody else is there */
}

/* No default pool: on the calling thread. */
static void no_pool(void **state)
{
	struct work w = {0};
	struct filch_stage stage[] = {{FILCH_SERIAL, make, &w}, {FILCH_SERIAL, take, &w}};

	(void)state;
	refuse_after(0, true);
	assert_int_equal(filch_pipeline(stage, 2, 0, NULL), 0);
	refuse_none();
	assert_int_equal(w.next, ITEMS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_pool),
		cmocka_unit_test(no_stacks),
		cmocka_unit_test(nth_refused),
		cmocka_unit_test(all_from_nth_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
