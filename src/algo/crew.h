/* SPDX-License-Identifier: MIT */
/*
 * A crew: the strands that do one range together, as many as there are hungry workers.
 * Each member takes the next block of the range until none is left. Blocks are taken in
 * order, so when a block is taken, all blocks before it have been taken. See README.md,
 * "Crews".
 */
#ifndef FILCH_ALGO_CREW_H
#define FILCH_ALGO_CREW_H

#include <stdbool.h>
#include <stddef.h>

#include "algo/enter.h"
#include "base/atomic.h"

struct filch__crew {
	/* First: see FILCH__SHOWS_BEHIND. The user's body, by which the crew is shown. */
	filch__function *shown;
	/* Set by the caller of filch__crew_run(). */
	size_t begin, end; /* the range */
	size_t block;      /* indices in a block; at least 1 */
	size_t first;      /* the block to begin with; those before it are done */
	/* Does a block; `mine` is the value that join() set. A nonzero result ends the
	 * crew. */
	int (*run)(struct filch__crew *c, size_t block, size_t begin, size_t end,
	           void *mine);
	/* Called when a strand becomes a member, and when it leaves; either may be NULL.
	 * If join() returns false, the strand does not become a member. The first member
	 * is the caller, to which join() must return true. */
	bool (*join)(struct filch__crew *c, void **mine);
	void (*leave)(struct filch__crew *c, void *mine);
	/* Written by crew.c. */
	size_t blocks;
	_Atomic(size_t) next; /* the next block to be taken; above `blocks` at times */
	_Atomic(int) result;  /* the first that is nonzero */
};

/* Returns how many indices a block of a range of n should have, at most `most`, where
 * results do not depend on it. If there are many indices, each is mostly cheap, and
 * taking a block costs some 50 ns, which must not count. If there are few, each may take
 * long, and is a block of its own. */
size_t filch__crew_block(size_t n, size_t most);

/* Has a crew do the range. Caller: any thread. Returns the first nonzero result, or
 * -ECANCELED if the calling task's group is cancelled. */
int filch__crew_run(struct filch__crew *c);

/* Ends the crew as if run() had returned `result`, which is nonzero; the first one
 * counts. */
void filch__crew_stop(struct filch__crew *c, int result);

/* Ends the crew without an error: no more blocks are taken. */
static inline void filch__crew_enough(struct filch__crew *c)
{
	store_rlx(&c->next, c->blocks); /* taking one too many does no harm */
}

/* True if a result has ended the crew early. */
static inline bool filch__crew_stopped(const struct filch__crew *c)
{
	return load_rlx(&c->result) != 0; /* a hint; the end of the crew is a join */
}

#endif
