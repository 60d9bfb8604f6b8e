/* SPDX-License-Identifier: MIT */
/*
 * In place of src/queue/bwos_lifo.h, for a build of the runtime whose strands have another
 * kind of queue: FILCH_QUEUE is its name, FILCH_QUEUE_HEADER its header. Everything has the
 * names of the queue that it stands in for, so the runtime's sources are compiled as they
 * are.
 *
 * Operations of a bwos_lifo alone are left out: no signal handler can fill other kinds, so
 * such a pool is polled, and its programs spawn eagerly. A bounded queue that is full
 * leaves a task private: the spawner runs it.
 *
 * A bwos_fifo (KIND_HIDES) hides its newest entries until its owner's next operation, which
 * does not come while the strand is stopped. So a strand that stops moves its entries to a
 * second queue, where thieves reach all of them.
 */
#ifndef FILCH_QUEUE_BWOS_LIFO_H
#define FILCH_QUEUE_BWOS_LIFO_H

#include FILCH_QUEUE_HEADER
#include "queue/chase_lev.h"

#define KIND_PASTE_(a, b, c) a##b##c
#define KIND_PASTE(a, b, c) KIND_PASTE_(a, b, c)
#define KIND struct KIND_PASTE(filch_, FILCH_QUEUE, )
#define KIND_THIEF struct KIND_PASTE(filch_, FILCH_QUEUE, _thief)
#define KIND_FN(f) KIND_PASTE(filch_, FILCH_QUEUE, _##f)

/* Entries of a bounded queue. A bwos_fifo begins small, as a bwos_lifo does, and grows: a
 * thief that looks at one block before it steals would mostly see an unused one. */
#define KIND_ENTRIES ((size_t)4096)

struct filch_bwos_lifo {
	KIND q;
	struct filch_chase_lev stopped; /* used if KIND_HIDES */
};

struct filch_bwos_lifo_owner {
	struct filch_bwos_lifo *q;
};

struct filch_bwos_lifo_thief {
	KIND_THIEF t;
	struct filch_chase_lev_thief stopped;
};

static inline int filch_bwos_lifo_init(struct filch_bwos_lifo *q,
                                       const struct filch_queue_options *o)
{
	struct filch_queue_options mine = *o;
	int err;

	if (!KIND_HIDES && KIND_ENTRIES / o->block_size > o->blocks)
		mine.blocks = KIND_ENTRIES / o->block_size;
	err = KIND_FN(init)(&q->q, &mine);
	if (err || !KIND_HIDES)
		return err;
	err = filch_chase_lev_init(&q->stopped, o);
	if (err)
		KIND_FN(destroy)(&q->q);
	return err;
}

static inline void filch_bwos_lifo_destroy(struct filch_bwos_lifo *q)
{
	KIND_FN(destroy)(&q->q);
	if (KIND_HIDES)
		filch_chase_lev_destroy(&q->stopped);
}

static inline struct filch_bwos_lifo_owner filch_bwos_lifo_owner(
	struct filch_bwos_lifo *q)
{
	return (struct filch_bwos_lifo_owner){q};
}

static inline struct filch_bwos_lifo_thief filch_bwos_lifo_thief(
	struct filch_bwos_lifo *q, uint64_t seed)
{
	return (struct filch_bwos_lifo_thief){KIND_FN(thief)(&q->q, seed),
	                                      filch_chase_lev_thief(&q->stopped, seed)};
}

static inline enum filch_result filch_bwos_lifo_get(struct filch_bwos_lifo_owner o,
                                                    filch_entry *e)
{
	enum filch_result r = KIND_FN(get)(KIND_FN(owner)(&o.q->q), e);

	if (!KIND_HIDES || r == FILCH_OK)
		return r;
	return filch_chase_lev_get(filch_chase_lev_owner(&o.q->stopped), e);
}

static inline size_t filch_bwos_lifo_size_hint(struct filch_bwos_lifo *q)
{
	return KIND_FN(size_hint)(&q->q) +
	       (KIND_HIDES ? filch_chase_lev_size_hint(&q->stopped) : 0);
}

/* ABP's queue has room again only after its owner has found it empty. */
static inline enum filch_result filch_bwos_lifo_put(struct filch_bwos_lifo_owner o,
                                                    filch_entry e)
{
	enum filch_result r = KIND_FN(put)(KIND_FN(owner)(&o.q->q), e);
	filch_entry none;

	if (r != FILCH_FULL || filch_bwos_lifo_size_hint(o.q) ||
	    filch_bwos_lifo_get(o, &none) != FILCH_EMPTY)
		return r;
	return KIND_FN(put)(KIND_FN(owner)(&o.q->q), e);
}

static inline enum filch_result filch_bwos_lifo_try_put(struct filch_bwos_lifo_owner o,
                                                        filch_entry e)
{
	(void)o, (void)e;
	return FILCH_FULL;
}

static inline void filch_bwos_lifo_share(struct filch_bwos_lifo_owner o)
{
	(void)o;
}

/* A bwos_fifo does not know it without looking. The runtime asks when a strand stops, so
 * this is where the hidden entries are moved. */
static inline bool filch_bwos_lifo_is_empty(struct filch_bwos_lifo_owner o)
{
	struct filch_chase_lev_owner stopped = filch_chase_lev_owner(&o.q->stopped);
	filch_entry e;

	while (KIND_HIDES && KIND_FN(get)(KIND_FN(owner)(&o.q->q), &e) == FILCH_OK)
		if (filch_chase_lev_put(stopped, e) != FILCH_OK) { /* no memory */
			KIND_FN(put)(KIND_FN(owner)(&o.q->q), e);
			return false;
		}
	return !filch_bwos_lifo_size_hint(o.q);
}

/* Steals from the second queue if the first, with this result, had nothing. */
static inline enum filch_result kind_steal_stopped(struct filch_bwos_lifo_thief *t,
                                                   enum filch_result r, filch_entry *e)
{
	enum filch_result stopped;

	if (!KIND_HIDES || r == FILCH_OK)
		return r;
	stopped = filch_chase_lev_steal(&t->stopped, e);
	return stopped == FILCH_EMPTY ? r : stopped;
}

static inline enum filch_result filch_bwos_lifo_steal(struct filch_bwos_lifo_thief *t,
                                                      filch_entry *e)
{
	return kind_steal_stopped(t, KIND_FN(steal)(&t->t, e), e);
}

static inline enum filch_result filch_bwos_lifo_steal_batch(
	struct filch_bwos_lifo_thief *t, filch_entry *out, size_t max, size_t *n)
{
	enum filch_result r = KIND_FN(steal_batch)(&t->t, out, max, n);

	if (r != FILCH_OK)
		*n = 1; /* of the second queue */
	return kind_steal_stopped(t, r, out);
}

static inline bool filch_bwos_lifo_sample(struct filch_bwos_lifo_thief *t)
{
	return KIND_FN(sample)(&t->t);
}

#endif
