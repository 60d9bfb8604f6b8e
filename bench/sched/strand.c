/* SPDX-License-Identifier: MIT */
/*
 * filch bench sched: what strands do, and the pool that they are in.
 */
#include <filch/future.h>
#include <filch/task.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "bench/sched/run.h"
#include "sched/hold.h"
#include "strand/above.h"
#include "strand/record.h"
#include "strand/root.h"

/* ---- tasks on strands of their own ---- */

/* Makes a task ready to run on a strand of its own. The caller, on a strand of the pool,
 * keeps both arguments until the record is done. */
static void start(struct filch_pool *pool, struct filch__root *root,
                  struct filch__record *r)
{
	r->mark = 0;
	filch__told_spawn(r);
	store_rlx(filch__record_sync(r), FILCH__RUNNING); /* published by the queue */
	*root = (struct filch__root){.ready.kind = FILCH__READY_ROOT, .record = r};
	filch__make_ready(pool, filch__worker_of(pool), &root->ready);
}

static void yield_until_done(struct filch__record *r)
{
	while (!filch__record_is_done(r))
		filch__yield();
}

/* A strand that stops once. */
struct stop {
	_Atomic(struct filch__strand *) strand; /* NULL until it has */
	uint64_t value;                         /* what it is to return */
};

static bool arm_stop(void *arg, struct filch__strand *s)
{
	struct stop *p = arg;

	store_rel(&p->strand, s); /* pairs with stopper_wait() */
	return true;
}

FILCH_STATIC_TASK(uint64_t, stop_once, (struct stop *, p))
{
	filch__suspend(arm_stop, p, FILCH__BECAUSE(other));
	return p->value;
}

struct stopper {
	struct stop stop;
	struct filch__root root;
	FILCH_FRAME(stop_once) frame;
};

static void stopper_start(struct filch_pool *pool, struct stopper *p, uint64_t value)
{
	atomic_init(&p->stop.strand, NULL);
	p->stop.value = value;
	stop_once__set(&p->frame.head, &p->stop);
	start(pool, &p->root, &p->frame.head);
}

static struct filch__strand *stopper_wait(struct stopper *p)
{
	struct filch__strand *s;

	while (!(s = load_acq(&p->stop.strand))) /* pairs with arm_stop() */
		filch__yield();
	return s;
}

static uint64_t stopper_finish(struct stopper *p)
{
	yield_until_done(&p->frame.head);
	return stop_once__result(&p->frame.head);
}

static uint64_t sum_below(uint64_t n)
{
	return n * (n - 1) / 2;
}

/* ---- switch: there and back ---- */

/* Both strands run the same code, as the strands of a server do. */
struct turns {
	size_t left; /* to be taken by the two together */
};

/* For ThreadSanitizer the two are parallel, though one worker runs both. */
static FILCH_NOINLINE __attribute__((no_sanitize("thread"))) size_t take_turns(
	struct turns *t)
{
	size_t taken = 0;

	for (; t->left > 0; taken++) {
		t->left--;
		filch__yield();
	}
	return taken;
}

FILCH_STATIC_TASK(size_t, other_strand, (struct turns *, t))
{
	return take_turns(t);
}

FILCH_STATIC_TASK(double, switch_strands, (const struct sched_run *, run))
{
	struct turns turns = {.left = 2 * run->size};
	struct filch__root root;
	FILCH_FRAME(other_strand) frame;
	uint64_t began, ns;
	size_t taken;

	other_strand__set(&frame.head, &turns);
	start(run->pool, &root, &frame.head);
	began = filch__now_ns();
	taken = take_turns(&turns);
	ns = filch__now_ns() - began;
	yield_until_done(&frame.head);
	sched_check(taken == run->size, "switch");
	sched_check(other_strand__result(&frame.head) == run->size, "switch");
	return (double)ns / (double)run->size;
}

void sched_switch(const struct sched_run *run, double *out)
{
	out[0] = FILCH_RUN_ON(run->pool, switch_strands, run);
}

struct fibers {
	struct filch__fiber here, there;
	size_t taken;
};

static void fiber_main(void *arg)
{
	struct fibers *f = arg;

	for (;;) {
		f->taken++;
		filch__fiber_switch(&f->there, &f->here, false);
	}
}

void sched_switch_fiber(const struct sched_run *run, double *out)
{
	const size_t stack = (size_t)64 << 10;
	char *lo = sched_allocate(1, stack);
	struct fibers f = {.taken = 0};
	uint64_t began;

	filch__fiber_adopt(&f.here);
	filch__fiber_init(&f.there, lo, lo + stack, fiber_main, &f);
	began = filch__now_ns();
	for (size_t i = 0; i < run->size; i++)
		filch__fiber_switch(&f.here, &f.there, false);
	out[0] = (double)(filch__now_ns() - began) / (double)run->size;
	sched_check(f.taken == run->size, "switch");
	filch__fiber_destroy(&f.there);
	filch__fiber_destroy(&f.here);
	free(lo);
}

/* ---- strand: created, stopped once, woken, ended ---- */

/* By so many at a time; `together` divides the size. */
FILCH_STATIC_TASK(double, come_and_go, (const struct sched_run *, run),
                  (size_t, together))
{
	struct stopper *s = sched_allocate(together, sizeof *s);
	uint64_t began = filch__now_ns(), ns, sum = 0;

	for (size_t n = 0; n < run->size; n += together) {
		for (size_t i = 0; i < together; i++)
			stopper_start(run->pool, &s[i], n + i);
		for (size_t i = 0; i < together; i++)
			filch__wake(run->pool, stopper_wait(&s[i]));
		for (size_t i = 0; i < together; i++)
			sum += stopper_finish(&s[i]);
	}
	ns = filch__now_ns() - began;
	sched_check(sum == sum_below(run->size), "strand");
	free(s);
	return (double)ns / (double)run->size;
}

void sched_strand(const struct sched_run *run, double *out)
{
	out[0] = FILCH_RUN_ON(run->pool, come_and_go, run, 1);
}

/* The driver's own stops, two a turn, are shared by all of them. */
void sched_strand_together(const struct sched_run *run, double *out)
{
	out[0] = FILCH_RUN_ON(run->pool, come_and_go, run, 32);
}

/* ---- strands100k: memory of many that wait ---- */

/* A line of /proc/self/status, in GiB; 0 where there is none. */
static double status_gib(const char *name)
{
	FILE *f = fopen("/proc/self/status", "re");
	char line[256];
	double kib = 0;

	while (f && fgets(line, sizeof line, f))
		if (!strncmp(line, name, strlen(name)))
			kib = strtod(line + strlen(name), NULL);
	if (f)
		fclose(f);
	return kib / (1 << 20);
}

FILCH_STATIC_TASK_VOID(many, (const struct sched_run *, run), (double *, out))
{
	double before = status_gib("VmRSS:");
	struct stopper *s = sched_allocate(run->size, sizeof *s);
	uint64_t sum = 0;

	for (size_t i = 0; i < run->size; i++)
		stopper_start(run->pool, &s[i], i);
	for (size_t i = 0; i < run->size; i++)
		stopper_wait(&s[i]);
	out[0] = status_gib("VmRSS:");
	out[1] = out[0] - before;
	out[2] = status_gib("VmPTE:");
	for (size_t i = 0; i < run->size; i++)
		filch__wake(run->pool, load_rlx(&s[i].stop.strand)); /* seen above */
	for (size_t i = 0; i < run->size; i++)
		sum += stopper_finish(&s[i]);
	sched_check(sum == sum_below(run->size), "strands");
	free(s);
}

void sched_many(const struct sched_run *run, double *out)
{
	struct filch_stats stats;

	FILCH_RUN_ON(run->pool, many, run, out);
	filch_pool_stats(run->pool, -1, &stats);
	if (stats.in_place)
		sched_fail("strands", "the system gives no memory for so many stacks");
}

/* ---- idle: the processor's time that nothing takes ---- */

static uint64_t cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

FILCH_STATIC_TASK(uint64_t, fib, (uint64_t, n))
{
	if (n < 2)
		return n;

	FILCH_SPAWN(a, fib, n - 1);
	uint64_t b = FILCH_CALL(fib, n - 2);

	return FILCH_JOIN(a) + b;
}

void sched_idle(const struct sched_run *run, double *out)
{
	uint64_t cpu, began;

	sched_check(FILCH_RUN_ON(run->pool, fib, 25) == 75025, "idle");
	sched_pause_ms(200);
	began = filch__now_ns();
	cpu = cpu_ns();
	sched_pause_ms(run->size);
	out[0] = 100 * (double)(cpu_ns() - cpu) / (double)(filch__now_ns() - began);
}

/* ---- wake: from a FILCH_RUN outside to the start of its task, while all sleep ---- */

FILCH_STATIC_TASK(uint64_t, say_when)
{
	return filch__now_ns();
}

void sched_wake(const struct sched_run *run, double *out)
{
	double *us = sched_allocate(run->size, sizeof *us);

	for (size_t i = 0; i < run->size; i++) {
		uint64_t submitted;

		sched_pause_ms(SCHED_PAUSE_MS);
		submitted = filch__now_ns();
		us[i] = (double)(FILCH_RUN_ON(run->pool, say_when) - submitted) * 1e-3;
	}
	sched_percentiles(us, run->size, out);
	free(us);
}

/* ---- wake_go: the same of a FILCH_GO, whose caller goes on ---- */

FILCH_STATIC_TASK_VOID(note_when, (_Atomic(uint64_t) *, when))
{
	store_rel(when, filch__now_ns()); /* pairs with sched_wake_go() */
}

void sched_wake_go(const struct sched_run *run, double *out)
{
	double *us = sched_allocate(run->size, sizeof *us);

	for (size_t i = 0; i < run->size; i++) {
		_Atomic(uint64_t) when = 0;
		struct filch_future *f;
		uint64_t submitted;

		sched_pause_ms(SCHED_PAUSE_MS);
		submitted = filch__now_ns();
		f = FILCH_GO_ON(run->pool, note_when, &when);
		while (!load_acq(&when)) /* pairs with note_when() */
			filch__relax();  /* a thread that awaits runs it itself */
		FILCH_AWAIT(note_when, f);
		filch_future_drop(f);
		us[i] = (double)(load_rlx(&when) - submitted) * 1e-3; /* read above */
	}
	sched_percentiles(us, run->size, out);
	free(us);
}

/* ---- run_empty: a call from outside, while the pool is awake ---- */

FILCH_STATIC_TASK_VOID(nothing)
{
}

void sched_run_empty(const struct sched_run *run, double *out)
{
	uint64_t began = filch__now_ns();

	for (size_t i = 0; i < run->size; i++)
		FILCH_RUN_ON(run->pool, nothing);
	out[0] = (double)(filch__now_ns() - began) / (double)run->size;
}
