/* SPDX-License-Identifier: MIT */
/*
 * Pools: making and ending them, the default pool, and fork.
 */
#include "pool/pool.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fork.h"
#include "pool/above.h"
#include "pool/bind.h"
#include "pool/overflow.h"
#include "pool/threads.h"
#include "sched/hold.h"
#include "sched/idle.h"
#include "sched/lookout.h"
#include "sched/own.h"
#include "sched/steal.h"
#include "strand/hunger.h"
#include "strand/names.h"
#include "strand/root.h"
#include "trace/trace.h"
#include "watch/watch.h"

static _Thread_local char why_text[256];

int filch__pool_fail(int err, const char **why, const char *text)
{
	if (why) {
		if (text != why_text)
			snprintf(why_text, sizeof why_text, "%s", text);
		*why = why_text;
	}
	return err;
}

/* ---- stacks ---- */

static int stacks_init(struct filch__pool_whole *p)
{
	struct filch__stacks *stacks = p->pool.stacks;
	int err = filch__stacks_init(&stacks[FILCH__DEEP], p->settings.stack_size);

	if (err)
		return err;
	err = filch__stacks_init(&stacks[FILCH__SHALLOW], p->settings.future_size);
	if (err)
		filch__stacks_destroy(&stacks[FILCH__DEEP]);
	return err;
}

static void stacks_destroy(struct filch__pool_whole *p)
{
	for (unsigned d = 0; d < FILCH__DEPTHS; d++)
		filch__stacks_destroy(&p->pool.stacks[d]);
}

/* ---- seats ---- */

/* The topology by which workers choose victims. Without homes their numbers say nothing of
 * this machine, and all are equally far. */
static const struct filch__topology *topology_of_victims(
	const struct filch__pool_whole *p)
{
	bool somewhere = p->bound.kind != FILCH__HOME_NONE || !p->topology.here;

	return somewhere ? &p->topology : NULL;
}

static int seat_init(struct filch__pool_whole *p, uint32_t i)
{
	const struct filch__settings *s = &p->settings;
	struct filch__seat *seat = &p->pool.seat[i];
	struct filch__worker *w = &seat->worker;
	int err;

	memset(seat, 0, sizeof *seat);
	w->pool = &p->pool;
	w->index = i;
	w->alone = p->pool.workers == 1;
	w->stacks = p->pool.stacks;
	w->events = p->trace ? &p->trace->ring[i] : NULL;
	w->deques.block_size = s->block_size;
	w->answers.signal = s->ask == FILCH__ASK_SIGNAL ? s->signal : 0;
	w->answers.batch = 1;
	seat->hunger.linger_ns = FILCH__LINGER_NS;
	filch__bind_seat(p, i);
	err = filch__own_init(seat);
	if (err)
		return err;
	err = filch__steal_init(seat, s->policy, topology_of_victims(p));
	if (err)
		filch__own_destroy(seat);
	return err;
}

static void seat_destroy(struct filch__pool_whole *p, uint32_t i)
{
	struct filch__seat *seat = &p->pool.seat[i];

	filch__places_destroy(&seat->worker.places);
	filch__deques_destroy(&seat->worker.deques);
	for (unsigned d = 0; d < FILCH__DEPTHS; d++)
		filch__stack_cache_flush(&p->pool.stacks[d],
		                         &seat->worker.passage.stacks[d]);
	filch__own_destroy(seat);
	filch__steal_destroy(seat);
}

static int seats_init(struct filch__pool_whole *p)
{
	const size_t n = p->pool.workers;
	int err = 0;

	p->pool.seat = aligned_alloc(FILCH_LINE, n * sizeof *p->pool.seat);
	p->parker = aligned_alloc(FILCH_LINE, n * sizeof *p->parker);
	p->pool.timers = aligned_alloc(FILCH_LINE, p->pool.rows * sizeof *p->pool.timers);
	if (!p->pool.seat || !p->parker || !p->pool.timers)
		err = -ENOMEM;
	for (uint32_t i = 0; i < p->pool.rows && !err; i++)
		filch__timers_init(&p->pool.timers[i], p->made_ns);
	for (uint32_t i = 0; i < n && !err; i++) {
		err = seat_init(p, i);
		while (err && i-- > 0)
			seat_destroy(p, i);
	}
	if (err) {
		free(p->pool.timers);
		free(p->pool.seat);
		free(p->parker);
		return err;
	}
	filch__lot_init(&p->pool.lot, p->parker, p->pool.workers, filch__lookout_kick);
	filch__tally_init(&p->pool.busy, p->pool.workers);
	filch__tally_init(&p->pool.searching, p->pool.workers);
	return 0;
}

static void seats_destroy(struct filch__pool_whole *p)
{
	for (uint32_t i = 0; i < p->pool.workers; i++)
		seat_destroy(p, i);
	free(p->pool.timers);
	free(p->pool.seat);
	free(p->parker);
}

/* ---- what a pool is made of, one after the other ---- */

int filch__pool_topology(struct filch__topology *t, const struct filch__settings *s,
                         const char **why)
{
	int err = filch__topology_init(t, s->topology);

	if (!err)
		return 0;
	if (err == -EINVAL) {
		filch__setting_refuse(s, filch__setting_topology, s->topology, why_text,
		                      sizeof why_text);
		return filch__pool_fail(err, why, why_text);
	}
	return filch__pool_fail(err, why,
	                        err == -EIO ? "hwloc cannot read this machine's topology"
	                                    : "no memory for the topology");
}

static int open_signal(struct filch__pool_whole *p, const char **why)
{
	if (p->settings.ask != FILCH__ASK_SIGNAL || !filch__ask_open(&p->settings.signal))
		return 0;
	snprintf(why_text, sizeof why_text,
	         "signal %d is handled by the program itself; choose another one with "
	         "FILCH_SIGNAL, or FILCH_ASK=poll",
	         p->settings.signal);
	return filch__pool_fail(-EBUSY, why, why_text);
}

static int open_trace(struct filch__pool_whole *p, const char **why)
{
	const struct filch__settings *s = &p->settings;
	int err = 0;

	if (s->trace)
		err = filch__trace_begin(&p->trace, s->trace, s->trace_events,
		                         p->pool.workers, why_text, sizeof why_text);
	return err ? filch__pool_fail(err, why, why_text) : 0;
}

static int open_all(struct filch__pool_whole *p, const char **why)
{
	int err = filch__pool_topology(&p->topology, &p->settings, why);

	if (err)
		return err;
	filch__bind_open(p);
	err = open_signal(p, why);
	if (err)
		goto destroy_topology;
	err = open_trace(p, why);
	if (err)
		goto destroy_topology;
	err = stacks_init(p);
	if (err) {
		filch__pool_fail(err, why, "the system gives no memory for stacks");
		goto drop_trace;
	}
	err = seats_init(p);
	if (err) {
		filch__pool_fail(err, why, "no memory for the workers");
		goto destroy_stacks;
	}
	filch__overflow_watch(p->pool.stacks);
	err = filch__threads_start(p);
	if (!err)
		return 0;
	filch__pool_fail(err, why, "the system refuses to start threads; see ulimit -u");
	filch__overflow_unwatch(p->pool.stacks);
	seats_destroy(p);
destroy_stacks:
	stacks_destroy(p);
drop_trace:
	if (p->trace)
		filch__trace_drop(p->trace);
destroy_topology:
	filch__bind_close(p);
	filch__topology_destroy(&p->topology);
	return err;
}

static void close_all(struct filch__pool_whole *p)
{
	struct filch__driver *d;

	if (p->helpers)
		p->helpers_destroy(p->helpers);
	filch__threads_stop(p);
	d = filch__driver(&p->pool);
	filch__overflow_unwatch(p->pool.stacks);
	if (p->trace)
		filch__trace_end(p->trace);
	if (d)
		d->destroy(d);
	seats_destroy(p);
	stacks_destroy(p);
	filch__bind_close(p);
	filch__topology_destroy(&p->topology);
}

/* ---- the pools of this process ---- */

static struct filch_pool *default_pool;
static pthread_mutex_t default_lock = PTHREAD_MUTEX_INITIALIZER;

/* Protects filch__debug.pools. */
static pthread_mutex_t pools_lock = PTHREAD_MUTEX_INITIALIZER;

static void pools_add(struct filch__pool_whole *p)
{
	pthread_mutex_lock(&pools_lock);
	p->next = filch__debug.pools;
	filch__debug.pools = p;
	pthread_mutex_unlock(&pools_lock);
}

static void pools_remove(struct filch__pool_whole *p)
{
	struct filch__pool_whole **link = &filch__debug.pools;

	pthread_mutex_lock(&pools_lock);
	while (*link != p)
		link = &(*link)->next;
	*link = p->next;
	pthread_mutex_unlock(&pools_lock);
}

void filch__pools_each(void (*visit)(struct filch__pool_whole *pool, void *arg),
                       void *arg)
{
	pthread_mutex_lock(&pools_lock);
	for (struct filch__pool_whole *p = filch__debug.pools; p; p = p->next)
		visit(p, arg);
	pthread_mutex_unlock(&pools_lock);
}

/* ---- fork ---- */

/* The child has none of the threads: it forgets the pools, and can make new ones. */
static void after_fork_in_child(void)
{
	default_pool = NULL;
	filch__debug.pools = NULL;
	store_rlx(&filch__stuck, 0); /* there is one thread */
	pthread_mutex_init(&default_lock, NULL);
	pthread_mutex_init(&pools_lock, NULL);
	filch__bind_after_fork();
	filch__worker_be(NULL);
	filch__hunger_after_fork();
	filch__names_after_fork();
	filch__watch_forget();
	filch__trace_forget();
}

bool filch__pool_is_parents(struct filch_pool *pool)
{
	return filch__pool_whole(pool)->pid != getpid();
}

/* ---- life cycle ---- */

static uint32_t cpus(void)
{
	struct filch__cpus c;
	char why[64];

	return filch__cpus_read(&c, "") ? UINT32_MAX
	                                : filch__workers_for(&c, why, sizeof why);
}

static struct filch__pool_whole *pool_new(const struct filch__settings *settings)
{
	struct filch__pool_whole *p = aligned_alloc(FILCH_LINE, sizeof *p);

	if (!p)
		return NULL;
	memset(p, 0, sizeof *p);
	p->settings = *settings;
	p->pool.workers = settings->workers;
	filch__hunger_expect(settings->workers);
	p->pool.rows = (settings->workers + FILCH__ROW - 1) / FILCH__ROW;
	p->pool.probabilistic = settings->probabilistic;
	p->pool.block_steal = settings->block_steal;
	p->pool.look_stuck = settings->deadlocks ? filch__look_stuck : NULL;
	p->pool.cpus = cpus();
	p->made_ns = filch__now_ns();
	p->pid = getpid();
	return p;
}

int filch_pool_create(struct filch_pool **pool, const struct filch_pool_options *o,
                      const char **why)
{
	static const struct filch_pool_options none;
	static struct filch__fork forks = {filch__trace_hold, filch__trace_release,
	                                   after_fork_in_child, NULL, false};
	struct filch__settings settings;
	struct filch__pool_whole *p;
	int err = filch__settings_resolve(&settings, o ? o : &none, why_text,
	                                  sizeof why_text);

	filch__fork_watch(&forks);
	if (!err) /* the watcher stays even if no pool is made, for the next one */
		err = filch__watch_begin(filch__snapshot, why_text, sizeof why_text);
	if (err)
		return filch__pool_fail(err, why, why_text);
	p = pool_new(&settings);
	if (!p)
		return filch__pool_fail(-ENOMEM, why, "no memory for a pool");
	err = open_all(p, why);
	if (err) {
		free(p);
		return err;
	}
	pools_add(p);
	*pool = &p->pool;
	return 0;
}

int filch_pool_destroy(struct filch_pool *pool)
{
	bool busy;

	if (!pool)
		return 0;
	if (filch__pool_is_parents(pool))
		return -ECHILD;
	if (filch__worker_of(pool))
		return -EDEADLK;
	pthread_mutex_lock(&default_lock);
	busy = filch__pool_holds(pool) > 0;
	if (!busy && pool == default_pool)
		default_pool = NULL;
	pthread_mutex_unlock(&default_lock);
	if (busy)
		return -EBUSY;
	while (filch__pool_has_guests(pool))
		sched_yield();
	pools_remove(filch__pool_whole(pool));
	close_all(filch__pool_whole(pool));
	free(pool);
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
