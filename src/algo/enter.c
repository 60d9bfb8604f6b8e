/* SPDX-License-Identifier: MIT */
#include "algo/enter.h"

#include <assert.h>
#include <filch/pool.h>
#include <filch/task.h>

#include "algo/hungry.h"
#include "strand/worker.h"

bool filch__inside(void)
{
	struct filch__worker *w = filch__worker_self();

	return w && w->active;
}

struct call {
	filch__function *shown; /* first: see FILCH__SHOWS_BEHIND */
	void (*f)(void *context);
	void *context;
};

FILCH__DEFINE(FILCH__SHOWS_BEHIND, static, 0, void, entered, (struct call *, c))
{
	assert(filch__inside());
	c->f(c->context);
}

void filch__enter_pool_as(filch__function *shown, void (*f)(void *context), void *context)
{
	struct call c = {shown, f, context};
	struct filch_pool *pool = filch__inside() ? NULL : filch_pool_default(NULL);

	if (pool) {
		FILCH_RUN_ON(pool, entered, &c);
		return;
	}
	filch__hungry_call();
	f(context);
}

void filch__enter_pool(void (*f)(void *context), void *context)
{
	filch__enter_pool_as((filch__function *)f, f, context);
}
