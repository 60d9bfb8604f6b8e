/* SPDX-License-Identifier: MIT */
#include "algo/enter.h"

#include <filch/pool.h>
#include <filch/task.h>

bool filch__inside(void)
{
	struct filch__worker *w = filch__worker_self();

	return w && w->active;
}

void filch__call_help(void)
{
	struct filch__worker *w = filch__worker_self();

	if (!w || !w->active)
		return;
	filch__enter(w);
	filch__call_beggar(w);
	filch__leave(w);
}

struct call {
	void (*f)(void *context);
	void *context;
};

FILCH_STATIC_TASK_VOID(entered, (struct call *, c))
{
	c->f(c->context);
}

void filch__enter_pool(void (*f)(void *context), void *context)
{
	struct call c = {f, context};
	struct filch_pool *pool = filch__inside() ? NULL : filch_pool_default(NULL);

	if (pool) {
		FILCH_RUN_ON(pool, entered, &c);
		return;
	}
	filch__call_help();
	f(context);
}

uint64_t filch__ticks_per_us(void)
{
#if defined(__x86_64__)
	return 2500; /* what has an invariant counter runs at 1.5 to 4 GHz */
#elif defined(__aarch64__)
	uint64_t hz;

	__asm__("mrs %0, cntfrq_el0" : "=r"(hz));
	return hz / 1000000 + 1;
#else
	return 1000; /* filch__ticks() counts nanoseconds */
#endif
}
