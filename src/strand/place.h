/* SPDX-License-Identifier: MIT */
/*
 * Running in place: without memory for a stack, a record runs on the worker's own. Such a
 * strand cannot be left: when it waits, its worker does other work on top of it, and it
 * resumes when all that was begun on top of it has ended.
 *
 * So that this does not overflow the worker's stack, a worker begins nothing more in place
 * when too much of that stack is used: no future beyond one half, nothing at all beyond
 * three quarters. The rest for tasks and roots is there because they are few: a thread or
 * a strand waits for each of them, while futures may be a million. A worker that may begin
 * nothing in place, and gets no stack either, is starved. It leaves alone the deques of
 * other strands, puts the roots and deques that it comes across aside, into lists of the
 * pool, and only resumes strands.
 *
 * What is put aside begins as soon as any worker can begin it:
 * - A worker that has a stack in its cache, or room on its own stack, is not starved, and
 *   does not sleep before it has looked into the lists. So stacks need not be passed on:
 *   the worker that ends a strand has the stack of that strand.
 * - A worker that puts something aside wakes all others before it sleeps or goes on, in
 *   case one of them is not starved. Of several entries each taker wakes another worker,
 *   so that one which was starved looks for stacks again.
 * - A starved worker resumes strands with stacks like any other, wherever they became
 *   ready, and its own innermost strand in place. If one of these ends, it has a stack,
 *   or room, again.
 *
 * So the pool comes to a halt only if all strands with stacks and the innermost strand of
 * every worker wait, and what they wait for is for something to do that has not begun, or
 * for a strand in place that is not innermost. There is no memory to run the former, and
 * no way to run the latter. A worker that is in a system call keeps the stacks in its
 * cache, which the others cannot have meanwhile.
 */
#ifndef FILCH_STRAND_PLACE_H
#define FILCH_STRAND_PLACE_H

#include "strand/strand.h"

/* A strand that runs in place. */
struct filch__place {
	struct filch__strand strand; /* first */
	struct filch__place *next;   /* the next that is not in use */
};

/* The places of a worker. Only that worker uses them. */
struct filch__places {
	struct filch__place
		*unused; /* kept until the pool ends: late tickets point there */
	struct filch__strand *innermost; /* the innermost strand that waits in place */
	char *lo, *hi;                   /* the thread's own stack; constant */
	/* For each depth of stacks: nothing more is to be begun in place that wants such a
	 * stack; it cannot be begun at all, as far as the worker knows. */
	bool full[FILCH__DEPTHS], starved[FILCH__DEPTHS];
};

/* Runs the record on the worker's own stack. Caller: in the scheduler. */
void filch__place_run(struct filch__worker *w, struct filch__record *r);

/* Waits as filch__suspend() does. Caller: inside, on a strand that runs in place. */
void filch__place_wait(struct filch__worker *w, struct filch__strand *s,
                       filch__arm_fn *arm, void *arg);

void filch__places_look_slow(struct filch__worker *w);

/* Finds out again whether the worker is starved. Caller: the worker, in the scheduler. */
static inline void filch__places_look(struct filch__worker *w, struct filch__places *ps)
{
	if (FILCH_UNLIKELY(ps->full[FILCH__SHALLOW]))
		filch__places_look_slow(w);
}

/* Frees the places. Caller: the pool's workers are gone. */
void filch__places_destroy(struct filch__places *ps);

#endif
