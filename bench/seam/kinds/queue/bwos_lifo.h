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
 */
#ifndef FILCH_QUEUE_BWOS_LIFO_H
#define FILCH_QUEUE_BWOS_LIFO_H

#include FILCH_QUEUE_HEADER

#define KIND_PASTE_(a, b, c) a##b##c
#define KIND_PASTE(a, b, c) KIND_PASTE_(a, b, c)
#define KIND struct KIND_PASTE(filch_, FILCH_QUEUE, )
#define KIND_THIEF struct KIND_PASTE(filch_, FILCH_QUEUE, _thief)
#define KIND_FN(f) KIND_PASTE(filch_, FILCH_QUEUE, _##f)

/* Entries of a bounded queue, and what a growing one begins with. */
#define KIND_ENTRIES ((size_t)4096)

struct filch_bwos_lifo {
	KIND q;
};

struct filch_bwos_lifo_owner {
	struct filch_bwos_lifo *q;
};

struct filch_bwos_lifo_thief {
	KIND_THIEF t;
};

static inline int filch_bwos_lifo_init(struct filch_bwos_lifo *q,
                                       const struct filch_queue_options *o)
{
	struct filch_queue_options mine = *o;

	mine.blocks = KIND_ENTRIES / o->block_size;
	if (mine.blocks < 2)
		mine.blocks = 2;
	return KIND_FN(init)(&q->q, &mine);
}

static inline void filch_bwos_lifo_destroy(struct filch_bwos_lifo *q)
{
	KIND_FN(destroy)(&q->q);
}

static inline struct filch_bwos_lifo_owner filch_bwos_lifo_owner(
	struct filch_bwos_lifo *q)
{
	return (struct filch_bwos_lifo_owner){q};
}

static inline struct filch_bwos_lifo_thief filch_bwos_lifo_thief(
	struct filch_bwos_lifo *q, uint64_t seed)
{
	return (struct filch_bwos_lifo_thief){KIND_FN(thief)(&q->q, seed)};
}

static inline enum filch_result filch_bwos_lifo_get(struct filch_bwos_lifo_owner o,
                                                    filch_entry *e)
{
	return KIND_FN(get)(KIND_FN(owner)(&o.q->q), e);
}

static inline size_t filch_bwos_lifo_size_hint(struct filch_bwos_lifo *q)
{
	return KIND_FN(size_hint)(&q->q);
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

/* A bwos_fifo does not know it without looking. */
static inline bool filch_bwos_lifo_is_empty(struct filch_bwos_lifo_owner o)
{
	return !KIND_HIDES && !filch_bwos_lifo_size_hint(o.q);
}

static inline enum filch_result filch_bwos_lifo_steal(struct filch_bwos_lifo_thief *t,
                                                      filch_entry *e)
{
	return KIND_FN(steal)(&t->t, e);
}

static inline enum filch_result filch_bwos_lifo_steal_batch(
	struct filch_bwos_lifo_thief *t, filch_entry *out, size_t max, size_t *n)
{
	return KIND_FN(steal_batch)(&t->t, out, max, n);
}

static inline bool filch_bwos_lifo_sample(struct filch_bwos_lifo_thief *t)
{
	return KIND_FN(sample)(&t->t);
}

#endif
