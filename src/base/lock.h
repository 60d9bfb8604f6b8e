/* SPDX-License-Identifier: MIT */
/*
 * The lock inside everything that can be waited for. It is held for a few instructions,
 * so a thread that does not get it looks again for a while before it sleeps: the holder
 * may have lost its processor. The lock belongs to no thread: a strand may take it and
 * its worker release it after the strand has stopped.
 *
 * The word has three values, as in Drepper, "Futexes Are Tricky" (2011), mutex 2. See
 * README.md.
 */
#ifndef FILCH_BASE_LOCK_H
#define FILCH_BASE_LOCK_H

#include <assert.h>
#include <filch/detail/wait.h>
#include <stdbool.h>

#include "base/atomic.h"
#include "base/cpu.h"

#define FILCH__UNLOCKED 0u
#define FILCH__LOCKED 1u
#define FILCH__WANTED 2u /* held, and some thread sleeps or is about to */

static inline _Atomic(uint32_t) *filch__lock_word(struct filch__lock *l)
{
	return (_Atomic(uint32_t) *)&l->word;
}

void filch__lock_slow(struct filch__lock *l);
void filch__unlock_slow(struct filch__lock *l);

static inline bool filch__try_lock(struct filch__lock *l)
{
	uint32_t seen = FILCH__UNLOCKED;

	/* L1 acquire: pairs with the release in filch__unlock(); carries all that the
	 * lock guards. */
	return cas_acq_rel(filch__lock_word(l), &seen, FILCH__LOCKED);
}

static inline void filch__lock(struct filch__lock *l)
{
	if (FILCH_UNLIKELY(!filch__try_lock(l)))
		filch__lock_slow(l);
}

/* The exchange is the last access to the lock: the next holder may free its memory. */
static inline void filch__unlock(struct filch__lock *l)
{
	uint32_t was;

	/* L1 release: pairs with the acquires in filch__try_lock() and
	 * filch__lock_slow(); carries all that the lock guards. */
	was = xchg_rel(filch__lock_word(l), FILCH__UNLOCKED);
	assert(was != FILCH__UNLOCKED);
	if (FILCH_UNLIKELY(was == FILCH__WANTED))
		filch__unlock_slow(l); /* uses the address only */
}

#endif
