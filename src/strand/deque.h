/* SPDX-License-Identifier: MIT */
/*
 * A strand's deque: a BWoS LIFO queue in which exposed records wait. Deques live as long
 * as their pool and are used again, so a thief may follow any pointer to one: whatever it
 * steals there is work of the pool.
 *
 * A deque is *listed* while it is in some worker's stealable set: then thieves find it
 * though no worker runs its strand. A *carrier* is a deque for records that belong to no
 * strand, the rest of a block steal; it can be reached only while it is listed.
 */
#ifndef FILCH_STRAND_DEQUE_H
#define FILCH_STRAND_DEQUE_H

#include <assert.h>

#include "queue/bwos_lifo.h"
#include "strand/ready.h"

struct filch__worker;
struct filch__strand;

struct filch__deque {
	struct filch_bwos_lifo q;
	struct filch__deque *next;     /* in a worker's cache; that worker writes */
	struct filch__deque *next_all; /* the next of the same worker; constant */
	bool carrier;                  /* constant */
	bool shared; /* what is in it is granted to thieves; its owner uses it */
	struct filch__ready ready; /* its place in a stealable set */
	_Atomic(uint32_t) listed;  /* it is in a set; whoever lists or takes it writes */
};

/* A worker's deques. Only the worker uses them, and its signal handler uses `empty`. */
struct filch__deques {
	struct filch__deque *empty;    /* at hand: the handler may need one at any time */
	struct filch__deque *carriers; /* empty carriers */
	struct filch__deque *all;      /* all that the worker has made, to be freed */
	size_t block_size;             /* constant */
};

/* ---- caches ---- */

/* Sees to it that the worker has an empty deque at hand. Returns false without
 * memory. */
bool filch__deque_ready(struct filch__worker *w);

/* Gives a deque that is at hand to a strand that has none, and returns the deque,
 * or NULL if none is at hand. Caller: is inside, and runs or holds the strand. */
struct filch__deque *filch__deque_attach(struct filch__worker *w,
                                         struct filch__strand *s);

/* Takes a strand's deque, if it has one, back into the cache. Caller: the deque is
 * empty. */
void filch__deque_detach(struct filch__worker *w, struct filch__strand *s);

/* The first returns an empty carrier, or NULL without memory; the second takes back one
 * that was found empty. */
struct filch__deque *filch__carrier_take(struct filch__worker *w);
void filch__carrier_give(struct filch__worker *w, struct filch__deque *d);

/* Frees all deques that the worker has made. Caller: the pool's workers are gone. */
void filch__deques_destroy(struct filch__deques *ds);

/* ---- the owner's ---- */

static inline struct filch_bwos_lifo_owner filch__deque_owner(struct filch__deque *d)
{
	return filch_bwos_lifo_owner(&d->q);
}

/* Returns true if a get would find nothing. */
static inline bool filch__deque_is_empty(struct filch__deque *d)
{
	return filch_bwos_lifo_is_empty(filch__deque_owner(d));
}

/* Grants all that is in the deque, so that thieves find it. */
static inline void filch__deque_share(struct filch__deque *d)
{
	filch_bwos_lifo_share(filch__deque_owner(d));
	d->shared = true;
}

/* Grants again what a get has left in a deque that was shared. A get takes a whole block
 * back from thieves, and a thief on the same processor comes only after that. */
static inline void filch__deque_share_rest(struct filch__deque *d)
{
	if (d->shared)
		filch_bwos_lifo_share(filch__deque_owner(d));
}

/* Lists the deque, unless it is listed already. */
void filch__deque_show(struct filch__worker *w, struct filch__deque *d);

/* ---- anyone's ---- */

/* Returns about how many records thieves could take. */
static inline size_t filch__deque_size(struct filch__deque *d)
{
	return filch_bwos_lifo_size_hint(&d->q);
}

/* Marks the deque as listed. Returns true if the caller must put it into a stealable set;
 * otherwise it is in one already, and whoever takes it from there sees what is in it. */
static inline bool filch__deque_list(struct filch__deque *d)
{
	uint32_t no = 0;

	/* S8 seq_cst: pairs with the fence in filch__deque_unlist(); forbidden: the deque
	 * counts as listed here, while its taker misses what was put into it. */
	fence_sc();
	return cas_rlx(&d->listed, &no, 1); /* ordered by the fence */
}

/* Marks a deque that was taken from a stealable set as no longer listed. The caller looks
 * into the deque after this. */
static inline void filch__deque_unlist(struct filch__deque *d)
{
	assert(load_rlx(&d->listed) == 1); /* only its taker clears it */
	store_rlx(&d->listed, 0);          /* ordered by the fence */
	/* S8 seq_cst: pairs with the fence in filch__deque_list(); forbidden: the taker
	 * misses what is in the deque, while it counts as listed. */
	fence_sc();
}

#endif
