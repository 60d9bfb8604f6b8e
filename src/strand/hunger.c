/* SPDX-License-Identifier: MIT */
#include "strand/hunger.h"

#include <filch/detail/record.h>
#include <stdalign.h>

#include "base/atomic.h"
#include "base/cpu.h"
#include "base/lock.h"

#define COPIES 1024

/* The copies of the secret. The lock protects all but `shown`, which any thread reads. A
 * worker that hears, and takes the word back, fetches one line for all of this. */
static struct {
	alignas(FILCH_LINE) struct filch__lock writing;
	_Atomic(bool) shown;
	uint32_t copies;
	uint64_t *copy[COPIES];
} told;

void filch__hunger_tell(uint64_t *c)
{
	filch__lock(&told.writing);
	if (told.copies < COPIES) /* else its strands are asked by signals alone */
		told.copy[told.copies++] = c;
	filch__unlock(&told.writing);
}

void filch__hunger_tell_no_more(const uint64_t *c)
{
	filch__lock(&told.writing);
	for (uint32_t i = 0; i < told.copies; i++)
		if (told.copy[i] == c)
			told.copy[i] = told.copy[--told.copies];
	filch__unlock(&told.writing);
}

/* Writes the low bits of all copies. Caller: holds the lock. */
static void write_copies(uint64_t low)
{
	for (uint32_t i = 0; i < told.copies; i++) {
		_Atomic(uint64_t) *c = (_Atomic(uint64_t) *)told.copy[i];
		uint64_t rest = load_rlx(c) & ~(uint64_t)15; /* constant */

		store_rlx(c, rest | low); /* a hint */
	}
}

static void set(bool hungry)
{
	/* A thread that writes at the same time is as right as this one. */
	if (load_rlx(&told.shown) == hungry ||
	    !filch__try_lock(&told.writing)) /* a hint */
		return;
	store_rlx(&told.shown, hungry); /* a hint */
	write_copies(hungry ? FILCH__HEARD : FILCH__LIVE);
	filch__unlock(&told.writing);
}

void filch__hunger_show(void)
{
	set(true);
}

void filch__hunger_hide(void)
{
	set(false);
}

bool filch__hunger_is_shown(void)
{
	return load_rlx(&told.shown); /* a hint */
}

void filch__hunger_after_fork(void)
{
	store_rlx(filch__lock_word(&told.writing), FILCH__UNLOCKED); /* by one thread */
	filch__hunger_hide();
}
