/* SPDX-License-Identifier: MIT */
/*
 * A strand's deque: a queue of the pool's kind, in which exposed records wait. Deques live
 * as long as their pool and are used again, so a thief may follow any pointer to one:
 * whatever it steals is work of the pool.
 */
#ifndef FILCH_SCHED_DEQUE_H
#define FILCH_SCHED_DEQUE_H

#include "queue/abp.h"
#include "queue/bwos_fifo.h"
#include "queue/bwos_lifo.h"
#include "queue/chase_lev.h"
#include "queue/locked.h"
#include "queue/runq.h"
#include "sched/options.h"
#include "sched/ready.h"

struct filch__deque {
	union {
#define FILCH__MEMBER_OF(name, order, text) struct filch_##name name;
		FILCH_QUEUE_KINDS(FILCH__MEMBER_OF)
#undef FILCH__MEMBER_OF
	} q;
	enum filch__queue_kind kind;   /* constant */
	struct filch__deque *next;     /* a worker's cache; its owner's */
	struct filch__deque *next_all; /* all of a worker's making; constant */
	bool carrier;              /* it is for records that no strand has; constant */
	struct filch__ready ready; /* its place in a stealable set */
	_Atomic(uint32_t) listed;  /* it is in one; whoever lists or takes it writes */
};

/* Says that the deque is to be listed. True if the caller must do so: put it into a
 * stealable set. Otherwise whoever takes it from one will see what is in it. */
static inline bool filch__deque_list(struct filch__deque *d)
{
	uint32_t no = 0;

	/* S8 seq_cst: pairs with the fence in filch__deque_unlist(); forbidden: the deque
	 * counts as listed here, while its taker misses what was put into it. */
	fence_sc();
	return cas_rlx(&d->listed, &no, 1); /* ordered by the fence */
}

/* The deque was taken from a stealable set, and is looked at after this. */
static inline void filch__deque_unlist(struct filch__deque *d)
{
	store_rlx(&d->listed, 0); /* ordered by the fence */
	/* S8 seq_cst: pairs with the fence in filch__deque_list(); forbidden: the taker
	 * misses what is in the deque, while it counts as listed. */
	fence_sc();
}

/* Errors: NULL without memory. */
struct filch__deque *filch__deque_new(enum filch__queue_kind kind, size_t block_size);
void filch__deque_free(struct filch__deque *d);

/* The owner's. put may ask for memory; try_put does not, and only a bwos_lifo can. */
enum filch_result filch__deque_put(struct filch__deque *d, filch_entry e);
enum filch_result filch__deque_try_put(struct filch__deque *d, filch_entry e);
enum filch_result filch__deque_get(struct filch__deque *d, filch_entry *e);

/* Whether it is full when it has so many entries, and not only without memory. */
static inline bool filch__deque_is_bounded(const struct filch__deque *d)
{
	return d->kind == filch__queue_abp || d->kind == filch__queue_runq;
}

/* The owner's: lets thieves reach everything, unless it is a bwos_fifo. */
void filch__deque_share(struct filch__deque *d);

/* The owner's: whether a get would find nothing. */
bool filch__deque_is_empty(struct filch__deque *d);

/* Anyone's. */
enum filch_result filch__deque_steal(struct filch__deque *d, uint64_t seed,
                                     filch_entry *out, size_t max, size_t *n);
bool filch__deque_sample(struct filch__deque *d, uint64_t seed);
size_t filch__deque_size(struct filch__deque *d);

#endif
