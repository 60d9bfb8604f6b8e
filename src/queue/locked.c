/* SPDX-License-Identifier: MIT */
#include "queue/locked.h"

#include <errno.h>
#include <stdlib.h>

int filch_locked_init(struct filch_locked *q, const struct filch_queue_options *options)
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
	err = -pthread_mutex_init(&q->lock, NULL);
	if (err) {
		free(q->entry);
		return err;
	}
	q->mask = capacity - 1;
	q->top = q->bottom = o.start;
	q->fixed = o.fixed;
	atomic_init(&q->size, 0);
	atomic_init(&q->capacity, capacity);
	return 0;
}

void filch_locked_destroy(struct filch_locked *q)
{
	pthread_mutex_destroy(&q->lock);
	free(q->entry);
}

FILCH_COLD bool filch__locked_grow(struct filch_locked *q)
{
	uint64_t mask = q->mask * 2 + 1;
	filch_entry *entry = malloc((size_t)(mask + 1) * sizeof *entry);

	if (!entry)
		return false;
	for (uint64_t i = q->top; i != q->bottom; i++)
		entry[i & mask] = q->entry[i & q->mask];
	free(q->entry);
	q->entry = entry;
	q->mask = mask;
	store_rlx(&q->capacity, mask + 1); /* hint */
	return true;
}

static enum filch_result take(struct filch_locked *q, filch_entry *out, size_t want,
                              bool half, size_t *n)
{
	uint64_t there;

	pthread_mutex_lock(&q->lock);
	there = q->bottom - q->top;
	if (half)
		there -= there / 2;
	if (there > want)
		there = want;
	for (uint64_t i = 0; i < there; i++)
		out[i] = q->entry[q->top++ & q->mask];
	store_rlx(&q->size, q->bottom - q->top); /* hint */
	pthread_mutex_unlock(&q->lock);
	*n = there;
	return there ? FILCH_OK : FILCH_EMPTY;
}

enum filch_result filch_locked_steal(struct filch_locked_thief *t, filch_entry *e)
{
	size_t n;

	return take(t->q, e, 1, false, &n);
}

enum filch_result filch_locked_steal_batch(struct filch_locked_thief *t, filch_entry *out,
                                           size_t max, size_t *n)
{
	return take(t->q, out, max, true, n);
}
