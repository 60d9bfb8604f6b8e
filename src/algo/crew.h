/* SPDX-License-Identifier: MIT */
/*
 * A crew: as many strands as there are hungry workers, each of which takes the next block
 * of a range until none is left. Blocks are taken in order, so that what precedes a block
 * has been begun. See README.md, "Crews".
 */
#ifndef FILCH_ALGO_CREW_H
#define FILCH_ALGO_CREW_H

#include <stdbool.h>
#include <stddef.h>

#include "base/atomic.h"

struct filch__crew {
	/* Filled in by the caller: */
	size_t begin, end; /* the range */
	size_t block;      /* indices a block, not 0 */
	bool whole;        /* goes on when the calling task's group is cancelled */
	/* Does a block. `mine` is what join() gave. Not zero ends it all. */
	int (*run)(struct filch__crew *c, size_t block, size_t begin, size_t end,
	           void *mine);
	size_t first; /* the block to begin with: those before are done */
	/* When one joins the crew, and when it leaves; either may be NULL. join() false: this
	 * one stays out; the first that joins, who is the caller, may not say so. */
	bool (*join)(struct filch__crew *c, void **mine);
	void (*leave)(struct filch__crew *c, void *mine);
	/* The rest is filled in by filch__crew_run(). */
	size_t blocks;
	_Atomic(size_t) next;
	_Atomic(int) result;
};

/* Has the crew do the range. Caller: any thread. Returns the first result that is not zero;
 * -ECANCELED if the calling task's group is cancelled, unless `whole`. */
int filch__crew_run(struct filch__crew *c);

/* Ends it, as if run() had returned that; keeps the first. */
void filch__crew_stop(struct filch__crew *c, int result);

/* Ends it without an error: no more blocks are taken. */
static inline void filch__crew_enough(struct filch__crew *c)
{
	store_rlx(&c->next, c->blocks); /* who takes one too many does no harm */
}

/* True if it has ended early. */
static inline bool filch__crew_stopped(const struct filch__crew *c)
{
	return load_rlx(&c->result) != 0; /* a hint; the end of the crew is a join */
}

#endif
