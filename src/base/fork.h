/* SPDX-License-Identifier: MIT */
/*
 * Functions to be called around fork(). The child has one thread, and finds whatever the
 * others were doing half done: each part of the runtime that keeps process-wide state
 * says here how the child forgets it.
 */
#ifndef FILCH_BASE_FORK_H
#define FILCH_BASE_FORK_H

#include <stdbool.h>

/* Each function may be NULL. Lifetime: as long as the process. */
struct filch__fork {
	void (*before)(void); /* in the parent, before the fork; the last watched first */
	void (*parent)(void); /* in the parent, after the fork */
	void (*child)(void);  /* in the child; the first watched first */
	/* The rest is the registry's. */
	struct filch__fork *next;
	bool watched;
};

/* Has these functions called around every fork from here on. If the C library has no
 * memory to note this, forks go unnoticed. Caller: any thread, any number of times. */
void filch__fork_watch(struct filch__fork *f);

#endif
