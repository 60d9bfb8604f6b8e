/* SPDX-License-Identifier: MIT */
#include "strand/run.h"

#include "fiber/apart.h"
#include "strand/worker.h"

void filch__told_spawn(struct filch__record *r)
{
	filch__apart_from(r);
}

#if FILCH__TSAN
__attribute__((no_sanitize("thread"))) void filch__record_run_apart(
	struct filch__record *r)
{
	struct filch__strand *s = filch__strand_self();
	const struct filch__task *task =
		(const struct filch__task *)((uintptr_t)r->task & ~(uintptr_t)1);

	if (s)
		filch__apart_call(task->run, r, r, s->lo);
	else
		task->run(r);
}
#endif
