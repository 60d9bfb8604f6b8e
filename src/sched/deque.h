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
	enum filch__queue_kind kind;  /* constant */
	struct filch__deque *next;    /* a worker's cache; its owner's */
	struct filch__deque *next_all; /* all of a worker's making; constant */
	bool carrier; /* it holds records for nobody; whoever has it unlisted writes */
	struct filch__ready ready;    /* its place in a stealable set */
	_Atomic(uint32_t) listed;     /* it is in one; whoever lists or takes it writes */
};

/* Errors: NULL without memory. */
struct filch__deque *filch__deque_new(enum filch__queue_kind kind, size_t block_size);
void filch__deque_free(struct filch__deque *d);

/* The owner's. put may ask for memory; try_put does not, and only a bwos_lifo can. */
enum filch_result filch__deque_put(struct filch__deque *d, filch_entry e);
enum filch_result filch__deque_try_put(struct filch__deque *d, filch_entry e);
enum filch_result filch__deque_get(struct filch__deque *d, filch_entry *e);

/* The owner's: lets thieves reach everything. */
void filch__deque_share(struct filch__deque *d);

/* Anyone's. */
enum filch_result filch__deque_steal(struct filch__deque *d, uint64_t seed,
                                     filch_entry *out, size_t max, size_t *n);
bool filch__deque_sample(struct filch__deque *d, uint64_t seed);
size_t filch__deque_size(struct filch__deque *d);

#endif
