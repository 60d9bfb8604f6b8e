/* SPDX-License-Identifier: MIT */
/*
 * Searching. A crew looks for the first index that fits. Its blocks are taken in order,
 * so when a member finds something, all blocks before that one are being searched, and
 * only these must be waited for. A member searches its block in pieces of some
 * microseconds, and between two pieces checks whether another member has found an earlier
 * index.
 *
 * A body that fails ends the search at its piece like one that finds something: whichever
 * comes first in the range counts, as in a plain loop.
 */
#include <filch/find.h>

#include <assert.h>
#include <errno.h>
#include <filch/detail/wait.h>
#include <filch/reduce.h>
#include <stdint.h>

#include "algo/alone.h"
#include "algo/crew.h"
#include "algo/pace.h"
#include "base/clock.h"
#include "base/cpu.h"
#include "base/lock.h"
#include "base/misuse.h"

/* The least time of a piece. */
#define LEAST_US 4

/* The most indices of a block: a member may search that many in vain. */
#define BLOCK_MOST 32768

/* ---- the first ---- */

struct search {
	struct filch__crew crew; /* first */
	int (*body)(size_t begin, size_t end, size_t *found, void *context);
	void *context;
	struct filch__pace pace; /* of pieces within blocks */
	_Atomic(size_t) until; /* only indices before it matter; written under the lock */
	struct filch__lock lock;
	int result; /* the body's result at `until`; under the lock */
};

/* A member has found the index `at`, or has failed there. */
static void settle(struct search *s, size_t at, int result)
{
	assert(at < s->crew.end);
	filch__lock(&s->lock);
	if (at < load_rlx(&s->until)) {   /* under the lock */
		store_rlx(&s->until, at); /* under the lock */
		s->result = result;
	}
	filch__unlock(&s->lock);
	filch__crew_enough(&s->crew); /* all blocks before `at` are taken */
}

/* Searches a piece. Returns true if the search ends in it: *at says where, *result
 * how. */
static bool look(struct search *s, size_t begin, size_t end, size_t *at, int *result)
{
	*at = end;
	*result = s->body(begin, end, at, s->context);
	if (FILCH_UNLIKELY(*result)) {
		*at = begin;
		return true;
	}
	if (FILCH_UNLIKELY(*at < begin || *at > end))
		filch__misuse(
			"filch_find_first",
			"the body found %zu, which is not in its piece, %zu to %zu; "
			"set *found to an index of the piece, or leave it",
			*at, begin, end);
	return *at < end;
}

static int search_block(struct filch__crew *c, size_t block, size_t begin, size_t end,
                        void *mine)
{
	struct search *s = (struct search *)c;
	uint64_t start = filch__ticks();

	(void)block;
	(void)mine;
	while (begin < end && begin < load_rlx(&s->until)) { /* a hint: less to do */
		size_t n = load_rlx(&s->pace.grain);         /* a hint */
		size_t cut = end - begin > n ? begin + n : end;
		uint64_t now;
		size_t at;
		int r;

		if (FILCH_UNLIKELY(look(s, begin, cut, &at, &r)))
			settle(s, at, r);
		now = filch__ticks();
		filch__pace_learn(&s->pace, cut - begin, now - start);
		start = now;
		begin = cut;
	}
	return 0;
}

/* Searches a piece when the caller is alone. All indices before it have been searched, so
 * an index that it finds is the first; then it returns 1, which ends the search. */
static int search_alone(size_t begin, size_t end, void *arg)
{
	struct search *s = arg;
	size_t at;

	if (!look(s, begin, end, &at, &s->result))
		return 0;
	assert(begin <= at && at < end);
	store_rlx(&s->until, at); /* no other worker yet */
	return 1;
}

/* The caller searches alone, and then a crew searches the rest. */
static int search(struct search *s, size_t begin)
{
	struct filch__crew *c = &s->crew;
	size_t n = 1;
	int r;

	c->begin = filch__alone(begin, c->end, search_alone, s, &n, &r);
	if (c->begin < c->end) {
		c->block = filch__crew_block(c->end - c->begin, BLOCK_MOST);
		filch__pace_init(&s->pace, n, LEAST_US);
		r = filch__crew_run(c);
	}
	return r < 0 ? r : s->result; /* below 0: the caller's group is cancelled */
}

int filch_find_first(size_t begin, size_t end, size_t *found,
                     int (*body)(size_t begin, size_t end, size_t *found, void *context),
                     void *context)
{
	struct search s = {
		.crew = {.shown = (filch__function *)body,
	                 .end = end,
	                 .run = search_block},
		.body = body,
		.context = context,
		.until = end,
	};
	int r;

	if (begin > end || !found || !body)
		return -EINVAL;
	r = search(&s, begin);
	if (!r)
		*found = load_rlx(&s.until); /* the joins order it */
	return r;
}

/* ---- the least, the greatest ---- */

/* A search for the least or the greatest of an array's elements. */
struct extreme {
	const char *base;
	size_t size;
	int (*compare)(const void *a, const void *b, void *context);
	void *context;
	bool greatest;
};

/* True if `one` is better than the best so far. (The result of compare() is not negated,
 * since it may be INT_MIN.) */
static inline bool beats(const struct extreme *x, const char *one, const char *best,
                         bool greatest)
{
	int c = x->compare(one, best, x->context);

	return greatest ? c > 0 : c < 0;
}

/* Returns the index of the best of [begin, end). `greatest` is a constant, so that the
 * loop does not test it. */
static inline __attribute__((always_inline)) size_t best_of(const struct extreme *x,
                                                            size_t begin, size_t end,
                                                            bool greatest)
{
	const struct extreme copy = *x; /* no call of compare() can change it */
	const char *best = x->base + begin * copy.size, *last = x->base + end * copy.size;

	assert(begin < end);
	for (const char *one = best + copy.size; one < last; one += copy.size)
		if (beats(&copy, one, best, greatest))
			best = one;
	return (size_t)(best - x->base) / copy.size;
}

static int best_of_leaf(size_t begin, size_t end, void *result, void *context)
{
	const struct extreme *x = context;

	*(size_t *)result = x->greatest ? best_of(x, begin, end, true)
	                                : best_of(x, begin, end, false);
	return 0;
}

/* Keeps the better of two results; the left one if they are equal, since it comes
 * first. */
static void better(void *left, const void *right, void *context)
{
	const struct extreme *x = context;
	size_t *l = left, r = *(const size_t *)right;

	if (beats(x, x->base + r * x->size, x->base + *l * x->size, x->greatest))
		*l = r;
}

static size_t extreme(const char *call, struct extreme *x, size_t n)
{
	size_t best = 0; /* each leaf replaces it */

	if (!x->compare)
		filch__misuse(call, "compare is NULL; pass a function like that of "
		                    "qsort_r()");
	if (!n)
		return 0;
	if (!x->base || !x->size || n > SIZE_MAX / x->size)
		filch__misuse(call,
		              "%zu elements of %zu bytes at %p cannot be in memory; pass "
		              "an array",
		              n, x->size, (const void *)x->base);
	/* This call cannot report that it was cancelled, so then the caller does all of
	 * it here. */
	if (filch_reduce(0, n, &best, sizeof best, best_of_leaf, better, x))
		best_of_leaf(0, n, &best, x);
	assert(best < n);
	return best;
}

size_t filch_min(const void *base, size_t n, size_t size,
                 int (*compare)(const void *a, const void *b, void *context),
                 void *context)
{
	struct extreme x = {base, size, compare, context, false};

	return extreme("filch_min", &x, n);
}

size_t filch_max(const void *base, size_t n, size_t size,
                 int (*compare)(const void *a, const void *b, void *context),
                 void *context)
{
	struct extreme x = {base, size, compare, context, true};

	return extreme("filch_max", &x, n);
}
