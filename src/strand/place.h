/* SPDX-License-Identifier: MIT */
/*
 * Running in place: without memory for a stack, a record runs on the worker's own. Such a
 * strand cannot be left: when it waits, its worker does other work on top of it.
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
};

/* Runs the record on the worker's own stack. Caller: in the scheduler. */
void filch__place_run(struct filch__worker *w, struct filch__record *r);

/* Waits as filch__suspend() does. Caller: inside, on a strand that runs in place. */
void filch__place_wait(struct filch__worker *w, struct filch__strand *s,
                       filch__arm_fn *arm, void *arg);

/* Frees the places. Caller: the pool's workers are gone. */
void filch__places_destroy(struct filch__places *ps);

#endif
