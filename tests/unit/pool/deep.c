/* SPDX-License-Identifier: MIT */
/*
 * A recursion that needs 6 MiB in plain C, and so fits into a main thread's 8 MiB, fits
 * into the stacks of a pool that was made without options, although its frames are larger
 * there: in a root, in a task that was stolen, in the body of a loop, in a task of a
 * group. A future has less, and more if a size is asked for.
 */
#include "tests/test.h"

#include <filch.h>
#include <sys/resource.h>

#include "base/atomic.h"
#include "fiber/switch.h"
#include "pool/depth.h"

#define NEEDED ((size_t)6 << 20)
#define LIMIT ((size_t)8 << 20)

/* ThreadSanitizer notes every frame, in a table of 64 Ki. */
#define PAD (FILCH__TSAN ? 1024 : FILCH__ASAN ? 512 : 64)

static long depth; /* at which plain() has used NEEDED bytes */
static char *deepest;

/* The tree that is searched: each node has a leaf and, in all levels but the last, a node. */

static long plain_leaf(long n)
{
	return n & 1;
}

static long plain(long n)
{
	volatile char pad[PAD];
	long sum;

	pad[0] = (char)n;
	if (n == 0) {
		deepest = __builtin_frame_address(0);
		return 0;
	}
	sum = plain(n - 1);
	return sum + plain_leaf(n) + pad[0] - (char)n;
}

FILCH_STATIC_TASK(long, leaf, (long, n))
{
	return n & 1;
}

FILCH_STATIC_TASK(long, search, (long, n))
{
	volatile char pad[PAD];
	long sum;

	pad[0] = (char)n;
	if (n == 0)
		return 0;
	FILCH_SPAWN(x, leaf, n);
	sum = FILCH_CALL(search, n - 1);
	return sum + FILCH_JOIN(x) + pad[0] - (char)n;
}

/* ---- those that search ---- */

FILCH_STATIC_TASK(long, after, (struct filch_event *, begun))
{
	filch_event_set(begun);
	return FILCH_CALL(search, depth);
}

/* The spawned task begins while its spawner does something else: it was stolen. */
FILCH_STATIC_TASK(long, have_stolen)
{
	struct filch_event begun = FILCH_EVENT_INIT;
	FILCH_SPAWN(x, after, &begun);

	while (!filch_event_is_set(&begun))
		FILCH_CALL(search, 5); /* a pool that polls is asked at joins */
	return FILCH_JOIN(x);
}

static int body(size_t begin, size_t end, void *sum)
{
	for (size_t i = begin; i < end; i++)
		add_rlx((_Atomic(long) *)sum, FILCH_CALL(search, depth)); /* a count */
	return 0;
}

FILCH_STATIC_TASK(long, loop)
{
	_Atomic(long) sum = 0;

	if (filch_for_grain(0, 8, 1, body, &sum))
		return -1;
	return load_rlx(&sum); /* the loop is over */
}

FILCH_STATIC_TASK_VOID(add, (_Atomic(long) *, sum))
{
	add_rlx(sum, FILCH_CALL(search, depth)); /* a count */
}

FILCH_STATIC_TASK(long, group)
{
	_Atomic(long) sum = 0;
	struct filch_group g;

	filch_group_begin(&g);
	for (int i = 0; i < 8; i++)
		if (FILCH_GROUP_SPAWN(&g, add, &sum))
			return -1;
	return filch_group_wait(&g) ? -1 : load_rlx(&sum); /* all are done */
}

/* ---- the tests ---- */

static struct filch_pool *pool_of(unsigned workers, size_t stack_size)
{
	struct filch_pool_options o = {.workers = workers, .stack_size = stack_size};
	struct filch_pool *p;

	assert_int_equal(filch_pool_create(&p, &o, NULL), 0);
	return p;
}

static int find_depth(void **state)
{
	struct rlimit limit;
	struct filch__limits limits;
	char *here;

	(void)state;
	if (getrlimit(RLIMIT_STACK, &limit) ||
	    (limit.rlim_max != RLIM_INFINITY && limit.rlim_max < LIMIT))
		return -1;
	limit.rlim_cur = LIMIT;
	if (setrlimit(RLIMIT_STACK, &limit))
		return -1;
	unsetenv("FILCH_STACK_SIZE");
	filch__limits_read(&limits);
	if (filch__stack_size_for(&limits) < LIMIT)
		return 0; /* another limit is in the way: depth 0 */
	plain(1000);
	here = deepest;
	plain(2000);
	depth = (long)(NEEDED / ((size_t)(here - deepest) / 1000));
	return 0;
}

static void plain_fits(void **state)
{
	char *here = __builtin_frame_address(0);

	(void)state;
	if (!depth)
		skip();
	assert_int_equal(plain(depth), (depth + 1) / 2);
	assert_true((size_t)(here - deepest) >= NEEDED / 10 * 9);
}

static void root_fits(void **state)
{
	struct filch_pool *p = pool_of(1, 0);

	(void)state;
	assert_int_equal(FILCH_RUN_ON(p, search, depth), (depth + 1) / 2);
	assert_int_equal(filch_pool_destroy(p), 0);
}

static void stolen_fits(void **state)
{
	struct filch_pool *p = pool_of(2, 0);

	(void)state;
	assert_int_equal(FILCH_RUN_ON(p, have_stolen), (depth + 1) / 2);
	assert_int_equal(filch_pool_destroy(p), 0);
}

static void loop_fits(void **state)
{
	struct filch_pool *p = pool_of(2, 0);

	(void)state;
	assert_int_equal(FILCH_RUN_ON(p, loop), (depth + 1) / 2 * 8);
	assert_int_equal(filch_pool_destroy(p), 0);
}

static void group_fits(void **state)
{
	struct filch_pool *p = pool_of(2, 0);

	(void)state;
	assert_int_equal(FILCH_RUN_ON(p, group), (depth + 1) / 2 * 8);
	assert_int_equal(filch_pool_destroy(p), 0);
}

/* A size that was asked for counts for futures as well. */
static void future_fits_if_asked(void **state)
{
	struct filch_pool *p = pool_of(1, (size_t)64 << 20);
	struct filch_future *f = FILCH_GO_ON(p, search, depth);

	(void)state;
	assert_non_null(f);
	assert_int_equal(FILCH_AWAIT(search, f), (depth + 1) / 2);
	filch_future_drop(f);
	assert_int_equal(filch_pool_destroy(p), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_fits),  cmocka_unit_test(root_fits),
		cmocka_unit_test(stolen_fits), cmocka_unit_test(loop_fits),
		cmocka_unit_test(group_fits),  cmocka_unit_test(future_fits_if_asked),
	};

	return cmocka_run_group_tests(tests, find_depth, NULL);
}
