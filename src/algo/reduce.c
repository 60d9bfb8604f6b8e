/* SPDX-License-Identifier: MIT */
/*
 * Reductions. The range is cut into leaves, whose results are combined along a binary
 * tree. The tree depends on the range and the caller's grain alone, never on which worker
 * did which leaf. See README.md, "Leaves".
 */
#include <filch/reduce.h>

#include <assert.h>
#include <errno.h>
#include <filch/group.h>
#include <filch/task.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "algo/enter.h"
#include "algo/pace.h"
#include "base/atomic.h"
#include "base/clock.h"
#include "base/cpu.h"
#include "fiber/switch.h"

/* Results of up to this many bytes are kept in the frames. */
#define SMALL 256

/* About how many leaves a large range has. */
#define LEAVES 4096

struct reduction {
	/* First: see FILCH__SHOWS_BEHIND. */
	int (*body)(size_t begin, size_t end, void *result, void *context);
	size_t begin, end, leaf; /* the range; how many indices a leaf has */
	void (*combine)(void *left, const void *right, void *context);
	void *context;
	const void *identity;
	size_t size;         /* of a result, in bytes */
	bool at_once;        /* all leaves are offered at once: the caller gave a grain */
	const void *first;   /* the result of leaf 0 if it was done alone, or NULL */
	bool alone;          /* the rest is too little to share: nothing is spawned */
	_Atomic(int) result; /* the first that is nonzero; it ends the reduction */
};

/* Returns how many indices a leaf has in a range of n. A small range has between sqrt(n)
 * and 2 * sqrt(n) leaves, since each of its indices may take long; a large range has
 * leaves of 1024 indices or more. */
static size_t leaf_size(size_t n)
{
	size_t leaf = 1;

	while (leaf < 1024 && 4 * leaf * leaf < n)
		leaf *= 2;
	return n / LEAVES > leaf ? n / LEAVES : leaf;
}

static void stop(struct reduction *r, int result)
{
	int none = 0;

	assert(result);
	cas_rlx(&r->result, &none, result); /* read after the joins, or as a hint */
}

static bool stopped(struct reduction *r)
{
	return load_rlx(&r->result); /* a hint, or ordered by a join */
}

/* Copies a result, which is mostly one number. */
static inline void copy_result(void *to, const void *from, size_t size)
{
	if (size == sizeof(uint64_t))
		memcpy(to, from, sizeof(uint64_t));
	else
		memcpy(to, from, size);
}

static void fold_leaf(struct reduction *r, size_t leaf, void *out)
{
	size_t begin = r->begin + leaf * r->leaf;
	size_t end = r->end - begin > r->leaf ? begin + r->leaf : r->end;
	int result;

	assert(begin < end && end <= r->end);
	if (FILCH_UNLIKELY(filch_cancelled()))
		stop(r, -ECANCELED);
	if (stopped(r))
		return;
	if (r->first && !leaf) {
		copy_result(out, r->first, r->size);
		return;
	}
	copy_result(out, r->identity, r->size);
	result = r->body(begin, end, out, r->context);
	if (FILCH_UNLIKELY(result))
		stop(r, result);
}

FILCH__DEFINE(FILCH__SHOWS_BEHIND, static, 0, void, fold, (struct reduction *, r),
              (size_t, leaf), (size_t, leaves), (void *, out))
{
	alignas(FILCH_LINE) unsigned char small[SMALL];
	size_t half = leaves / 2;
	void *right;

	assert(leaves);
	if (leaves == 1) {
		fold_leaf(r, leaf, out);
		return;
	}
	right = r->size > SMALL ? malloc(r->size) : small;
	if (!right) {
		stop(r, -ENOMEM);
		return;
	}
	if (r->alone) {
		FILCH_CALL(fold, r, leaf, half, out);
		FILCH_CALL(fold, r, leaf + half, leaves - half, right);
	} else {
		FILCH_SPAWN(other, fold, r, leaf + half, leaves - half, right);
		FILCH_CALL(fold, r, leaf, half, out);
		FILCH_JOIN(other);
	}
	if (!stopped(r))
		r->combine(out, right, r->context);
	if (right != small)
		free(right);
}

struct fold_call {
	struct reduction *r;
	size_t leaves;
	void *out;
};

static void fold_here(void *arg)
{
	struct fold_call *c = arg;

	fold(c->r, 0, c->leaves, c->out);
}

/* Does the first leaf, and then the others if at that rate they cannot take long. Returns
 * true if the reduction is over then. */
static bool fold_alone(struct reduction *r, struct fold_call *c, void *first)
{
	uint64_t start = filch__ticks(), took;

	assert(!r->at_once && !r->first && !r->alone);
	fold_leaf(r, 0, first);
	took = filch__ticks() - start;
	if (stopped(r))
		return true;
	r->first = first;
	r->alone = !FILCH__TSAN && /* which is to see the leaves as parallel */
	           took < FILCH__WAKE_US * filch__ticks_per_us() / c->leaves;
	if (r->alone)
		fold_here(c);
	return r->alone;
}

/* `out` and `first` have room for one result each. */
static int reduce(struct reduction *r, void *result, void *out, void *first)
{
	size_t n = r->end - r->begin;
	struct fold_call c = {r, n / r->leaf + (n % r->leaf != 0), out};

	if (r->at_once || !fold_alone(r, &c, first))
		filch__enter_pool_as((filch__function *)r->body, fold_here, &c);
	if (!stopped(r))
		memcpy(result, out, r->size);
	return load_rlx(&r->result); /* the joins order it */
}

int filch_reduce_grain(size_t begin, size_t end, size_t grain, void *result, size_t size,
                       int (*body)(size_t begin, size_t end, void *result, void *context),
                       void (*combine)(void *left, const void *right, void *context),
                       void *context)
{
	alignas(FILCH_LINE) unsigned char small[2 * SMALL];
	unsigned char *room = small;
	struct reduction r = {.begin = begin,
	                      .end = end,
	                      .leaf = grain ? grain : leaf_size(end - begin),
	                      .body = body,
	                      .combine = combine,
	                      .context = context,
	                      .identity = result,
	                      .size = size,
	                      .at_once = grain != 0};
	int outcome;

	if (begin > end || !result || !size || !body || !combine)
		return -EINVAL;
	if (begin == end)
		return 0;
	if (size > SMALL)
		room = size > SIZE_MAX / 4 ? NULL : malloc(2 * (size + FILCH_LINE));
	if (!room)
		return -ENOMEM;
	outcome = reduce(
		&r, result, room,
		room + (size > SMALL ? size + FILCH_LINE - size % FILCH_LINE : SMALL));
	if (room != small)
		free(room);
	return outcome;
}

int filch_reduce(size_t begin, size_t end, void *result, size_t size,
                 int (*body)(size_t begin, size_t end, void *result, void *context),
                 void (*combine)(void *left, const void *right, void *context),
                 void *context)
{
	return filch_reduce_grain(begin, end, 0, result, size, body, combine, context);
}
