/* SPDX-License-Identifier: MIT */
/*
 * The stages of a pipeline, the items on their way through them, and carriers, which
 * bring items from stage to stage. pipeline.c decides when carriers come, wait and go.
 * See README.md, "Pipelines".
 *
 * Everything that carriers share is under one lock, that of the list of idle carriers,
 * which is held for a few instructions at a time.
 */
#ifndef FILCH_ALGO_STAGES_H
#define FILCH_ALGO_STAGES_H

#include <filch/pipeline.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "algo/enter.h"
#include "base/atomic.h"
#include "base/cpu.h"
#include "wait/wait.h"

/* The state of a serial stage other than the first. Items pass it in the order of their
 * numbers. */
struct filch__serial {
	uint64_t turn; /* the number of the item that is in the stage, or comes next */
	void **parked; /* a ring: each item is at its number modulo `slots`; NULL while it
	                * is not parked */
};

/* A task that carries items. It lies in the task's frame. */
struct filch__carrier {
	/* Written by stages.c. */
	void *item;      /* the item that it carries */
	uint64_t number; /* of the item */
	size_t at;       /* the stage that the item is in, or comes to next */
	bool oldest;     /* all items before it have left all serial stages, so it may
	                  * enter any stage */
	/* Written by pipeline.c. */
	struct filch_group *group; /* the group that may cancel it, or NULL */
	uint64_t worked;           /* ticks of work since it last stopped */
	bool idle;                 /* it waits for something to do; under the lock */
	bool alone;                /* the task that it spawned is over; under the lock */
};

struct filch__stages {
	/* First: see FILCH__SHOWS_BEHIND. The first stage, by which all carriers are
	 * shown. Set by pipeline.c. */
	filch__function *shown;
	/* Set by pipeline.c before the first carrier comes. */
	const struct filch_stage *stage;
	size_t stages, last_serial;
	void (*drop)(void *item);
	size_t tokens;   /* the most items that are under way at a time */
	uint64_t us;     /* ticks in a microsecond */
	bool one_worker; /* the pool has only one worker */

	/* Written by stages.c: the first two before the first carrier comes, the result
	 * under the lock. Carriers read all three without it. */
	struct filch__serial *serial; /* of each stage; NULL: there is one token */
	size_t slots;                 /* of a ring: a power of 2, at least `tokens` */
	_Atomic(int) result; /* the first that is nonzero; it ends the pipeline */

	/* Carriers that have nothing to do; the list's lock guards everything that
	 * follows. */
	alignas(FILCH_LINE) struct filch__waiters idle;
	/* Written by stages.c. */
	size_t under_way; /* tokens in use */
	size_t ready;     /* serial stages whose next item is parked */
	uint64_t made;    /* items so far, the one in the first stage included */
	bool busy;        /* a carrier is in the first stage */
	bool ended;       /* the first stage has no more items */
	/* Written by pipeline.c. */
	size_t carriers;
	uint64_t pause; /* microseconds, see rest() */
	uint64_t quiet; /* ticks: no carrier is woken before this time */
};

/* Allocates memory for items to be parked. If there is none, reduces the tokens, down to
 * one, which needs no memory. */
void filch__stages_open(struct filch__stages *s);

/* Drops the items that are parked, and frees the memory. Caller: no carrier is left. */
void filch__stages_close(struct filch__stages *s);

/* Carries items from stage to stage until there is nothing to do. Caller: the carrier has
 * got something to do from filch__stages_take(). */
void filch__stages_carry(struct filch__stages *s, struct filch__carrier *c);

/* The functions below are called under the lock. */

/* True if no carrier will ever have anything to do again. */
bool filch__stages_are_over(const struct filch__stages *s);

/* True if one more carrier would have something to do. */
bool filch__stages_have_work(const struct filch__stages *s);

/* Gives the carrier something to do: an item that is ready, or the first stage. Returns
 * false if there is nothing now. */
bool filch__stages_take(struct filch__stages *s, struct filch__carrier *c);

/* Unlocks, and wakes idle carriers if there is something for them. */
void filch__stages_unlock(struct filch__stages *s);

#endif
