/* SPDX-License-Identifier: MIT */
#include "strand/hunger.h"

#include <filch/detail/record.h>
#include <stdalign.h>

#include "base/atomic.h"
#include "base/clock.h"
#include "base/cpu.h"
#include "base/lock.h"

#define COPIES 1024
#define SHOW_LEAST_US 8

/* Any thread reads the first line; the holder of the lock writes it. The lock protects the
 * rest. */
static struct {
	alignas(FILCH_LINE) _Atomic(bool) shown;
	_Atomic(uint64_t) changed_at; /* ticks */
	_Atomic(uint32_t) workers;    /* of the largest pool so far */
	alignas(FILCH_LINE) struct filch__lock writing;
	uint32_t copies;
	uint64_t *copy[COPIES];
} told;

void filch__hunger_expect(uint32_t workers)
{
	if (load_rlx(&told.workers) < workers)     /* a hint */
		store_rlx(&told.workers, workers); /* a hint */
}

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
	/* A thread that writes at the same time is as right as this one. Hundreds may come
	 * here at once, so most look only. */
	if (load_rlx(&told.shown) == hungry ||                              /* a hint */
	    load_rlx(filch__lock_word(&told.writing)) != FILCH__UNLOCKED || /* a hint */
	    !filch__try_lock(&told.writing))
		return;
	store_rlx(&told.shown, hungry); /* a hint */
	write_copies(hungry ? FILCH__HEARD : FILCH__LIVE);
	store_rlx(&told.changed_at, filch__ticks()); /* a hint */
	filch__unlock(&told.writing);
}

/* All workers that spawn fetch the line of the secret after each change: the more there are,
 * the less often it may change. And a change makes old tasks look young for a while. */
void filch__hunger_show(void)
{
	uint64_t halves = load_rlx(&told.workers), pause; /* a hint */

	if (halves < SHOW_LEAST_US * 2)
		halves = SHOW_LEAST_US * 2;
	pause = halves * filch__ticks_per_us() / 2;
	if (!load_rlx(&told.shown) && filch__hunger_unchanged() >= pause) /* a hint */
		set(true);
}

void filch__hunger_hide(void)
{
	if (load_rlx(&told.shown)) /* a hint */
		set(false);
}

bool filch__hunger_is_shown(void)
{
	return load_rlx(&told.shown); /* a hint */
}

uint64_t filch__hunger_unchanged(void)
{
	return filch__ticks() - load_rlx(&told.changed_at); /* a hint */
}

void filch__hunger_after_fork(void)
{
	store_rlx(filch__lock_word(&told.writing), FILCH__UNLOCKED); /* by one thread */
	filch__hunger_hide();
}
