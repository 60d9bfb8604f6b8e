/* SPDX-License-Identifier: MIT */
/*
 * A bounded FIFO ring as in the schedulers of Go and Tokio: the owner puts at the tail,
 * owner and thieves take from the head by compare-and-swap, and a batch is half of the
 * entries. The owner caches the head that it last saw, so that a put does not touch the
 * line that thieves write. See src/queue/README.md, "The yardsticks".
 */
#ifndef FILCH_QUEUE_RUNQ_H
#define FILCH_QUEUE_RUNQ_H

#include <stdalign.h>

#include "base/atomic.h"
#include "base/cpu.h"
#include "base/random.h"
#include "queue/queue.h"

struct filch_runq {
	alignas(FILCH_LINE) _Atomic(uint64_t) tail; /* owner writes, thieves read */
	uint64_t head_seen;                         /* used by the owner; at most head */
	_Atomic(filch_entry) *entry;                /* constant */
	uint64_t mask;                              /* constant */

	alignas(FILCH_LINE) _Atomic(uint64_t) head; /* owner and thieves take here */
};

struct filch_runq_owner {
	struct filch_runq *q;
};

struct filch_runq_thief {
	struct filch_runq *q;
	struct filch__random random;
};

int filch_runq_init(struct filch_runq *q, const struct filch_queue_options *o);
void filch_runq_destroy(struct filch_runq *q);

static inline struct filch_runq_owner filch_runq_owner(struct filch_runq *q)
{
	return (struct filch_runq_owner){q};
}

static inline struct filch_runq_thief filch_runq_thief(struct filch_runq *q,
                                                       uint64_t seed)
{
	return (struct filch_runq_thief){q, filch__random_seed(seed)};
}

bool filch__runq_full(struct filch_runq *q, uint64_t tail);

static inline enum filch_result filch_runq_put(struct filch_runq_owner o, filch_entry e)
{
	struct filch_runq *q = o.q;
	uint64_t t = load_rlx(&q->tail); /* owner-only */

	if (FILCH_UNLIKELY(t - q->head_seen > q->mask) && filch__runq_full(q, t))
		return FILCH_FULL;
	store_rlx(&q->entry[t & q->mask], e); /* published by tail */
	/* R1 release: pairs with the acquire in take(); carries the entry. */
	store_rel(&q->tail, t + 1);
	return FILCH_OK;
}

static inline enum filch_result filch_runq_get(struct filch_runq_owner o, filch_entry *e)
{
	struct filch_runq *q = o.q;
	uint64_t t = load_rlx(&q->tail); /* owner-only */
	uint64_t h = load_rlx(&q->head); /* the CAS re-checks */

	do {
		if (h == t)
			return FILCH_EMPTY;
		*e = load_rlx(&q->entry[h & q->mask]); /* owner wrote it */
	} while (!cas_rlx(&q->head, &h, h + 1)); /* the owner itself overwrites entries */
	return FILCH_OK;
}

/* Returns the entry that the n-th get from now would find (0 is the next one), or 0 if there
 * are not that many. It is only a hint if thieves steal. */
static inline filch_entry filch_runq_peek(struct filch_runq_owner o, uint64_t n)
{
	uint64_t at = load_rlx(&o.q->head) + n; /* a hint, or no thieves */

	if ((int64_t)(load_rlx(&o.q->tail) - at) <= 0) /* owner-only */
		return 0;
	return load_rlx(&o.q->entry[at & o.q->mask]); /* owner wrote it */
}

/* A get, whose entry is discarded, and a put of `e` in one. The queue must have no thieves
 * and at least one entry; it may be full. */
static inline void filch_runq_turn_alone(struct filch_runq_owner o, filch_entry e)
{
	struct filch_runq *q = o.q;
	uint64_t t = load_rlx(&q->tail), h = load_rlx(&q->head); /* no thieves */

	store_rlx(&q->entry[t & q->mask], e); /* no thieves */
	store_rlx(&q->head, h + 1);           /* no thieves */
	store_rlx(&q->tail, t + 1);           /* no thieves */
}

/* A get without a read-modify-write, for a queue that has no thieves. */
static inline enum filch_result filch_runq_get_alone(struct filch_runq_owner o,
                                                     filch_entry *e)
{
	struct filch_runq *q = o.q;
	uint64_t h = load_rlx(&q->head); /* no thieves */

	if (h == load_rlx(&q->tail)) /* owner-only */
		return FILCH_EMPTY;
	*e = load_rlx(&q->entry[h & q->mask]); /* owner wrote it */
	store_rlx(&q->head, h + 1);            /* no thieves */
	return FILCH_OK;
}

enum filch_result filch_runq_steal(struct filch_runq_thief *t, filch_entry *e);

/* Takes half of the entries, rounded up, in one step. */
enum filch_result filch_runq_steal_batch(struct filch_runq_thief *t, filch_entry *out,
                                         size_t max, size_t *n);

size_t filch_runq_size_hint(struct filch_runq *q);
bool filch_runq_sample(struct filch_runq_thief *t);

#endif
