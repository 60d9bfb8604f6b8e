/* SPDX-License-Identifier: MIT */
/* These costs a single thread can measure, by loops of one operation. */
#include <pthread.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/atomic.h"
#include "base/clock.h"
#include "base/cpu.h"
#include "fiber/switch.h"
#include "sim/calibrate/calibrate.h"

#define SAMPLES 101
#define TURNS 2000

static void nothing(void)
{
	filch__signal_fence();
}

static void look_at_clock(void)
{
	(void)filch__now_ns();
}

static void system_call(void)
{
	syscall(SYS_getppid);
}

/* Nanoseconds of one call, without the `call` itself. */
static double time_of(void (*operation)(void), double call)
{
	double sample[SAMPLES];

	for (int s = 0; s < SAMPLES; s++) {
		uint64_t began = filch__now_ns();

		for (int i = 0; i < TURNS; i++)
			operation();
		sample[s] = (double)(filch__now_ns() - began) / TURNS - call;
	}
	return sim_quartile(sample, SAMPLES);
}

/* A stack in memory, as the owner of a queue has one. */
static struct {
	alignas(FILCH_LINE) uint64_t *pos, *first, *limit;
	alignas(FILCH_LINE) _Atomic(uint64_t) word;
	alignas(FILCH_LINE) uint64_t entry[TURNS];
} stack;

#define ACCESSES 8 /* of a push and a pop */

/* Fills the stack and empties it again, with or without an update for each entry. */
static void push_and_pop(bool updates)
{
	uint64_t *p, sum = 0;

	while ((p = stack.pos) != stack.limit) {
		*p = sum;
		stack.pos = p + 1;
		filch__signal_fence();
	}
	while ((p = stack.pos) != stack.first) {
		sum += *--p;
		stack.pos = p;
		if (updates)
			xchg_rlx(&stack.word, sum); /* nobody reads it */
		filch__signal_fence();
	}
}

/* Nanoseconds of a push and a pop. */
static double time_of_stack(bool updates)
{
	double sample[SAMPLES];

	stack.pos = stack.first = stack.entry;
	stack.limit = stack.entry + TURNS;
	for (int s = 0; s < SAMPLES; s++) {
		uint64_t began = filch__now_ns();

		push_and_pop(updates);
		sample[s] = (double)(filch__now_ns() - began) / TURNS;
	}
	return sim_quartile(sample, SAMPLES);
}

/* ---- fibers ---- */

static struct filch__context here, there;

static void return_at_once(void *arg)
{
	(void)arg;
	for (;;)
		filch__context_switch(&there, &here);
}

static void switch_and_back(void)
{
	filch__context_switch(&here, &there);
}

static double time_of_fiber(double call)
{
	static alignas(FILCH_LINE) char memory[1 << 14];

	filch__context_init(&there, memory, memory + sizeof memory, return_at_once, NULL);
	return time_of(switch_and_back, call) / 2;
}

/* ---- threads ---- */

static void *ends(void *arg)
{
	return arg;
}

/* The time that starting a thread takes its creator. */
static double time_of_start(void)
{
	double sample[SAMPLES];
	size_t n = 0;

	for (int s = 0; s < SAMPLES; s++) {
		pthread_t t;
		uint64_t began = filch__now_ns();

		if (pthread_create(&t, NULL, ends, NULL))
			continue;
		sample[n++] = (double)(filch__now_ns() - began);
		pthread_join(t, NULL);
	}
	return n ? sim_quartile(sample, n) : -1;
}

void sim_calibrate_alone(struct sim_costs *c)
{
	double call = time_of(nothing, 0), alone = time_of_stack(false);

	c->plain = c->hit = alone / ACCESSES;
	c->update = time_of_stack(true) - alone;
	c->call = call;
	c->fiber = time_of_fiber(call);
	c->pause = time_of(filch__relax, call);
	c->clock = time_of(look_at_clock, call);
	c->system_call = time_of(system_call, call);
	c->start = time_of_start();
}
