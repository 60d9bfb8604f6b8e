/* SPDX-License-Identifier: MIT */
/*
 * The lock inside of everything that can be waited for. Held for a few instructions, so
 * who does not get it looks again for a while and only then sleeps: the holder may have
 * been taken off its processor. It belongs to no thread: a strand may lock and its worker
 * unlock when it has stopped.
 *
 * Three values, as in Drepper, "Futexes Are Tricky" (2011), mutex 2.
 */
#ifndef FILCH_SCHED_LOCK_H
#define FILCH_SCHED_LOCK_H

#include <filch/wait.h>
#include <stdbool.h>

#include "base/atomic.h"
#include "base/cpu.h"

#define FILCH__UNLOCKED 0u
#define FILCH__LOCKED 1u
#define FILCH__WANTED 2u /* held, and somebody sleeps, or is about to */

static inline _Atomic(uint32_t) *filch__lock_word(struct filch__lock *l)
{
	return (_Atomic(uint32_t) *)&l->word;
}

void filch__lock_slow(struct filch__lock *l);
void filch__unlock_slow(struct filch__lock *l);

static inline bool filch__try_lock(struct filch__lock *l)
{
	uint32_t seen = FILCH__UNLOCKED;

	/* S10 acquire: pairs with the release in filch__unlock(); carries all that the
	 * lock guards. */
	return cas_acq_rel(filch__lock_word(l), &seen, FILCH__LOCKED);
}

static inline void filch__lock(struct filch__lock *l)
{
	if (FILCH_UNLIKELY(!filch__try_lock(l)))
		filch__lock_slow(l);
}

/* Its last access to the lock is the exchange: who gets it next may free it. */
static inline void filch__unlock(struct filch__lock *l)
{
	/* S10 release: pairs with the acquires in filch__try_lock() and
	 * filch__lock_slow(); carries all that the lock guards. */
	if (FILCH_UNLIKELY(xchg_rel(filch__lock_word(l), FILCH__UNLOCKED) ==
	                   FILCH__WANTED))
		filch__unlock_slow(l); /* on an address only */
}

#endif
