/* SPDX-License-Identifier: MIT */
/*
 * A deque under a pthread mutex: every other queue here must be faster than this one, and
 * a reader can see at a glance that this one is correct. The owner works at the bottom
 * (LIFO), thieves take from the top.
 */
#ifndef FILCH_QUEUE_LOCKED_H
#define FILCH_QUEUE_LOCKED_H

#include <pthread.h>
#include <stdalign.h>

#include "base/atomic.h"
#include "base/cpu.h"
#include "base/random.h"
#include "queue/queue.h"

struct filch_locked {
	alignas(FILCH_LINE) pthread_mutex_t lock; /* guards the fields below */
	filch_entry *entry;
	uint64_t mask;
	uint64_t top, bottom;
	bool fixed;
	_Atomic(uint64_t) size, capacity; /* copies that are read without the lock */
};

struct filch_locked_owner {
	struct filch_locked *q;
};

struct filch_locked_thief {
	struct filch_locked *q;
	struct filch__random random;
};

int filch_locked_init(struct filch_locked *q, const struct filch_queue_options *o);
void filch_locked_destroy(struct filch_locked *q);

static inline struct filch_locked_owner filch_locked_owner(struct filch_locked *q)
{
	return (struct filch_locked_owner){q};
}

static inline struct filch_locked_thief filch_locked_thief(struct filch_locked *q,
                                                           uint64_t seed)
{
	return (struct filch_locked_thief){q, filch__random_seed(seed)};
}

bool filch__locked_grow(struct filch_locked *q); /* the caller holds the lock */

static inline enum filch_result filch_locked_put(struct filch_locked_owner o,
                                                 filch_entry e)
{
	struct filch_locked *q = o.q;
	enum filch_result r = FILCH_OK;

	pthread_mutex_lock(&q->lock);
	if (FILCH_UNLIKELY(q->bottom - q->top > q->mask) &&
	    (q->fixed || !filch__locked_grow(q))) {
		r = FILCH_FULL;
	} else {
		q->entry[q->bottom++ & q->mask] = e;
		store_rlx(&q->size, q->bottom - q->top); /* hint */
	}
	pthread_mutex_unlock(&q->lock);
	return r;
}

static inline enum filch_result filch_locked_get(struct filch_locked_owner o,
                                                 filch_entry *e)
{
	struct filch_locked *q = o.q;
	enum filch_result r = FILCH_EMPTY;

	pthread_mutex_lock(&q->lock);
	if (q->bottom != q->top) {
		*e = q->entry[--q->bottom & q->mask];
		store_rlx(&q->size, q->bottom - q->top); /* hint */
		r = FILCH_OK;
	}
	pthread_mutex_unlock(&q->lock);
	return r;
}

enum filch_result filch_locked_steal(struct filch_locked_thief *t, filch_entry *e);

/* Takes half of the entries, rounded up, under the lock. */
enum filch_result filch_locked_steal_batch(struct filch_locked_thief *t, filch_entry *out,
                                           size_t max, size_t *n);

static inline size_t filch_locked_size_hint(struct filch_locked *q)
{
	return (size_t)load_rlx(&q->size); /* hint */
}

static inline bool filch_locked_sample(struct filch_locked_thief *t)
{
	uint64_t r = filch__random_next(&t->random) >> 32;
	uint64_t capacity = load_rlx(&t->q->capacity); /* hint */

	return (r & (capacity - 1)) < filch_locked_size_hint(t->q);
}

#endif
