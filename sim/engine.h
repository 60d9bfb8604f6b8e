/* SPDX-License-Identifier: MIT */
/*
 * Threads in virtual time. Each simulated thread has a stack and a clock of its own; one
 * of them runs at a time, always the one whose clock is furthest behind. See README.md.
 */
#ifndef FILCH_SIM_ENGINE_H
#define FILCH_SIM_ENGINE_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fiber/switch.h"
#include "sim/machine.h"
#include "sim/work.h"

/* Virtual time is counted in picoseconds. */
#define SIM_PS(ns) ((uint64_t)((ns)*1000))

struct sim_line;

/* A line that a core had when it last looked: a short way to a hit. */
struct sim_near {
	uint64_t tag;
	struct sim_line *line;
	uint32_t version; /* of the line then */
	bool own;         /* the core may write it */
};

#define SIM_NEAR 256
#define SIM_STORES 64 /* that a core has under way, at most */

struct sim_core {
	unsigned index;
	struct sim_thread *current;      /* NULL: the core is idle */
	struct sim_thread *first, *last; /* those that wait for it */
	uint64_t slice_end; /* when `current` must make way, if another one waits */
	uint64_t drain;     /* when its latest store arrives at its line */
	uint64_t store[SIM_STORES]; /* when each of the latest ones does */
	unsigned stores;            /* how many there were */
	struct sim_near near[SIM_NEAR];

	/* The work that it did since sim_mark(). */
	uint64_t worked;     /* picoseconds of sim_work() */
	uint64_t first_work; /* when that began; 0: not yet */
};

enum sim_state { SIM_RUNNING, SIM_READY, SIM_SLEEPING, SIM_ENDED };

struct sim_thread {
	struct filch__context context; /* where it goes on */
	uint64_t now;                  /* its clock */
	enum sim_state state;
	struct sim_core *core; /* that it runs on, or ran on last */
	uint32_t ticket;       /* events with an older one are void */
	bool fresh;            /* it has not run yet */
	bool working;          /* in sim_work(), which a signal interrupts */
	bool handling;         /* in a handler */
	unsigned pending;      /* signals that it has not handled */
	int signal;            /* the last of these */
	void *self;            /* its worker, while it does not run */
	char *lo, *hi;
	void *(*fn)(void *);
	void *arg;
	cpu_set_t *may;          /* where it may run; NULL: anywhere */
	const void *sleeps_on;   /* a futex */
	struct sim_thread *next; /* of a core's queue, or of a futex's */
	struct sim_thread *all;  /* the next thread of all */
};

enum sim_event { SIM_RESUME, SIM_ARRIVE, SIM_TIMEOUT, SIM_SIGNAL, SIM_PREEMPT };

struct sim {
	struct sim_machine machine;
	struct sim_core *core;
	struct sim_thread *me; /* the one that runs; NULL: nothing is simulated */
	uint64_t next;         /* when the next event is due */
	uint64_t marked;       /* sim_mark() */
	uint64_t signal_lock;  /* when the kernel's lock for signals is free */
	uint64_t mapping_lock; /* when its lock for mappings is free */
	struct sim_thread *threads;
	uint64_t asks, wakes, switches; /* signals, futex wake-ups, changes of thread */
};

extern struct sim sim;

/* Changes the random choices of the runtime (sim/map/base/random.h). */
extern uint64_t sim_seed;

/* Simulates fn(arg) on a thread of its own, on a machine of this kind, until it returns
 * and every thread that it started has ended. */
void sim_run(const struct sim_machine *m, void *(*fn)(void *), void *arg);

/* Lets every thread whose clock is behind the caller's go first, and handles the caller's
 * signals. Each access that others can see begins with this. */
void sim_sync_slow(void);

/* How far a thread may run ahead of the others as long as it uses its own cache only: a
 * message from another core takes longer. */
#define SIM_AHEAD SIM_PS(20)

static inline void sim_sync(void)
{
	if (sim.me->now > sim.next || sim.me->pending)
		sim_sync_slow();
}

/* The caller's clock, in nanoseconds. */
uint64_t sim_now(void);

/* Lets this much time pass for the caller. */
static inline void sim_spend(double ns)
{
	sim.me->now += SIM_PS(ns);
}

/* From here on counts what the report counts: time, steals, messages. */
void sim_mark(void);

/* ---- for the kernel (kernel.c) ---- */

void sim_post(uint64_t when, enum sim_event event, struct sim_thread *t);

/* The caller sleeps until sim_wake(). */
void sim_sleep(void);

/* Wakes a sleeping thread; it arrives at its core at this time. */
void sim_wake(struct sim_thread *t, uint64_t when);

/* The caller goes to a core on which it may run, if it is on another one. */
void sim_move(void);

/* Makes a thread, which arrives at a core at this time. */
struct sim_thread *sim_thread_new(void *(*fn)(void *), void *arg, uint64_t when);

/* Called by the engine: the thread's time-out has come; a signal has arrived. */
void sim_timed_out(struct sim_thread *t, uint64_t now);
void sim_handle(struct sim_thread *t);

/* ---- for the engine (place.c) ---- */

bool sim_may_run(const struct sim_thread *t, unsigned core);

/* The core for a thread that arrives. */
struct sim_core *sim_choose_core(const struct sim_thread *t);

#endif
