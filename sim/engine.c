/* SPDX-License-Identifier: MIT */
#include "sim/engine.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "strand/worker.h"

#define STACK ((size_t)512 << 10) /* of a simulated thread; strands have their own */

struct sim sim;
uint64_t sim_seed;

/* ---- events, the earliest first; of two at the same time the one posted first ---- */

struct posted {
	uint64_t when, order;
	struct sim_thread *thread;
	enum sim_event event;
	uint32_t ticket;
};

static struct {
	struct posted *at;
	size_t n, room;
	uint64_t order;
} heap;

static bool before(const struct posted *a, const struct posted *b)
{
	return a->when < b->when || (a->when == b->when && a->order < b->order);
}

static void heap_room(void)
{
	if (heap.n < heap.room)
		return;
	heap.room = heap.room ? heap.room * 2 : 4096;
	heap.at = realloc(heap.at, heap.room * sizeof *heap.at);
	if (!heap.at) {
		fprintf(stderr, "filch sim: no memory for events\n");
		exit(1);
	}
}

void sim_post(uint64_t when, enum sim_event event, struct sim_thread *t)
{
	struct posted e = {when, heap.order++, t, event, t->ticket};
	size_t i;

	heap_room();
	for (i = heap.n++; i && before(&e, &heap.at[(i - 1) / 2]); i = (i - 1) / 2)
		heap.at[i] = heap.at[(i - 1) / 2];
	heap.at[i] = e;
	sim.next = heap.at[0].when;
}

static struct posted heap_take(void)
{
	struct posted first = heap.at[0], last = heap.at[--heap.n];
	size_t i = 0, child;

	while ((child = 2 * i + 1) < heap.n) {
		child += child + 1 < heap.n &&
		         before(&heap.at[child + 1], &heap.at[child]);
		if (!before(&heap.at[child], &last))
			break;
		heap.at[i] = heap.at[child];
		i = child;
	}
	heap.at[i] = last;
	sim.next = heap.n ? heap.at[0].when : UINT64_MAX;
	return first;
}

/* ---- cores and the threads that wait for them ---- */

static uint64_t slice(void)
{
	return SIM_PS(sim.machine.costs.slice);
}

static void queue_put(struct sim_core *c, struct sim_thread *t)
{
	t->state = SIM_READY;
	t->next = NULL;
	if (c->last)
		c->last->next = t;
	else
		c->first = t;
	c->last = t;
}

static struct sim_thread *queue_take(struct sim_core *c)
{
	struct sim_thread *t = c->first;

	if (t) {
		c->first = t->next;
		if (!c->first)
			c->last = NULL;
	}
	return t;
}

/* Gives the idle core to the thread, from this time on. */
static void begin_on(struct sim_core *c, struct sim_thread *t, uint64_t when)
{
	assert(!c->current);
	c->current = t;
	t->core = c;
	t->state = SIM_RUNNING;
	t->now = when;
	c->slice_end = when + slice();
	sim_post(when, SIM_RESUME, t);
}

/* The thread that the core ran has left it. */
static void hand_on(struct sim_core *c, uint64_t now)
{
	struct sim_thread *t;

	c->current = NULL;
	t = queue_take(c);
	if (!t)
		return;
	sim.switches++;
	begin_on(c, t,
	         now + SIM_PS(sim.machine.costs.switching * sim.machine.costs.kernel));
	if (c->first)
		sim_post(c->slice_end, SIM_PREEMPT, t);
}

static void arrive(struct sim_thread *t, uint64_t when)
{
	struct sim_core *c = sim_choose_core(t);

	t->fresh = false;

	if (!c->current) {
		begin_on(c, t, when);
		return;
	}
	t->core = c;
	queue_put(c, t);
	sim_post(c->slice_end > when ? c->slice_end : when, SIM_PREEMPT, c->current);
}

/* ---- going on with whatever is next ---- */

/* A thread that computes is to look up now. */
static void interrupt(struct sim_thread *t, uint64_t when)
{
	if (t->state != SIM_RUNNING || !t->working || t->now <= when)
		return;
	t->ticket++;
	t->now = when;
	sim_post(when, SIM_RESUME, t);
}

static void nothing_left(void)
{
	fprintf(stderr, "filch sim: every simulated thread sleeps, and nothing will wake "
	                "one; this is a deadlock of the program or of Filch\n");
	exit(1);
}

/* Returns the thread that is to run next. */
static struct sim_thread *next_thread(void)
{
	for (;;) {
		struct posted e;

		if (!heap.n)
			nothing_left();
		e = heap_take();
		switch (e.event) {
		case SIM_RESUME:
			if (e.ticket == e.thread->ticket)
				return e.thread;
			break;
		case SIM_ARRIVE:
			arrive(e.thread, e.when);
			break;
		case SIM_TIMEOUT:
			if (e.ticket == e.thread->ticket)
				sim_timed_out(e.thread, e.when);
			break;
		case SIM_SIGNAL:
			e.thread->pending++;
			interrupt(e.thread, e.when);
			if (e.thread->state == SIM_SLEEPING)
				sim_timed_out(e.thread, e.when);
			break;
		case SIM_PREEMPT:
			interrupt(e.thread, e.when);
			break;
		}
	}
}

static void go_on(void)
{
	struct sim_thread *me = sim.me, *t = next_thread();

	if (t == me)
		return;
	sim.me = NULL; /* what follows takes no time */
	me->self = filch__worker_self();
	filch__worker_be(t->self);
	sim.me = t;
	filch__context_switch(&me->context, &t->context);
}

/* Makes way for a thread that waits for this core, if it is time. */
static void make_way(void)
{
	struct sim_thread *me = sim.me;
	struct sim_core *c = me->core;

	if (!c->first || me->now < c->slice_end)
		return;
	me->ticket++;
	queue_put(c, me);
	hand_on(c, me->now);
	go_on();
}

void sim_sync_slow(void)
{
	struct sim_thread *me = sim.me;

	do {
		if (me->now > sim.next) {
			me->ticket++;
			sim_post(me->now, SIM_RESUME, me);
			go_on();
		}
		make_way(); /* for a thread that has arrived just now, too */
		if (me->pending && !me->handling)
			sim_handle(me);
	} while (me->now > sim.next);
}

void sim_work(uint64_t ns)
{
	struct sim_thread *me = sim.me;
	uint64_t left = SIM_PS(ns);

	if (me->core->first_work == 0)
		me->core->first_work = me->now;
	while (left) {
		uint64_t began = me->now;
		struct sim_core *c = me->core;

		me->now += left;
		if (me->now > sim.next) {
			me->working = true;
			me->ticket++;
			sim_post(me->now, SIM_RESUME, me);
			if (c->first)
				sim_post(c->slice_end > began ? c->slice_end : began,
				         SIM_PREEMPT, me);
			go_on();
			me->working = false;
		}
		left -= me->now - began;
		c->worked += me->now - began;
		if (me->pending && !me->handling)
			sim_handle(me);
		make_way();
	}
}

uint64_t sim_now(void)
{
	return sim.me->now / 1000;
}

void sim_mark(void)
{
	sim.marked = sim.me->now;
	sim.asks = sim.wakes = sim.switches = 0;
	for (unsigned i = 0; i < sim.machine.cores; i++)
		sim.core[i].worked = sim.core[i].first_work = 0;
}

void sim_sleep(void)
{
	struct sim_thread *me = sim.me;

	me->state = SIM_SLEEPING;
	hand_on(me->core, me->now);
	go_on();
	if (me->pending && !me->handling)
		sim_handle(me);
}

void sim_move(void)
{
	struct sim_thread *me = sim.me;

	if (sim_may_run(me, me->core->index))
		return;
	me->state = SIM_READY;
	me->ticket++;
	sim_post(me->now + SIM_PS(sim.machine.costs.switching * sim.machine.costs.kernel),
	         SIM_ARRIVE, me);
	hand_on(me->core, me->now);
	go_on();
}

void sim_wake(struct sim_thread *t, uint64_t when)
{
	assert(t->state == SIM_SLEEPING);
	t->state = SIM_READY;
	t->ticket++;
	sim_post(when, SIM_ARRIVE, t);
}

/* ---- threads ---- */

static void thread_main(void *arg)
{
	struct sim_thread *me = arg;

	me->fn(me->arg);
	me->state = SIM_ENDED;
	for (struct sim_thread *t = sim.threads; t; t = t->all)
		if (t->state == SIM_SLEEPING && t->sleeps_on == me)
			sim_wake(t, me->now + SIM_PS(sim.machine.costs.wake_up));
	hand_on(me->core, me->now);
	go_on();
	abort(); /* nothing resumes a thread that has ended */
}

struct sim_thread *sim_thread_new(void *(*fn)(void *), void *arg, uint64_t when)
{
	struct sim_thread *t = calloc(1, sizeof *t);
	void *stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE,
	                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (!t || stack == MAP_FAILED) {
		fprintf(stderr, "filch sim: no memory for one more thread\n");
		exit(1);
	}
	t->lo = stack;
	t->hi = t->lo + STACK;
	t->fn = fn;
	t->arg = arg;
	t->fresh = true;
	t->state = SIM_READY;
	t->core = sim.me ? sim.me->core : &sim.core[0];
	t->all = sim.threads;
	sim.threads = t;
	filch__context_init(&t->context, t->lo, t->hi, thread_main, t);
	sim_post(when, SIM_ARRIVE, t);
	return t;
}

/* ---- a whole simulation ---- */

static struct sim_thread outside; /* the real thread */

struct whole {
	void *(*fn)(void *);
	void *arg;
};

static void *whole_main(void *arg)
{
	struct whole *w = arg;
	struct sim_thread *me;

	w->fn(w->arg);
	/* Back to the real thread. */
	me = sim.me;
	sim.me = NULL;
	filch__worker_be(NULL);
	filch__context_switch(&me->context, &outside.context);
	return NULL;
}

static void free_threads(void)
{
	while (sim.threads) {
		struct sim_thread *t = sim.threads;

		sim.threads = t->all;
		munmap(t->lo, STACK);
		free(t->may);
		free(t);
	}
}

void sim_run(const struct sim_machine *m, void *(*fn)(void *), void *arg)
{
	struct whole whole = {fn, arg};

	memset(&sim, 0, sizeof sim);
	sim.machine = *m;
	sim.core = calloc(m->cores, sizeof *sim.core);
	if (!sim.core) {
		fprintf(stderr, "filch sim: no memory for %u cores\n", m->cores);
		exit(1);
	}
	for (unsigned i = 0; i < m->cores; i++)
		sim.core[i].index = i;
	heap.n = 0;
	heap.order = 0;
	sim_thread_new(whole_main, &whole, 0);
	sim.me = next_thread();
	filch__context_switch(&outside.context, &sim.me->context);
	free_threads();
	free(sim.core);
}
