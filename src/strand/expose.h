/* SPDX-License-Identifier: MIT */
/*
 * How private tasks become stealable: the strand's thread looks through its own stack for
 * records, and puts those that it finds into the strand's deque.
 *
 * Kumar et al. (OOPSLA'12) have the thief walk the victim's stack with the help of a
 * managed runtime. Here the victim walks its own: it looks for words that make a record of
 * the place where they lie, from the oldest frame on, marks these records EXPOSED, puts
 * them into the deque and shares the deque as a whole. In a deep stack it continues where
 * it last found something, and looks at the rest only when it finds nothing. A scan reads
 * 16 bytes in about a nanosecond. It ends after SLICE_NS and continues when the worker is
 * asked again: a handler stops whatever its thread does. A strand that stops to join, and
 * whose stack takes longer than that, is put on a shelf, where the rest is looked through.
 *
 * Bytes that look like a record and are none would be run, so there must be no such bytes.
 * A word counts as the mark of a private record only if it is the sum of its own address
 * and the secret, a random number of the process. Hence only a spawn at this address can
 * have written it:
 * - No input spells it, since nobody outside knows the secret.
 * - Copies of a frame, words that the compiler spills, the registers in a signal frame and
 *   whatever else a word is copied to lie at other addresses.
 * - A join removes the mark, so dead frames hold none.
 * That leaves a program that leaves a frame without joining (longjmp()), which is an error
 * of use, and a stranger who can read the stack or the secret and write to the stack. For
 * defence against the latter, a record counts only if its task lies in a range that a
 * program or library has registered; FILCH_EXACT (listed.h) does without the search.
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

/* How long a task has been hidden that is old: it is worth its theft. */
#define FILCH__OLD_US 4

enum filch__sight { FILCH__SEES_NOTHING, FILCH__SEES_TASK, FILCH__SEES_OLD };

/* Returns what the worker's active strand seems to hide. It looks at the oldest part of the
 * stack, and at the part below the task that was exposed last, while the strand's thread
 * writes there: a hint. Caller: any thread of the pool. */
enum filch__sight filch__glance(const struct filch__worker *w);

/* Dates the oldest private record in that part of the active strand's stack: gives it a
 * mark that spawns do not write until the word of hunger changes. The second function sees
 * an old task if the oldest one there has such a mark. Caller: the worker, inside. */
void filch__date_oldest(struct filch__worker *w);
enum filch__sight filch__oldest(struct filch__worker *w);

/* Exposes all private tasks of groups. Caller: inside, about to stop the strand. */
void filch__expose_loose(struct filch__worker *w, struct filch__strand *s);

/* Exposes all that a stopped strand hides, and lists its deque. Returns false if it
 * hides nothing. Caller: in the scheduler, and holds the strand. */
bool filch__expose_stopped(struct filch__worker *w, struct filch__strand *s);

#endif
