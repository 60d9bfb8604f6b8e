/* SPDX-License-Identifier: MIT */
/*
 * The first that fits: a crew takes blocks in order, so that all before what somebody
 * finds are in work already and only these must be waited for. Each block is looked
 * through in pieces of some microseconds, between which it is seen whether somebody has
 * found an earlier one.
 *
 * A body that fails ends the search there, like one that finds something: what comes
 * first in the range counts, as in a plain loop.
 */
#include <filch/find.h>

#include <errno.h>
#include <filch/reduce.h>
#include <filch/wait.h>
#include <stdint.h>

#include "algo/alone.h"
#include "algo/block.h"
#include "algo/crew.h"
#include "algo/enter.h"
#include "base/cpu.h"
#include "sched/lock.h"
#include "sched/misuse.h"

/* A piece that takes less is too small, one that takes more too large. */
#define LEAST_US 4
#define MOST_US 16

/* Indices a block, at most: what is in work when something is found. */
#define BLOCK_MOST 32768

/* ---- the first ---- */

struct search {
	struct filch__crew crew; /* first */
	int (*body)(size_t begin, size_t end, size_t *found, void *context);
	void *context;
	uint64_t least, most;  /* ticks */
	_Atomic(size_t) piece; /* indices, so far; written by any of them */
	_Atomic(size_t) until; /* only what is before it counts; written under the lock */
	struct filch__lock lock;
	int result; /* of the body, at `until`; under the lock */
};

/* The search ends there. */
static void settle(struct search *s, size_t at, int result)
{
	filch__lock(&s->lock);
	if (at < load_rlx(&s->until)) {   /* under the lock */
		store_rlx(&s->until, at); /* under the lock */
		s->result = result;
	}
	filch__unlock(&s->lock);
	filch__crew_enough(&s->crew); /* all blocks before it are taken */
}

/* A piece of n indices took so many ticks. */
static void learn(struct search *s, size_t n, uint64_t ticks)
{
	size_t piece = load_rlx(&s->piece); /* any recent one will do */

	if (ticks < s->least && n >= piece && piece < s->crew.block)
		store_rlx(&s->piece, piece * (ticks < s->least / 8 ? 8 : 2)); /* a hint */
	else if (ticks > s->most && n > 1 && n / 2 < piece)
		store_rlx(&s->piece, n / 2); /* a hint */
}

/* True if the search ends there: *at says where, *result how. */
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
		size_t piece = load_rlx(&s->piece);          /* a hint */
		size_t cut = end - begin > piece ? begin + piece : end;
		uint64_t now;
		size_t at;
		int r;

		if (FILCH_UNLIKELY(look(s, begin, cut, &at, &r)))
			settle(s, at, r);
		now = filch__ticks();
		learn(s, cut - begin, now - start);
		start = now;
		begin = cut;
	}
	return 0;
}

/* All before it has been looked at: so what it finds is the first, and 1 ends it. */
static int search_alone(size_t begin, size_t end, void *arg)
{
	struct search *s = arg;
	size_t at;

	if (!look(s, begin, end, &at, &s->result))
		return 0;
	store_rlx(&s->until, at); /* nobody else yet */
	return 1;
}

/* By the caller, and then by all. */
static int search(struct search *s, size_t begin)
{
	struct filch__crew *c = &s->crew;
	size_t n = 1;
	int r;

	c->begin = filch__alone(begin, c->end, search_alone, s, &n, &r);
	if (c->begin < c->end) {
		c->block = filch__block(c->end - c->begin, BLOCK_MOST);
		store_rlx(&s->piece, n); /* nobody else yet */
		r = filch__crew_run(c);
	}
	return r < 0 ? r : s->result; /* below 0: cancelled */
}

int filch_find_first(size_t begin, size_t end, size_t *found,
                     int (*body)(size_t begin, size_t end, size_t *found, void *context),
                     void *context)
{
	uint64_t us = filch__ticks_per_us();
	struct search s = {
		.crew = {.end = end, .run = search_block},
		.body = body,
		.context = context,
		.least = LEAST_US * us,
		.most = MOST_US * us,
		.until = end,
	};
	int r;

	if (begin > end || !found || !body)
		return -EINVAL;
	r = search(&s, begin);
	if (!r)
		*found = load_rlx(&s.until); /* nobody else any more */
	return r;
}

/* ---- the least, the greatest ---- */

struct extreme {
	const char *base;
	size_t size;
	int (*compare)(const void *a, const void *b, void *context);
	void *context;
	bool greatest;
};

/* Not by the sign of what compare() gives: it may be INT_MIN. */
static inline bool beats(const struct extreme *x, const char *one, const char *best,
                         bool greatest)
{
	int c = x->compare(one, best, x->context);

	return greatest ? c > 0 : c < 0;
}

/* `greatest` is a constant. */
static inline __attribute__((always_inline)) size_t best_of(const struct extreme *x,
                                                            size_t begin, size_t end,
                                                            bool greatest)
{
	const struct extreme copy = *x; /* nobody can have changed it meanwhile */
	const char *best = x->base + begin * copy.size, *last = x->base + end * copy.size;

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

static void better(void *left, const void *right, void *context)
{
	const struct extreme *x = context;
	size_t *l = left, r = *(const size_t *)right;

	if (beats(x, x->base + r * x->size, x->base + *l * x->size, x->greatest))
		*l = r;
}

static size_t extreme(const char *call, struct extreme *x, size_t n)
{
	size_t best = 0; /* each leaf has a better one */

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
	/* What has no result to report it by is not cancelled: it ends here. */
	if (filch_reduce(0, n, &best, sizeof best, best_of_leaf, better, x))
		best_of_leaf(0, n, &best, x);
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
