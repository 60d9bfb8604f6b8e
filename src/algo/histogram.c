/* SPDX-License-Identifier: MIT */
/*
 * Histograms. Each member of a crew has counts of its own; the first has the caller's. A
 * member that leaves adds the counts that others have left behind to its own, and leaves
 * the sum behind. So no member waits for another, and several add up at the same time.
 */
#include <filch/histogram.h>

#include <assert.h>
#include <errno.h>
#include <filch/detail/wait.h>
#include <stdbool.h>
#include <stdlib.h>

#include "algo/alone.h"
#include "algo/crew.h"
#include "base/lock.h"

#define BLOCK_MOST 8192

/* One more member pays off if it will do this many indices for each bin that it must
 * clear and add. */
#define PAYS 4

struct histogram {
	struct filch__crew crew; /* first */
	int (*body)(size_t begin, size_t end, uint64_t *count, void *context);
	void *context;
	uint64_t *count; /* the caller's */
	size_t bins;
	struct filch__lock lock; /* guards these: */
	uint64_t *left; /* counts that a member left behind, or NULL; at first and
	                          * at the end, the caller's */
	size_t members;
};

/* Returns true if one member more than `members` would have enough to do. */
static bool pays(const struct histogram *h, size_t members)
{
	size_t next = load_rlx(&h->crew.next); /* a hint */

	return next < h->crew.blocks &&
	       (h->crew.blocks - next) * h->crew.block / (members + 1) / PAYS >= h->bins;
}

/* Caller: holds the lock. */
static uint64_t *take_left(struct histogram *h)
{
	uint64_t *count = h->left;

	h->left = NULL;
	return count;
}

static bool join(struct filch__crew *c, void **mine)
{
	struct histogram *h = (struct histogram *)c;
	uint64_t *count;
	bool may;

	filch__lock(&h->lock);
	count = take_left(h);
	may = count || pays(h, h->members);
	h->members += may;
	filch__unlock(&h->lock);
	if (!may)
		return false;
	if (!count)
		count = calloc(h->bins, sizeof *count);
	*mine = count;
	if (count)
		return true;
	filch__lock(&h->lock);
	assert(h->members);
	h->members--;
	filch__unlock(&h->lock);
	return false;
}

/* Adds up two arrays of counts, and frees one of them. Returns the other one, which holds
 * the sum: the caller's, if that is one of the two. */
static uint64_t *merge(struct histogram *h, uint64_t *to, uint64_t *from)
{
	assert(to != from);
	if (from == h->count) {
		from = to;
		to = h->count;
	}
	for (size_t i = 0; i < h->bins; i++)
		to[i] += from[i];
	free(from);
	return to;
}

static void leave(struct filch__crew *c, void *mine)
{
	struct histogram *h = (struct histogram *)c;
	uint64_t *count = mine, *other;

	filch__lock(&h->lock);
	while ((other = take_left(h))) {
		filch__unlock(&h->lock);
		count = merge(h, count, other);
		filch__lock(&h->lock);
	}
	assert(h->members);
	h->left = count;
	h->members--;
	filch__unlock(&h->lock);
}

static int count_block(struct filch__crew *c, size_t block, size_t begin, size_t end,
                       void *mine)
{
	struct histogram *h = (struct histogram *)c;

	(void)block;
	return h->body(begin, end, mine, h->context);
}

static int count_alone(size_t begin, size_t end, void *arg)
{
	struct histogram *h = arg;

	return h->body(begin, end, h->count, h->context);
}

int filch_histogram(size_t begin, size_t end, uint64_t *count, size_t bins,
                    int (*body)(size_t begin, size_t end, uint64_t *count, void *context),
                    void *context)
{
	struct histogram h = {
		.crew = {.shown = (filch__function *)body,
	                 .end = end,
	                 .run = count_block,
	                 .join = join,
	                 .leave = leave},
		.body = body,
		.context = context,
		.count = count,
		.bins = bins,
		.left = count,
	};
	size_t n = 1;
	int r;

	if (begin > end || !count || !bins || !body)
		return -EINVAL;
	h.crew.begin = filch__alone(begin, end, count_alone, &h, &n, &r);
	if (h.crew.begin == end)
		return r;
	h.crew.block = filch__crew_block(end - h.crew.begin, BLOCK_MOST);
	r = filch__crew_run(&h.crew);
	assert(!h.members && h.left == count);
	return r;
}
