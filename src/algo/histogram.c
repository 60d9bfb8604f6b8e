/* SPDX-License-Identifier: MIT */
/*
 * Histograms: each of a crew has counts of its own, the first the caller's. Who leaves
 * adds up what others have left, and leaves it; nobody waits, and several add up at once.
 */
#include <filch/histogram.h>

#include <errno.h>
#include <filch/wait.h>
#include <stdbool.h>
#include <stdlib.h>

#include "algo/alone.h"
#include "algo/block.h"
#include "algo/crew.h"
#include "sched/lock.h"

#define BLOCK_MOST 8192

/* One more must have so many indices to do for each bin that it has to clear and to
 * add. */
#define PAYS 4

struct histogram {
	struct filch__crew crew; /* first */
	int (*body)(size_t begin, size_t end, uint64_t *count, void *context);
	void *context;
	uint64_t *count; /* the caller's */
	size_t bins;
	struct filch__lock lock; /* of these: */
	uint64_t *left;          /* counts that somebody left, or NULL; at first, and when
	                          * all have left, the caller's */
	size_t members;
};

/* Whether one more than these would have enough to do. */
static bool pays(const struct histogram *h, size_t members)
{
	size_t next = load_rlx(&h->crew.next); /* a hint */

	return next < h->crew.blocks &&
	       (h->crew.blocks - next) * h->crew.block / (members + 1) / PAYS >= h->bins;
}

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
	h->members--;
	filch__unlock(&h->lock);
	return false;
}

/* Adds them up. Returns where: the caller's, if that is one of them. */
static uint64_t *merge(struct histogram *h, uint64_t *to, uint64_t *from)
{
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
		.crew = {.end = end, .run = count_block, .join = join, .leave = leave},
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
	h.crew.block = filch__block(end - h.crew.begin, BLOCK_MOST);
	return filch__crew_run(&h.crew);
}
