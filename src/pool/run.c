/* SPDX-License-Identifier: MIT */
/*
 * FILCH_RUN: a task for a thread that need not be a worker.
 */
#include <filch/task.h>

#include "base/misuse.h"
#include "pool/pool.h"
#include "sched/hold.h"
#include "sched/lend.h"
#include "strand/above.h"
#include "strand/record.h"
#include "strand/root.h"

/* Runs it as a worker of the pool, if the pool has a seat for the calling thread. */
static bool run_here(struct filch_pool *pool, struct filch__root *root)
{
	struct filch__loan loan;

	if (!filch__borrow(pool, &loan, &root->done))
		return false;
	root->worker = &loan.seat->worker;
	filch__loan_call(&loan, root->record);
	filch__loan_work(&loan);
	filch__give_back(&loan);
	return true;
}

FILCH_NOINLINE void filch__run(struct filch_pool *pool, struct filch__record *r)
{
	const char *why = NULL;
	struct filch__worker *w = filch__worker_self();
	struct filch__root root = {.ready.kind = FILCH__READY_ROOT, .record = r};

	filch__told_spawn(r);
	if (w && (!pool || w->pool == pool)) {
		filch__strand_call(w->active, r); /* on a strand already: a call */
		return;
	}
	if (!pool)
		pool = filch_pool_default(&why);
	if (!pool)
		filch__misuse("FILCH_RUN", "the default pool does not start: %s", why);
	if (filch__pool_is_parents(pool))
		filch__misuse("FILCH_RUN_ON", "the pool belongs to the parent process; "
		                              "make one after fork()");
	atomic_init(&root.done, 0);
	store_rlx(filch__record_sync(r), (uintptr_t)&root | FILCH__IS_ROOT); /* inbox */
	filch__pool_hold(pool, NULL);
	add_rlx(&filch__stuck, 1); /* a count */
	if (w || !run_here(pool, &root))
		filch__make_ready(pool, NULL, &root.ready);
	filch__root_wait(&root);
	add_rlx(&filch__stuck, UINT32_MAX); /* a count */
	filch__pool_release(pool, NULL);    /* only now: the pool was in use here */
}
