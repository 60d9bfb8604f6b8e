/* SPDX-License-Identifier: MIT */
/*
 * Hungry workers tell all strands, before these have anything to give. The lowest bits of
 * the secret are part of every mark that a spawn writes, so a worker that finds nothing
 * changes these: the next spawns carry the change in their marks, at no cost, and their
 * joins, which no longer look private, come to filch__hear() (ask.h). So a spawn is silent,
 * and its join tells, however long ago any worker last had work.
 *
 * Each change costs every worker that spawns a line. So when the word has been taken back,
 * it is not given again for half a microsecond a worker, and 8 us at least. A mark of the
 * other word is older than the last change: so marks also tell which tasks are old (ask.h).
 *
 * A worker leaves the word behind when it falls asleep. The first join that hears it takes
 * it back; joins of older records still come, the later the larger their tasks are.
 *
 * All of this is a hint. Nothing is lost if a word is late, or never seen: the beggar asks
 * by a signal then (sched/idle.h).
 */
#ifndef FILCH_STRAND_HUNGER_H
#define FILCH_STRAND_HUNGER_H

#include <stdbool.h>
#include <stdint.h>

/* Begins to keep this copy of the secret, that of a program or library, up to date; and
 * ends that. The second returns when no thread writes it any longer. */
void filch__hunger_tell(uint64_t *copy);
void filch__hunger_tell_no_more(const uint64_t *copy);

/* There will be a pool of so many workers. */
void filch__hunger_expect(uint32_t workers);

/* A worker is hungry; or, what spawns are told is taken back. */
void filch__hunger_show(void);
void filch__hunger_hide(void);

/* Whether spawns are told that a worker is hungry. */
bool filch__hunger_is_shown(void);

/* For how long that has not changed, in ticks. */
uint64_t filch__hunger_unchanged(void);

/* Called in the child of a fork, where no worker is hungry. */
void filch__hunger_after_fork(void);

#endif
