/* SPDX-License-Identifier: MIT */
/*
 * How private tasks become stealable: the strand's thread looks through its own stack for
 * records, and puts those that it finds into the strand's deque.
 *
 * Kumar et al. (OOPSLA'12) have the thief walk the victim's stack with the help of a
 * managed runtime. Here the victim walks its own: it looks for words that are LIVE with a
 * known task behind them, from the oldest frame on, marks these records EXPOSED, puts
 * them into the deque and shares the deque as a whole. In a deep stack it continues where
 * it last found something, and looks at the rest only when it finds nothing. A scan reads
 * 16 bytes in about a nanosecond.
 *
 * Bytes that look like a record and are none would be run, so there must be no such
 * bytes:
 * - LIVE is stored as an immediate (FILCH__PUBLISH), so it is never in a register and
 *   cannot be spilled.
 * - A join leaves the mark not LIVE, so dead frames hold none.
 * - A record counts only if its task lies in a range that a program or library has
 *   registered, on the boundary of an entry.
 * That leaves programs that copy a frame's bytes, or leave a frame without joining
 * (longjmp()). Both are errors of use.
 */
#ifndef FILCH_STRAND_EXPOSE_H
#define FILCH_STRAND_EXPOSE_H

#include <stdbool.h>
#include <stddef.h>

struct filch__strand;
struct filch__worker;

/* Exposes up to `most` of the private records of the worker's active strand, the oldest
 * first. `sp`: where its youngest frame ends. Returns how many records thieves have
 * gained. Allocates nothing if `handler`. Caller: inside, or a signal handler. */
size_t filch__expose(struct filch__worker *w, char *sp, size_t most, bool handler);

/* Exposes all private tasks of groups. Caller: inside, about to stop the strand. */
void filch__expose_loose(struct filch__worker *w, struct filch__strand *s);

/* Exposes all that a stopped strand hides, and lists its deque. Returns false if it
 * hides nothing. Caller: in the scheduler, and holds the strand. */
bool filch__expose_stopped(struct filch__worker *w, struct filch__strand *s);

#endif
