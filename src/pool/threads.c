/* SPDX-License-Identifier: MIT */
#include "pool/threads.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#include "base/check.h"
#include "base/futex.h"
#include "sched/work.h"

#define SLACK_NS 2000ul /* how late the kernel may wake a worker; 50 us by default */
#define ALTERNATE ((size_t)64 << 10) /* bytes of a worker's signal stack */

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

static void find_own_stack(struct filch__places *places)
{
	pthread_attr_t a;
	void *lo = NULL;
	size_t size = 0;

	if (!pthread_getattr_np(pthread_self(), &a)) {
		pthread_attr_getstack(&a, &lo, &size);
		pthread_attr_destroy(&a);
	}
	places->lo = lo;
	places->hi = (char *)lo + size;
}

/* Lets the worker be asked, even if the thread that made the pool has blocked the
 * signal. */
static void unblock_ask(const struct filch__settings *s)
{
	sigset_t ask;

	if (s->ask != FILCH__ASK_SIGNAL)
		return;
	sigemptyset(&ask);
	sigaddset(&ask, s->signal);
	pthread_sigmask(SIG_UNBLOCK, &ask, NULL);
}

static void *thread_main(void *arg)
{
	struct filch__seat *me = arg;
	struct filch__pool_whole *p = filch__pool_whole(me->worker.pool);
	stack_t alternate = {.ss_size = ALTERNATE}, none = {.ss_flags = SS_DISABLE};
	char name[16];

	snprintf(name, sizeof name, "filch-%u", me->worker.index);
	pthread_setname_np(pthread_self(), name);
	prctl(PR_SET_TIMERSLACK, SLACK_NS, 0, 0, 0);
	unblock_ask(&p->settings);
	find_own_stack(&me->worker.places);
	gate_pass(p);
	alternate.ss_sp = mmap(NULL, ALTERNATE, PROT_READ | PROT_WRITE,
	                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (alternate.ss_sp != MAP_FAILED)
		sigaltstack(&alternate, NULL);
	filch__worker_main(me);
	/* No worker exits while another may still send it a question. */
	pthread_barrier_wait(&p->end);
	if (alternate.ss_sp != MAP_FAILED) {
		sigaltstack(&none, NULL);
		munmap(alternate.ss_sp, ALTERNATE);
	}
	return NULL;
}

/* ---- all of them ---- */

/* The threads inherit the caller's signal mask, and so do the programs that tasks start:
 * README.md, "Signals". */
int filch__threads_start(struct filch__pool_whole *p)
{
	uint32_t n = 0;
	int err = 0;

	pthread_sigmask(SIG_SETMASK, NULL, &p->outside);
	while (n < p->pool.workers && !err) {
		struct filch__seat *seat = &p->pool.seat[n];

		err = pthread_create(&seat->worker.thread, NULL, thread_main, seat);
		n += !err;
	}
	p->started = n;
	assert(n <= p->pool.workers);
	if (n)
		pthread_barrier_init(&p->end, NULL, n);
	gate_open(p);
	return n ? 0 : -EAGAIN;
}

void filch__threads_stop(struct filch__pool_whole *p)
{
	store_rlx(&p->pool.stop, 1); /* a flag; the calls are ordered by their fence */
	for (uint32_t i = 0; i < p->started; i++)
		filch__park_notify_all(&p->pool.lot);
	for (uint32_t i = 0; i < p->started; i++)
		pthread_join(p->pool.seat[i].worker.thread, NULL);
	FILCH__CHECK(filch__seats_check(&p->pool));
	pthread_barrier_destroy(&p->end);
}
