/* SPDX-License-Identifier: MIT */
/* These costs a single thread can measure, by loops of one operation. */
#include <pthread.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/atomic.h"
#include "base/clock.h"
#include "base/cpu.h"
#include "sim/calibrate/calibrate.h"

#define SAMPLES 101
#define TURNS 2000

static void nothing(void)
{
	filch__signal_fence();
}

static void update(void)
{
	static alignas(FILCH_LINE) _Atomic(uint64_t) word;

	add_acq_rel(&word, 1);
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
	double call = time_of(nothing, 0);

	c->update = time_of(update, call);
	c->pause = time_of(filch__relax, call);
	c->clock = time_of(look_at_clock, call);
	c->system_call = time_of(system_call, call);
	c->start = time_of_start();
}
