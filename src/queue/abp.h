/* SPDX-License-Identifier: MIT */
/*
 * The bounded deque of Arora, Blumofe and Plaxton (SPAA 1998): an array that is not
 * circular, so the room of stolen entries can be used again only after the owner has found
 * the deque empty and has started over. The age word holds top (the low 32 bits) and a tag
 * (the high 32 bits) that changes when top is reset to 0. See src/queue/README.md, "The
 * yardsticks".
 */
#ifndef FILCH_QUEUE_ABP_H
#define FILCH_QUEUE_ABP_H

#include <stdalign.h>

#include "base/atomic.h"
#include "base/cpu.h"
#include "base/random.h"
#include "queue/queue.h"

struct filch_abp {
	alignas(FILCH_LINE) _Atomic(uint64_t) bottom; /* owner writes, thieves read */
	_Atomic(filch_entry) *entry;                  /* constant */
	uint64_t capacity;                            /* constant */

	alignas(FILCH_LINE) _Atomic(uint64_t)
		age; /* thieves write it, and the owner for the last entry */
};

struct filch_abp_owner {
	struct filch_abp *q;
};

struct filch_abp_thief {
	struct filch_abp *q;
	struct filch__random random;
};

int filch_abp_init(struct filch_abp *q, const struct filch_queue_options *o);
void filch_abp_destroy(struct filch_abp *q);

static inline struct filch_abp_owner filch_abp_owner(struct filch_abp *q)
{
	return (struct filch_abp_owner){q};
}

static inline struct filch_abp_thief filch_abp_thief(struct filch_abp *q, uint64_t seed)
{
	return (struct filch_abp_thief){q, filch__random_seed(seed)};
}

static inline uint64_t filch__abp_top(uint64_t age)
{
	return age & UINT32_MAX;
}

static inline enum filch_result filch_abp_put(struct filch_abp_owner o, filch_entry e)
{
	struct filch_abp *q = o.q;
	uint64_t b = load_rlx(&q->bottom); /* owner-only */

	if (FILCH_UNLIKELY(b == q->capacity))
		return FILCH_FULL;
	store_rlx(&q->entry[b], e); /* published by bottom */
	/* A1 release: pairs with the acquire in steal; carries the entry. */
	store_rel(&q->bottom, b + 1);
	return FILCH_OK;
}

enum filch_result filch__abp_get_last(struct filch_abp *q, uint64_t b, uint64_t age);

static inline enum filch_result filch_abp_get(struct filch_abp_owner o, filch_entry *e)
{
	struct filch_abp *q = o.q;
	uint64_t b = load_rlx(&q->bottom); /* owner-only */
	uint64_t age;

	if (b == 0)
		return FILCH_EMPTY;
	/* A2 seq_cst: store-buffering pair with steal's loads of age and bottom;
	 * forbidden: the owner misses a thief's age while that thief misses this
	 * bottom. */
	store_sc(&q->bottom, --b);
	*e = load_rlx(&q->entry[b]); /* owner wrote it */
	age = load_sc(&q->age);      /* A2 seq_cst: the other half of the pair */
	if (FILCH_LIKELY(b > filch__abp_top(age)))
		return FILCH_OK;
	return filch__abp_get_last(q, b, age);
}

enum filch_result filch_abp_steal(struct filch_abp_thief *t, filch_entry *e);

/* Steals one entry at a time, up to half of the deque, for the same reason as
 * Chase-Lev's. */
enum filch_result filch_abp_steal_batch(struct filch_abp_thief *t, filch_entry *out,
                                        size_t max, size_t *n);

size_t filch_abp_size_hint(struct filch_abp *q);
bool filch_abp_sample(struct filch_abp_thief *t);

#endif
