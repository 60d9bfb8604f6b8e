/* SPDX-License-Identifier: MIT */
/*
 * Prefix sums in one pass over the memory. A crew takes blocks in order. A member that
 * finds the sum of all blocks before its own writes the results of its block at once.
 * Otherwise it adds up its block, which brings the block into the cache, and by then can
 * mostly write the results. If it still cannot, it leaves the block to the member that
 * completes the block before it. See README.md, "Chains".
 */
#include <filch/scan.h>

#include <assert.h>
#include <errno.h>
#include <filch/group.h>
#include <filch/task.h>
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "algo/alone.h"
#include "algo/crew.h"
#include "base/clock.h"
#include "base/cpu.h"
#include "base/lock.h"

/* The most bytes of a sum. */
#define SMALL 256

/* How many indices a block has: between two passes, the block and its results should stay
 * in a core's own cache. BLOCKS_MOST limits the number of blocks. */
#define BLOCK 16384
#define BLOCK_LEAST 1024
#define BLOCKS_MOST 65536

/* How long a member polls for the completion of the block before its own. */
#define PATIENCE_US 50

struct scan {
	struct filch__crew crew; /* first */
	int (*body)(size_t begin, size_t end, const void *before, void *sum,
	            void *context);
	void (*combine)(void *left, const void *right, void *context);
	void *context;
	const void *identity;
	size_t size;             /* of a sum, in bytes */
	unsigned char *slot;     /* for each block that is left: its sum; once it is
	                          * known, the sum of all blocks before it */
	struct filch__lock lock; /* guards these: */
	bool *left;              /* for each block: it is added up, and left */
	_Atomic(size_t) known;   /* all blocks before this one are added up in `before` */
	/* This belongs to the member that does block `known`; the lock hands it on. */
	alignas(FILCH_LINE) unsigned char before[SMALL];
};

static unsigned char *slot(struct scan *s, size_t block)
{
	return s->slot + block * s->size;
}

/* Runs the body. Without `before` it only adds up. */
static int write_block(struct scan *s, size_t begin, size_t end, const void *before,
                       void *sum)
{
	memcpy(sum, s->identity, s->size);
	return s->body(begin, end, before, sum, s->context);
}

/* Writes the results of blocks [from, to), which were left, and whose slots hold the sums
 * of all blocks before them. */
FILCH__DEFINE(FILCH__SHOWS_BEHIND, static, 0, void, write_left, (struct scan *, s),
              (size_t, from), (size_t, to))
{
	alignas(FILCH_LINE) unsigned char sum[SMALL];
	size_t begin = s->crew.begin + from * s->crew.block, n = s->crew.block;
	int r;

	assert(from <= to && to <= s->crew.blocks);
	if (from == to || filch__crew_stopped(&s->crew))
		return;
	if (to - from > 1) {
		FILCH_SPAWN(rest, write_left, s, from + (to - from) / 2, to);
		FILCH_CALL(write_left, s, from, from + (to - from) / 2);
		FILCH_JOIN(rest);
		return;
	}
	r = write_block(s, begin, s->crew.end - begin > n ? begin + n : s->crew.end,
	                slot(s, from), sum);
	if (r)
		filch__crew_stop(&s->crew, r);
}

/* Returns true if all blocks before this one are added up. Then `before` is the
 * caller's. */
static bool is_next(struct scan *s, size_t block)
{
	bool next;

	filch__lock(&s->lock);
	assert(load_rlx(&s->known) <= block); /* under the lock */
	next = load_rlx(&s->known) == block;  /* under the lock */
	filch__unlock(&s->lock);
	return next;
}

/* Polls for a while until all blocks before this one are added up. Does not poll if the
 * block before was left: the member that did that block has polled. */
static bool become_next(struct scan *s, size_t block)
{
	uint64_t limit = PATIENCE_US * filch__ticks_per_us(), start = filch__ticks();
	bool left;

	assert(block > s->crew.first);
	filch__lock(&s->lock);
	left = s->left[block - 1];
	filch__unlock(&s->lock);
	while (!left && load_rlx(&s->known) != block) { /* a hint; is_next() decides */
		if (filch__crew_stopped(&s->crew) || filch__ticks() - start > limit)
			return false;
		filch__relax();
	}
	return is_next(s, block);
}

/* Leaves the block, which has this sum, to the member that completes the block before it.
 * Returns false if that block has been completed in the meantime. */
static bool leave(struct scan *s, size_t block, const void *sum)
{
	bool next;

	filch__lock(&s->lock);
	next = load_rlx(&s->known) == block; /* under the lock */
	assert(!s->left[block]);
	if (!next) {
		memcpy(slot(s, block), sum, s->size);
		s->left[block] = true;
	}
	filch__unlock(&s->lock);
	return !next;
}

/* Adds this block to `before`, and then the blocks after it that were left, whose slots
 * then hold the sums of all blocks before them. Returns the first block that was not
 * left. Caller: all blocks before this one are added up. */
static size_t add_next(struct scan *s, size_t block, const void *sum)
{
	unsigned char old[SMALL];
	bool left;

	s->combine(s->before, sum, s->context);
	for (;; s->combine(s->before, old, s->context)) {
		filch__lock(&s->lock);
		assert(load_rlx(&s->known) == block); /* under the lock */
		store_rlx(&s->known, ++block);        /* under the lock */
		left = block < s->crew.blocks && s->left[block];
		filch__unlock(&s->lock);
		if (!left)
			return block;
		memcpy(old, slot(s, block), s->size);
		memcpy(slot(s, block), s->before, s->size);
	}
}

static int scan_block(struct filch__crew *c, size_t block, size_t begin, size_t end,
                      void *mine)
{
	alignas(FILCH_LINE) unsigned char sum[SMALL], before[SMALL];
	struct scan *s = (struct scan *)c;
	size_t to;
	int r;

	(void)mine;
	if (is_next(s, block)) {
		r = write_block(s, begin, end, s->before, sum);
		if (!r)
			write_left(s, block + 1, add_next(s, block, sum));
		return r;
	}
	r = write_block(s, begin, end, NULL, sum);
	if (r || (!become_next(s, block) && leave(s, block, sum)))
		return r;
	memcpy(before, s->before, s->size);
	to = add_next(s, block, sum);
	r = write_block(s, begin, end, before, sum);
	if (!r)
		write_left(s, block + 1, to);
	return r;
}

/* The caller does the first blocks alone, one after the other. Returns their number. */
static size_t scan_alone(struct scan *s, size_t blocks, int *result)
{
	alignas(FILCH_LINE) unsigned char sum[SMALL];
	size_t begin = s->crew.begin, n = s->crew.block;
	struct filch__alone a;

	*result = 0;
	for (filch__alone_begin(&a, blocks, 1); filch__alone_goes_on(&a); begin += n) {
		if (s->crew.end - begin < n)
			n = s->crew.end - begin;
		*result = filch_cancelled()
		                  ? -ECANCELED
		                  : write_block(s, begin, begin + n, s->before, sum);
		if (*result)
			break;
		s->combine(s->before, sum, s->context);
		filch__alone_did(&a, 1);
	}
	return a.done;
}

/* Scans the range, which has this many blocks. */
static int scan_all(struct scan *s, size_t blocks, bool alone)
{
	int r = 0;

	if (alone)
		s->crew.first = scan_alone(s, blocks, &r);
	if (r || s->crew.first == blocks)
		return r;
	s->slot = malloc(blocks * (s->size + sizeof *s->left));
	if (!s->slot)
		return -ENOMEM;
	s->left = (bool *)(s->slot + blocks * s->size);
	memset(s->left, 0, blocks * sizeof *s->left);
	store_rlx(&s->known, s->crew.first); /* no other member yet */
	r = filch__crew_run(&s->crew);
	assert(r || load_rlx(&s->known) == blocks); /* after the joins */
	free(s->slot);
	return r;
}

static size_t block_size(size_t n, size_t grain)
{
	size_t block = n / 64;

	if (grain)
		block = grain;
	else if (block < BLOCK_LEAST)
		block = BLOCK_LEAST;
	else if (block > BLOCK)
		block = BLOCK;
	return block < n / BLOCKS_MOST ? n / BLOCKS_MOST + 1 : block;
}

int filch_scan_grain(size_t begin, size_t end, size_t grain, void *sum, size_t size,
                     int (*body)(size_t begin, size_t end, const void *before, void *sum,
                                 void *context),
                     void (*combine)(void *left, const void *right, void *context),
                     void *context)
{
	struct scan s = {.crew = {.shown = (filch__function *)body,
	                          .begin = begin,
	                          .end = end,
	                          .run = scan_block},
	                 .body = body,
	                 .combine = combine,
	                 .context = context,
	                 .identity = sum,
	                 .size = size};
	int r;

	if (begin > end || !sum || !size || size > SMALL || !body || !combine)
		return -EINVAL;
	if (begin == end)
		return 0;
	s.crew.block = block_size(end - begin, grain);
	memcpy(s.before, sum, size);
	r = scan_all(&s, (end - begin - 1) / s.crew.block + 1, !grain);
	if (!r)
		memcpy(sum, s.before, size);
	return r;
}

int filch_scan(size_t begin, size_t end, void *sum, size_t size,
               int (*body)(size_t begin, size_t end, const void *before, void *sum,
                           void *context),
               void (*combine)(void *left, const void *right, void *context),
               void *context)
{
	return filch_scan_grain(begin, end, 0, sum, size, body, combine, context);
}
