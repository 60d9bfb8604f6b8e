/* SPDX-License-Identifier: MIT */
/* These costs take two threads: one is the caller, the other one its partner. */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>

#include "base/atomic.h"
#include "base/clock.h"
#include "base/cpu.h"
#include "base/futex.h"
#include "sim/calibrate/calibrate.h"

#define SAMPLES 301
#define TURNS 200
#define SETTLE_NS 50000 /* after which a partner that goes to sleep is asleep */
#define OVER UINT32_MAX

/* The state that the two share. */
static struct {
	alignas(FILCH_LINE) _Atomic(uint32_t) word;
	alignas(FILCH_LINE) _Atomic(uint32_t) answer;
	/* Times that the partner has taken, before it sets `answer`. */
	alignas(FILCH_LINE) uint64_t before, within, after;
} both;

/* The orders below carry the times from the partner to the caller, and keep each turn
 * behind the one before; no edge of the library is among them. */

static bool begin(pthread_t *partner, unsigned cpu, void *(*fn)(void *))
{
	pthread_attr_t attr;
	cpu_set_t set;
	bool ok;

	memset(&both, 0, sizeof both);
	if (pthread_attr_init(&attr))
		return false;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	ok = !pthread_attr_setaffinity_np(&attr, sizeof set, &set) &&
	     !pthread_create(partner, &attr, fn, NULL);
	pthread_attr_destroy(&attr);
	return ok;
}

static void finish(pthread_t partner)
{
	store_rel(&both.word, OVER);
	filch__futex_wake(&both.word, 1);
	pthread_join(partner, NULL);
}

static void settle(void)
{
	uint64_t end = filch__now_ns() + SETTLE_NS;

	while (filch__now_ns() < end)
		filch__relax();
}

/* Waits until the partner has answered this turn. */
static void await_answer(uint32_t turn)
{
	while (load_acq(&both.answer) != turn)
		filch__relax();
}

/* ---- a line that goes to and fro ---- */

static void *return_line(void *arg)
{
	for (uint32_t turn = 1;; turn += 2) {
		uint32_t w;

		while ((w = load_acq(&both.word)) != turn)
			if (w == OVER)
				return arg;
		store_rel(&both.word, turn + 1);
	}
}

/* A round has four fetches: each side fetches the line to read it, and to write it. */
static bool measure_line(const unsigned cpu[2], double *out)
{
	double sample[SAMPLES];
	pthread_t partner;
	uint32_t turn = 0;

	if (!begin(&partner, cpu[1], return_line))
		return false;
	for (int s = 0; s < SAMPLES; s++) {
		uint64_t began = filch__now_ns();

		for (int i = 0; i < TURNS; i++) {
			store_rel(&both.word, turn + 1);
			turn += 2;
			while (load_acq(&both.word) != turn)
				;
		}
		sample[s] = (double)(filch__now_ns() - began) / TURNS / 4;
	}
	finish(partner);
	*out = sim_quartile(sample, SAMPLES);
	return true;
}

/* ---- waking ---- */

static void *sleep_and_tell(void *arg)
{
	for (uint32_t turn = 0; turn != OVER;) {
		uint32_t w;

		while ((w = load_acq(&both.word)) == turn)
			filch__futex_wait(&both.word, turn);
		both.within = filch__now_ns();
		store_rel(&both.answer, w);
		turn = w;
	}
	return arg;
}

static bool measure_wake(struct sim_costs *c, const unsigned cpu[2])
{
	double wake[SAMPLES], wake_up[SAMPLES];
	pthread_t partner;

	if (!begin(&partner, cpu[1], sleep_and_tell))
		return false;
	for (int s = 0; s < SAMPLES; s++) {
		uint64_t began, done;

		settle();
		store_rel(&both.word, (uint32_t)s + 1);
		began = filch__now_ns();
		filch__futex_wake(&both.word, 1);
		done = filch__now_ns();
		await_answer((uint32_t)s + 1);
		wake[s] = (double)(done - began) - c->system_call - c->clock;
		wake_up[s] = (double)both.within - (double)done;
	}
	finish(partner);
	c->wake = sim_quartile(wake, SAMPLES);
	c->wake_up = sim_quartile(wake_up, SAMPLES);
	return true;
}

/* ---- two threads on one processor ---- */

static void *yield_too(void *arg)
{
	store_rel(&both.answer, 1);
	while (load_acq(&both.word) != OVER)
		sched_yield();
	return arg;
}

/* The caller is bound to the same processor: each of its yields is two changes. */
static bool measure_switching(struct sim_costs *c, const unsigned cpu[2])
{
	double sample[SAMPLES];
	pthread_t partner;

	if (!begin(&partner, cpu[0], yield_too))
		return false;
	while (load_acq(&both.answer) != 1)
		sched_yield();
	for (int s = 0; s < SAMPLES; s++) {
		uint64_t began = filch__now_ns();

		for (int i = 0; i < TURNS; i++)
			sched_yield();
		sample[s] = (double)(filch__now_ns() - began) / TURNS / 2 -
		            c->system_call;
	}
	finish(partner);
	c->switching = sim_quartile(sample, SAMPLES);
	return true;
}

/* ---- signals ---- */

static void on_signal(int signal)
{
	(void)signal;
	both.within = filch__now_ns();
}

/* Looks at the clock until it is interrupted, and tells when that was. */
static void *be_interrupted(void *arg)
{
	for (uint32_t turn = 0; turn != OVER;) {
		const volatile uint64_t *handled = &both.within;
		uint32_t w;

		while ((w = load_acq(&both.word)) == turn)
			filch__relax();
		turn = w;
		if (turn == OVER)
			break;
		*(volatile uint64_t *)&both.within = 0;
		both.after = filch__now_ns();
		store_rel(&both.answer, 2 * turn - 1); /* ready */
		do {
			both.before = both.after;
			both.after = filch__now_ns();
		} while (!*handled);
		/* The handler may have run after the second look. */
		if (*handled >= both.after) {
			both.before = both.after;
			both.after = filch__now_ns();
		}
		store_rel(&both.answer, 2 * turn);
	}
	return arg;
}

static bool measure_signal(struct sim_costs *c, const unsigned cpu[2])
{
	struct sigaction old, ours = {.sa_handler = on_signal};
	double send[SAMPLES], way[SAMPLES], handler[SAMPLES];
	pthread_t partner;

	sigemptyset(&ours.sa_mask);
	if (sigaction(SIGURG, &ours, &old))
		return false;
	if (!begin(&partner, cpu[1], be_interrupted))
		return false;
	for (uint32_t s = 0; s < SAMPLES; s++) {
		union sigval value = {.sival_int = 0};
		uint64_t began, done;

		store_rel(&both.word, s + 1);
		await_answer(2 * s + 1);
		settle();
		began = filch__now_ns();
		pthread_sigqueue(partner, SIGURG, value);
		done = filch__now_ns();
		await_answer(2 * s + 2);
		send[s] = (double)(done - began) - c->clock -
		          sim_costs_default.signal_lock;
		way[s] = (double)both.before - (double)done;
		handler[s] = (double)(both.after - both.before) - 2 * c->clock;
	}
	finish(partner);
	sigaction(SIGURG, &old, NULL);
	c->signal = sim_quartile(send, SAMPLES);
	c->signal_way = sim_quartile(way, SAMPLES);
	c->handler = sim_quartile(handler, SAMPLES);
	return true;
}

bool sim_calibrate_pair(struct sim_costs *c, const unsigned cpu[2], double *line)
{
	cpu_set_t old, set;
	bool ok;

	CPU_ZERO(&set);
	CPU_SET(cpu[0], &set);
	if (sched_getaffinity(0, sizeof old, &old) ||
	    sched_setaffinity(0, sizeof set, &set))
		return false;
	ok = measure_line(cpu, line) && measure_wake(c, cpu) &&
	     measure_switching(c, cpu) && measure_signal(c, cpu);
	sched_setaffinity(0, sizeof old, &old);
	return ok;
}
