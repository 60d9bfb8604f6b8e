/* SPDX-License-Identifier: MIT */
#include "pool/threads.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>

#include "base/check.h"
#include "base/futex.h"
#include "base/signal.h"
#include "sched/home.h"
#include "sched/lend.h"
#include "sched/work.h"

/* ---- the gate: no thread begins before all are there, and known to each other ---- */

static void gate_pass(struct filch__pool_whole *p)
{
	/* S7 acquire: pairs with the release in gate_open(); carries the workers and
	 * their threads. */
	while (!load_acq(&p->gate))
		filch__futex_wait(&p->gate, 0);
}

static void gate_open(struct filch__pool_whole *p)
{
	/* S7 release: pairs with the acquire in gate_pass(); carries the workers and
	 * their threads. */
	store_rel(&p->gate, 1);
	filch__futex_wake(&p->gate, INT_MAX);
}

/* ---- one thread ---- */

/* Lets the worker be asked, even if the thread that made the pool has blocked the
 * signal. */
static void unblock_ask(const struct filch__settings *s)
{
	if (s->ask == FILCH__ASK_SIGNAL)
		filch__signal_unblock(s->signal);
}

static void *thread_main(void *arg)
{
	struct filch__seat *me = arg;
	struct filch__pool_whole *p = filch__pool_whole(me->worker.pool);
	struct filch__places *places = &me->worker.places;
	void *alternate;
	char name[16];

	snprintf(name, sizeof name, "filch-%u", me->worker.index);
	filch__thread_name(name);
	filch__thread_slack(FILCH__SLACK_NS);
	filch__thread_guard();
	store_rlx(&me->worker.address, filch__thread_address()); /* the gate orders it */
	unblock_ask(&p->settings);
	filch__home_begin(me);
	filch__thread_stack(&places->lo, &places->hi);
	gate_pass(p);
	alternate = filch__signal_stack_open(FILCH__HANDLER_STACK);
	filch__worker_main(me);
	/* No worker exits while another may still send it a question. */
	filch__meet(&p->end);
	filch__signal_stack_close(alternate, FILCH__HANDLER_STACK);
	return NULL;
}

/* ---- all of them ---- */

/* The threads inherit the caller's signal mask, and so do the programs that tasks start:
 * README.md, "Signals". */
int filch__threads_start(struct filch__pool_whole *p)
{
	uint32_t n = 0;

	pthread_sigmask(SIG_SETMASK, NULL, &p->outside);
	while (n < p->pool.workers && filch__thread_start(&p->pool.seat[n].worker.thread,
	                                                  thread_main, &p->pool.seat[n]))
		n++;
	p->started = n;
	assert(n <= p->pool.workers);
	if (n)
		filch__meeting_init(&p->end, n);
	gate_open(p);
	return n ? 0 : -EAGAIN;
}

void filch__threads_stop(struct filch__pool_whole *p)
{
	store_rlx(&p->pool.stop, 1); /* a flag; the calls are ordered by their fence */
	for (uint32_t i = 0; i < p->started; i++)
		filch__park_notify_all(&p->pool.lot);
	for (uint32_t i = 0; i < p->started; i++)
		filch__thread_join(&p->pool.seat[i].worker.thread);
	FILCH__CHECK(filch__seats_check(&p->pool));
	filch__meeting_destroy(&p->end);
}
