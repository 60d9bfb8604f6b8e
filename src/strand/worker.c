/* SPDX-License-Identifier: MIT */
#include "strand/worker.h"

#include "base/misuse.h"

static _Thread_local struct filch__worker *self;

FILCH_NOINLINE struct filch__worker *filch__worker_self(void)
{
	__asm__ volatile(""); /* so that no caller reuses an earlier result */
	return self;
}

FILCH_NOINLINE struct filch__worker *filch__worker_of(struct filch_pool *pool)
{
	return self && self->pool == pool ? self : NULL;
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
