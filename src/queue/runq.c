/* SPDX-License-Identifier: MIT */
#include "queue/runq.h"

#include <errno.h>
#include <stdlib.h>

int filch_runq_init(struct filch_runq *q, const struct filch_queue_options *options)
{
	struct filch_queue_options o;
	int err = filch_queue_options_resolve(&o, options, NULL);
	size_t capacity;

	if (err)
		return err;
	capacity = o.block_size * o.blocks;
	q->entry = malloc(capacity * sizeof q->entry[0]);
	if (!q->entry)
		return -ENOMEM;
	for (size_t i = 0; i < capacity; i++)
		atomic_init(&q->entry[i], 0);
	q->mask = capacity - 1;
	q->head_seen = o.start;
	atomic_init(&q->head, o.start);
	atomic_init(&q->tail, o.start);
	return 0;
}

void filch_runq_destroy(struct filch_runq *q)
{
	free(q->entry);
}

FILCH_COLD bool filch__runq_full(struct filch_runq *q, uint64_t tail)
{
	/* R2 acquire: pairs with the release in take(); carries the thieves' reads of the
	 * entries that put will overwrite. */
	q->head_seen = load_acq(&q->head);
	return tail - q->head_seen > q->mask;
}

/* Takes up to `want` entries in one step; if `half`, at most half of those that are there. */
static enum filch_result take(struct filch_runq *q, filch_entry *out, size_t want,
                              bool half, size_t *n)
{
	uint64_t h = load_rlx(&q->head); /* the CAS re-checks */
	/* R1 acquire: pairs with the release in put; carries the entries below tail. */
	uint64_t t = load_acq(&q->tail);
	uint64_t there = t - h;

	if (there == 0 || !want)
		return FILCH_EMPTY;
	if (there > q->mask + 1)
		return FILCH_RETRY; /* head was read too early to fit tail */
	if (half)
		there -= there / 2;
	if (there > want)
		there = want;
	for (uint64_t i = 0; i < there; i++)
		/* Relaxed: discarded unless the compare-and-swap succeeds. */
		out[i] = load_rlx(&q->entry[(h + i) & q->mask]);
	/* R2 release: pairs with the acquire in filch__runq_full(); carries the reads
	 * above. */
	if (!cas_rel(&q->head, &h, h + there))
		return FILCH_RETRY;
	*n = there;
	return FILCH_OK;
}

enum filch_result filch_runq_steal(struct filch_runq_thief *t, filch_entry *e)
{
	filch_entry got;
	size_t n;
	enum filch_result r = take(t->q, &got, 1, false, &n);

	if (r == FILCH_OK)
		*e = got;
	return r;
}

enum filch_result filch_runq_steal_batch(struct filch_runq_thief *t, filch_entry *out,
                                         size_t max, size_t *n)
{
	*n = 0;
	return take(t->q, out, max, true, n);
}

size_t filch_runq_size_hint(struct filch_runq *q)
{
	uint64_t n = load_rlx(&q->tail) - load_rlx(&q->head); /* hint */

	return (int64_t)n > 0 ? (size_t)n : 0;
}

bool filch_runq_sample(struct filch_runq_thief *t)
{
	uint64_t r = filch__random_next(&t->random) >> 32;

	return (r & t->q->mask) < filch_runq_size_hint(t->q);
}
