/* SPDX-License-Identifier: MIT */
/*
 * What can wait to be picked up by a worker: a strand that may resume, the deque of a strand
 * that is stopped, a task that a thread outside the pool wants to have run. The scheduler
 * (src/sched) keeps them in the workers' stealable sets and in the pool's inbox.
 */
#ifndef FILCH_STRAND_READY_H
#define FILCH_STRAND_READY_H

enum filch__ready_kind { FILCH__READY_STRAND, FILCH__READY_DEQUE, FILCH__READY_ROOT };

struct filch__ready {
	struct filch__ready *next;   /* in the inbox; its holder writes */
	enum filch__ready_kind kind; /* constant: what it is a member of */
};

#endif
