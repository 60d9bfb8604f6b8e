/* SPDX-License-Identifier: MIT */
/*
 * How private tasks become stealable: a look through the strand's stack for records. See
 * README.md, "Finding records".
 */
#ifndef FILCH_STRAND_EXPOSE_H
#define FILCH_STRAND_EXPOSE_H

#include <stdbool.h>
#include <stddef.h>

struct filch__strand;
struct filch__worker;

/* Exposes up to `most` of the private records of the worker's active strand, the oldest
 * first. `sp`: where its youngest frame ends. Returns how many records thieves have gained.
 * Asks for no memory when `handler`. Caller: inside, or a signal handler. */
size_t filch__expose(struct filch__worker *w, char *sp, size_t most, bool handler);

/* Exposes all private tasks of groups. Caller: inside, about to stop the strand. */
void filch__expose_loose(struct filch__worker *w, struct filch__strand *s);

/* Exposes all that a stopped strand hides, and lists its deque. False if there was
 * nothing. Caller: in the scheduler, holds the strand. */
bool filch__expose_stopped(struct filch__worker *w, struct filch__strand *s);

#endif
