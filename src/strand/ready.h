/* SPDX-License-Identifier: MIT */
/*
 * A thing that is ready waits to be picked up by a worker: a strand that may resume, the
 * deque of a strand that is stopped, or a root (root.h). The scheduler (src/sched) keeps
 * such things in the workers' stealable sets and in the pool's inbox.
 */
#ifndef FILCH_STRAND_READY_H
#define FILCH_STRAND_READY_H

enum filch__ready_kind { FILCH__READY_STRAND, FILCH__READY_DEQUE, FILCH__READY_ROOT };

struct filch__ready {
	struct filch__ready *next;   /* in the inbox; its holder writes */
	enum filch__ready_kind kind; /* constant: the kind of struct that holds it */
};

/* Which of the pool's two sizes of stacks a strand is begun on (README.md, "Nouns"). */
enum filch__depth { FILCH__DEEP, FILCH__SHALLOW, FILCH__DEPTHS };

#endif
