/* SPDX-License-Identifier: MIT */
#include "strand/worker.h"

#include "base/misuse.h"
#include "fiber/apart.h"
#include "strand/hunger.h"

static _Thread_local struct filch__worker *self;

FILCH_NOINLINE struct filch__worker *filch__worker_self(void)
{
	__asm__ volatile(""); /* so that no caller reuses an earlier result */
	filch__apart_catch_up();
	return self;
}

FILCH_NOINLINE struct filch__worker *filch__worker_of(struct filch_pool *pool)
{
	filch__apart_catch_up();
	return self && self->pool == pool ? self : NULL;
}

FILCH_NOINLINE __attribute__((no_sanitize("thread"))) struct filch__strand *
filch__strand_self(void)
{
	__asm__ volatile(""); /* as above */
	return self ? self->active : NULL;
}

__attribute__((no_sanitize("thread"))) bool filch__listens_self(void)
{
	bool shown = filch__hunger_is_shown(); /* here TSan delivers signals */

	/* TSan takes a handler that interrupts an answer for another thread. */
	if (FILCH__TSAN && self && self->answers.signal)
		return false;
	return shown || (self && self->active &&
	                 (self->answers.hearing != FILCH__HEARS_NOTHING ||
	                  load_rlx(&self->question.asked))); /* a hint */
}

void filch__worker_be(struct filch__worker *w)
{
	self = w;
}

void filch__check_not_child(void)
{
	if (!filch__worker_self())
		filch__misuse("fork", "a task that has forked must not return in the "
		                      "child, which has no workers; call _exit");
}
