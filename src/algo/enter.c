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
	void (*f)(void *context);
	void *context;
};

FILCH_STATIC_TASK_VOID(entered, (struct call *, c))
{
	assert(filch__inside());
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
	filch__hungry_call();
	f(context);
}
