/* SPDX-License-Identifier: MIT */
#include "base/lock.h"

#include "base/futex.h"

#define LOOKS 200

FILCH_COLD void filch__lock_slow(struct filch__lock *l)
{
	_Atomic(uint32_t) *word = filch__lock_word(l);

	for (int i = 0; i < LOOKS; i++) {
		if (load_rlx(word) == FILCH__UNLOCKED && /* a look; the CAS re-checks */
		    filch__try_lock(l))
			return;
		filch__relax();
	}
	/* L1 acquire: pairs with the release in filch__unlock(); carries all that the
	 * lock guards. */
	while (xchg_acq(word, FILCH__WANTED) != FILCH__UNLOCKED)
		filch__futex_wait(word, FILCH__WANTED);
}

FILCH_COLD void filch__unlock_slow(struct filch__lock *l)
{
	filch__futex_wake(filch__lock_word(l), 1);
}
