/* SPDX-License-Identifier: MIT */
/*
 * Pools: making and ending them, running tasks of other threads, fork.
 */
#include <assert.h>
#include <errno.h>
#include <filch/pool.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/futex.h"
#include "sched/debug.h"
#include "sched/expose.h"
#include "sched/lookout.h"
#include "sched/misuse.h"
#include "sched/names.h"
#include "sched/overflow.h"
#include "sched/record.h"
#include "sched/run.h"
#include "sched/snapshot.h"
#include "trace/trace.h"
#include "watch/watch.h"

#define SLACK_NS 2000ul

static _Thread_local char why_text[256];

/* ---- threads ---- */

/* No thread begins before all are there, and known to each other. */
static void gate_pass(struct filch_pool *p)
{
	/* S7 acquire: pairs with the release in gate_open(); carries the threads'
	 * names. */
	while (!load_acq(&p->gate))
		filch__futex_wait(&p->gate, 0);
}

static void gate_open(struct filch_pool *p)
{
	/* S7 release: pairs with the acquire in gate_pass(); carries the threads'
	 * names. */
	store_rel(&p->gate, 1);
	filch__futex_wake(&p->gate, INT_MAX);
}

static void find_own_stack(struct filch__worker *w)
{
	pthread_attr_t a;
	void *lo = NULL;
	size_t size = 0;

	if (!pthread_getattr_np(pthread_self(), &a)) {
		pthread_attr_getstack(&a, &lo, &size);
		pthread_attr_destroy(&a);
	}
	w->thread_lo = lo;
	w->thread_hi = (char *)lo + size;
}

static void *thread_main(void *arg)
{
	struct filch__worker *w = arg;
	const size_t size = (size_t)64 << 10;
	stack_t alternate = {.ss_size = size}, none = {.ss_flags = SS_DISABLE};
	char name[16];

	snprintf(name, sizeof name, "filch-%u", w->index);
	pthread_setname_np(pthread_self(), name);
	prctl(PR_SET_TIMERSLACK, SLACK_NS, 0, 0, 0); /* else timers are 50 us late */
	find_own_stack(w);
	gate_pass(w->pool);
	alternate.ss_sp = mmap(NULL, size, PROT_READ | PROT_WRITE,
	                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (alternate.ss_sp != MAP_FAILED)
		sigaltstack(&alternate, NULL);
	filch__worker_main(w);
	/* Nobody goes before nobody can be asked any more. */
	pthread_barrier_wait(&w->pool->end);
	if (alternate.ss_sp != MAP_FAILED) {
		sigaltstack(&none, NULL);
		munmap(alternate.ss_sp, size);
	}
	return NULL;
}

/* Workers take no signals but the runtime's own and those that a fault raises. */
static void block_signals(const struct filch_pool *p, sigset_t *old)
{
	static const int faults[] = {SIGSEGV, SIGBUS,  SIGFPE, SIGILL,
	                             SIGTRAP, SIGABRT, SIGSYS};
	sigset_t set;

	sigfillset(&set);
	for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
		sigdelset(&set, faults[i]);
	if (p->settings.ask == FILCH__ASK_SIGNAL)
		sigdelset(&set, p->settings.signal);
	pthread_sigmask(SIG_SETMASK, &set, old);
}

static size_t deque_size_of(void *pool, size_t i)
{
	struct filch__worker *w = &((struct filch_pool *)pool)->worker[i];
	struct filch__deque *d = filch__offered(w);

	return (d ? filch__deque_size(d) : 0) + filch_runq_size_hint(&w->ready);
}

static int worker_init(struct filch_pool *p, uint32_t i)
{
	struct filch__worker *w = &p->worker[i];
	int err;

	memset(w, 0, sizeof *w);
	w->pool = p;
	w->index = i;
	w->events = p->trace ? &p->trace->ring[i] : NULL;
	w->batch = 1;
	w->random = filch__random_seed((uint64_t)i * 7919 + 1);
	err = filch_runq_init(&w->ready, NULL);
	if (err)
		return err;
	if (p->workers == 1)
		return 0;
	err = filch__victims_init(&w->victims, p->settings.policy, i, p->workers,
	                          &p->topology, deque_size_of, p, (uint64_t)i + 1);
	if (err)
		filch_runq_destroy(&w->ready);
	return err;
}

static void worker_destroy(struct filch_pool *p, uint32_t i)
{
	struct filch__worker *w = &p->worker[i];

	while (w->places) {
		struct filch__place *place = w->places;

		w->places = place->next;
		free(place);
	}
	while (w->all_deques) {
		struct filch__deque *d = w->all_deques;

		w->all_deques = d->next_all;
		filch__deque_free(d);
	}
	filch__stack_cache_flush(&p->stacks, &w->stacks);
	filch_runq_destroy(&w->ready);
	if (p->workers > 1)
		filch__victims_destroy(&w->victims);
}

static void stop_threads(struct filch_pool *p, uint32_t n)
{
	store_rlx(&p->stop, 1); /* a flag; the calls below are ordered by their fence */
	for (uint32_t i = 0; i < n; i++)
		filch__park_notify_all(&p->lot);
	for (uint32_t i = 0; i < n; i++)
		pthread_join(p->worker[i].thread, NULL);
	pthread_barrier_destroy(&p->end);
}

/* Starts as many threads as the system allows, at least one. */
static int start_threads(struct filch_pool *p)
{
	uint32_t n = 0;
	int err = 0;

	block_signals(p, &p->outside);
	while (n < p->workers && !err) {
		err = pthread_create(&p->worker[n].thread, NULL, thread_main,
		                     &p->worker[n]);
		n += !err;
	}
	pthread_sigmask(SIG_SETMASK, &p->outside, NULL);
	p->started = n;
	if (n)
		pthread_barrier_init(&p->end, NULL, n);
	gate_open(p);
	return n ? 0 : -EAGAIN;
}

/* ---- life cycle ---- */

static int workers_init(struct filch_pool *p)
{
	const size_t n = p->workers;
	int err = 0;

	p->worker = aligned_alloc(FILCH_LINE, n * sizeof *p->worker);
	p->parker = aligned_alloc(FILCH_LINE, n * sizeof *p->parker);
	if (!p->worker || !p->parker)
		err = -ENOMEM;
	for (uint32_t i = 0; i < n && !err; i++) {
		err = worker_init(p, i);
		while (err && i-- > 0)
			worker_destroy(p, i);
	}
	if (err) {
		free(p->worker);
		free(p->parker);
		return err;
	}
	filch__lot_init(&p->lot, p->parker, p->workers, filch__lookout_kick);
	return 0;
}

static void workers_destroy(struct filch_pool *p)
{
	for (uint32_t i = 0; i < p->workers; i++)
		worker_destroy(p, i);
	free(p->worker);
	free(p->parker);
}

static int fail(int err, const char **why, const char *text)
{
	if (why) {
		if (text != why_text)
			snprintf(why_text, sizeof why_text, "%s", text);
		*why = why_text;
	}
	return err;
}

static int open_signal(struct filch_pool *p, const char **why)
{
	/* The other kinds of queue ask for memory when they grow, or take a lock. */
	if (p->settings.queue != filch__queue_bwos_lifo)
		p->settings.ask = FILCH__ASK_POLL;
	if (p->settings.ask != FILCH__ASK_SIGNAL ||
	    !filch__signal_open(&p->settings.signal))
		return 0;
	snprintf(why_text, sizeof why_text,
	         "signal %d is handled by the program itself; choose another one with "
	         "FILCH_SIGNAL, or FILCH_ASK=poll",
	         p->settings.signal);
	return fail(-EBUSY, why, why_text);
}

static int open_trace(struct filch_pool *p, const char **why)
{
	const struct filch__settings *s = &p->settings;
	int err = 0;

	if (s->trace)
		err = filch__trace_begin(&p->trace, s->trace, s->trace_events, p->workers,
		                         why_text, sizeof why_text);
	return err ? fail(err, why, why_text) : 0;
}

/* hwloc has a lock of its own, which the child of a fork would find taken for good: no
 * fork() comes while a topology is read. */
static pthread_mutex_t topology_lock = PTHREAD_MUTEX_INITIALIZER;

static int pool_init(struct filch_pool *p, const char **why)
{
	int err;

	pthread_mutex_lock(&topology_lock);
	err = filch__topology_init(&p->topology, p->settings.topology);
	pthread_mutex_unlock(&topology_lock);
	if (err)
		return fail(err, why,
		            err == -EINVAL ? "hwloc does not understand this topology; "
		                             "see FILCH_TOPOLOGY"
		                           : "no memory for the topology");
	err = open_signal(p, why);
	if (err)
		goto destroy_topology;
	err = open_trace(p, why);
	if (err)
		goto destroy_topology;
	err = filch__stacks_init(&p->stacks, p->settings.stack_size);
	if (err) {
		fail(err, why, "the system gives no memory for stacks");
		goto drop_trace;
	}
	err = workers_init(p);
	if (err) {
		fail(err, why, "no memory for the workers");
		goto destroy_stacks;
	}
	filch__overflow_watch(&p->stacks);
	err = start_threads(p);
	if (!err)
		return 0;
	fail(err, why, "the system refuses to start threads; see ulimit -u");
	filch__overflow_unwatch(&p->stacks);
	workers_destroy(p);
destroy_stacks:
	filch__stacks_destroy(&p->stacks);
drop_trace:
	if (p->trace)
		filch__trace_drop(p->trace);
destroy_topology:
	filch__topology_destroy(&p->topology);
	return err;
}

/* The child has none of the threads: it forgets the pools, and can make new ones. */
static struct filch_pool *default_pool;
static pthread_mutex_t default_lock = PTHREAD_MUTEX_INITIALIZER;

/* Of filch__debug.pools. */
static pthread_mutex_t pools_lock = PTHREAD_MUTEX_INITIALIZER;

static void pools_add(struct filch_pool *p)
{
	pthread_mutex_lock(&pools_lock);
	p->next_pool = filch__debug.pools;
	filch__debug.pools = p;
	pthread_mutex_unlock(&pools_lock);
}

static void pools_remove(struct filch_pool *p)
{
	struct filch_pool **link = &filch__debug.pools;

	pthread_mutex_lock(&pools_lock);
	while (*link != p)
		link = &(*link)->next_pool;
	*link = p->next_pool;
	pthread_mutex_unlock(&pools_lock);
}

void filch__pools_each(void (*visit)(struct filch_pool *pool, void *arg), void *arg)
{
	pthread_mutex_lock(&pools_lock);
	for (struct filch_pool *p = filch__debug.pools; p; p = p->next_pool)
		visit(p, arg);
	pthread_mutex_unlock(&pools_lock);
}

static void before_fork(void)
{
	pthread_mutex_lock(&topology_lock);
	filch__trace_hold();
}

static void after_fork_here(void)
{
	filch__trace_release();
	pthread_mutex_unlock(&topology_lock);
}

static void after_fork(void)
{
	struct filch__worker *w = filch__worker_self();

	default_pool = filch__debug.pools = NULL;
	pthread_mutex_init(&default_lock, NULL);
	pthread_mutex_init(&pools_lock, NULL);
	pthread_mutex_init(&topology_lock, NULL);
	if (w) /* a task forked: what it starts shall not have signals blocked */
		pthread_sigmask(SIG_SETMASK, &w->pool->outside, NULL);
	filch__worker_forget();
	filch__ask_forget();
	filch__names_forget();
	filch__watch_forget();
	filch__trace_forget();
}

static uint32_t cpus(void)
{
	struct filch__cpus c;
	char why[64];

	return filch__cpus_read(&c, "") ? UINT32_MAX
	                                : filch__workers_for(&c, why, sizeof why);
}

static void watch_forks(void)
{
	pthread_atfork(before_fork, after_fork_here, after_fork);
}

int filch_pool_create(struct filch_pool **pool, const struct filch_pool_options *o,
                      const char **why)
{
	static const struct filch_pool_options none;
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct filch__settings settings;
	struct filch_pool *p;
	int err = filch__settings_resolve(&settings, o ? o : &none, why_text,
	                                  sizeof why_text);

	pthread_once(&once, watch_forks);
	if (!err) /* it stays also if there is no pool in the end, for the next one */
		err = filch__watch_begin(filch__snapshot, why_text, sizeof why_text);
	if (err)
		return fail(err, why, why_text);
	p = aligned_alloc(FILCH_LINE, sizeof *p);
	if (!p)
		return fail(-ENOMEM, why, "no memory for a pool");
	memset(p, 0, sizeof *p);
	p->settings = settings;
	p->workers = settings.workers;
	p->cpus = cpus();
	p->made_ns = filch__now_ns();
	filch__timers_init(&p->timers, p->made_ns);
	p->pid = getpid();
	err = pool_init(p, why);
	if (err) {
		free(p);
		return err;
	}
	pools_add(p);
	*pool = p;
	return 0;
}

int filch_pool_destroy(struct filch_pool *p)
{
	bool busy;

	if (!p)
		return 0;
	if (p->pid != getpid())
		return -ECHILD;
	if (filch__worker_of(p))
		return -EDEADLK;
	pthread_mutex_lock(&default_lock);
	/* S12 acquire: pairs with the release in filch__pool_release(); carries what others
	 * did with the pool. */
	busy = load_acq(&p->live);
	if (!busy && p == default_pool)
		default_pool = NULL;
	pthread_mutex_unlock(&default_lock);
	if (busy)
		return -EBUSY;
	/* S12 acquire: pairs with the release in filch__guest_go(); carries what they did
	 * with the pool. */
	while (load_acq(&p->guests))
		sched_yield();
	pools_remove(p);
	if (p->helpers)
		p->helpers_destroy(p->helpers);
	stop_threads(p, p->started);
	filch__overflow_unwatch(&p->stacks);
	if (p->trace)
		filch__trace_end(p->trace);
	if (filch__driver(p))
		filch__driver(p)->destroy(filch__driver(p));
	workers_destroy(p);
	filch__stacks_destroy(&p->stacks);
	filch__topology_destroy(&p->topology);
	free(p);
	return 0;
}

struct filch_pool *filch_pool_default(const char **why)
{
	struct filch_pool *p;

	pthread_mutex_lock(&default_lock);
	if (!default_pool && filch_pool_create(&default_pool, NULL, why))
		default_pool = NULL;
	p = default_pool;
	pthread_mutex_unlock(&default_lock);
	return p;
}

/* ---- running ---- */

FILCH_NOINLINE void filch__run(struct filch_pool *pool, struct filch__record *r)
{
	const char *why = NULL;
	struct filch__worker *w = filch__worker_self();
	struct filch__root root = {.ready.kind = FILCH__READY_ROOT, .record = r};

	if (w && (!pool || w->pool == pool)) {
		r->task->run(r); /* on a strand already: a call */
		return;
	}
	if (!pool)
		pool = filch_pool_default(&why);
	if (!pool)
		filch__misuse("FILCH_RUN", "the default pool does not start: %s", why);
	if (pool->pid != getpid())
		filch__misuse("FILCH_RUN_ON", "the pool belongs to the parent process; "
		                              "make one after fork()");
	atomic_init(&root.done, 0);
	store_rlx(filch__record_sync(r), (uintptr_t)&root | FILCH__IS_ROOT); /* inbox */
	filch__pool_hold(pool);
	filch__make_ready(pool, NULL, &root.ready);
	filch__root_wait(&root);
	filch__pool_release(pool); /* only now: the pool was in use here */
}
