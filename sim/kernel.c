/* SPDX-License-Identifier: MIT */
#include "sim/kernel.h"

#include <hwloc.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/quota.h"
#include "sim/cache.h"

static double kernel(double ns)
{
	return ns * sim.machine.costs.kernel;
}

void sim_pause(void)
{
	if (!sim.me)
		return;
	sim_spend(sim.machine.costs.pause);
	sim_sync();
}

/* Called by sim/map/fiber/switch.h. */
void sim_fiber(void)
{
	if (sim.me)
		sim_spend(sim.machine.costs.fiber);
}

/* ---- futexes ---- */

#define BUCKETS 4096

static struct bucket {
	struct sim_thread *first, *last;
} buckets[BUCKETS];

static struct bucket *bucket_of(const void *p)
{
	return &buckets[(uintptr_t)p / 4 * 2654435761u % BUCKETS];
}

static void sleep_in(struct bucket *b, const void *on)
{
	struct sim_thread *me = sim.me;

	me->sleeps_on = on;
	me->next = NULL;
	if (b->last)
		b->last->next = me;
	else
		b->first = me;
	b->last = me;
	sim_sleep();
	me->sleeps_on = NULL;
}

/* Takes the thread out of the list in which it sleeps. */
static void take_out(struct sim_thread *t)
{
	struct bucket *b = bucket_of(t->sleeps_on);
	struct sim_thread *before = NULL;

	for (struct sim_thread *x = b->first; x; before = x, x = x->next)
		if (x == t) {
			if (before)
				before->next = t->next;
			else
				b->first = t->next;
			if (b->last == t)
				b->last = before;
			return;
		}
}

static int wake_in(struct bucket *b, const void *on, int n)
{
	int woken = 0;

	for (struct sim_thread *t = b->first, *next; t && woken < n; t = next) {
		next = t->next;
		if (t->sleeps_on != on)
			continue;
		take_out(t);
		sim_spend(kernel(sim.machine.costs.wake));
		sim_wake(t, sim.me->now + SIM_PS(kernel(sim.machine.costs.wake_up)));
		sim.wakes++;
		woken++;
	}
	return woken;
}

void sim_futex_wait(const uint32_t *p, uint32_t expected, uint64_t ns)
{
	static struct sim_site site = {
		.file = __FILE__, .line = __LINE__, .op = "futex_wait", .what = ""};

	if (!sim.me)
		return;
	sim_spend(kernel(sim.machine.costs.system_call));
	sim_read(&site, p);
	sim_sync();
	if (*p != expected)
		return;
	sim.me->ticket++;
	if (ns != UINT64_MAX)
		sim_post(sim.me->now + ns * 1000, SIM_TIMEOUT, sim.me);
	sleep_in(bucket_of(p), p);
}

void sim_futex_wake(const uint32_t *p, int n)
{
	if (!sim.me)
		return;
	sim_spend(kernel(sim.machine.costs.system_call));
	sim_sync();
	wake_in(bucket_of(p), p, n);
}

void sim_timed_out(struct sim_thread *t, uint64_t now)
{
	if (t->state != SIM_SLEEPING || !t->sleeps_on)
		return;
	take_out(t);
	sim_wake(t, now + SIM_PS(kernel(sim.machine.costs.wake_up)));
}

/* ---- threads ---- */

struct sim_thread *sim_thread_start(void *(*fn)(void *), void *arg)
{
	sim_spend(kernel(sim.machine.costs.start));
	sim_sync();
	return sim_thread_new(fn, arg,
	                      sim.me->now + SIM_PS(kernel(sim.machine.costs.wake_up)));
}

bool sim_bind(struct sim_thread *t, const cpu_set_t *may)
{
	sim_spend(kernel(sim.machine.costs.system_call));
	if (!t->may)
		t->may = malloc(sizeof *may);
	if (!t->may)
		return false;
	*t->may = *may;
	if (t == sim.me)
		sim_move();
	return true;
}

void sim_thread_join(struct sim_thread *t)
{
	sim_sync();
	while (t->state != SIM_ENDED) {
		sim.me->sleeps_on = t;
		sim_sleep();
		sim.me->sleeps_on = NULL;
	}
}

/* Waits for a lock of the kernel's, and holds it for some time. */
static void hold(uint64_t *lock, double ns)
{
	sim_sync();
	if (*lock < sim.me->now)
		*lock = sim.me->now;
	*lock += SIM_PS(kernel(ns));
	sim.me->now = *lock;
}

/* ---- mappings: the linker puts these in the place of the system's ---- */

/* The linker's names. NOLINTBEGIN(bugprone-reserved-identifier) */
int __real_madvise(void *addr, size_t length, int advice);
int __wrap_madvise(void *addr, size_t length, int advice);
int __real_mprotect(void *addr, size_t length, int prot);
int __wrap_mprotect(void *addr, size_t length, int prot);
/* NOLINTEND(bugprone-reserved-identifier) */

int __wrap_madvise(void *addr, size_t length, int advice)
{
	if (sim.me) /* the kernel's lock is shared here */
		sim_spend(kernel(sim.machine.costs.mapping));
	return __real_madvise(addr, length, advice);
}

int __wrap_mprotect(void *addr, size_t length, int prot)
{
	if (sim.me)
		hold(&sim.mapping_lock, sim.machine.costs.mapping);
	return __real_mprotect(addr, length, prot);
}

/* ---- signals ---- */

static void (*handler)(int signal, siginfo_t *info, void *context);

void sim_signal_take(void (*h)(int signal, siginfo_t *info, void *context))
{
	handler = h;
}

void sim_signal_send(struct sim_thread *t, int signal)
{
	sim_spend(kernel(sim.machine.costs.signal));
	hold(&sim.signal_lock, sim.machine.costs.signal_lock);
	t->signal = signal;
	sim.asks++;
	sim_post(sim.me->now + SIM_PS(kernel(sim.machine.costs.signal_way)), SIM_SIGNAL,
	         t);
}

void sim_handle(struct sim_thread *t)
{
	siginfo_t info = {.si_code = SI_TKILL};

	t->pending = 0; /* a standard signal is pending once */
	if (!handler)
		return;
	t->handling = true;
	sim_spend(kernel(sim.machine.costs.handler));
	handler(t->signal, &info, __builtin_frame_address(0));
	t->handling = false;
}

/* ---- mutexes: the linker puts these in the place of the system's ---- */

/* The linker's names. NOLINTBEGIN(bugprone-reserved-identifier) */
int __real_pthread_mutex_lock(pthread_mutex_t *m);
int __real_pthread_mutex_unlock(pthread_mutex_t *m);
int __wrap_pthread_mutex_lock(pthread_mutex_t *m);
int __wrap_pthread_mutex_unlock(pthread_mutex_t *m);
/* NOLINTEND(bugprone-reserved-identifier) */

int __wrap_pthread_mutex_lock(pthread_mutex_t *m)
{
	static struct sim_site site = {
		.file = __FILE__, .line = __LINE__, .op = "mutex_lock", .what = ""};
	uint32_t *word = (uint32_t *)(void *)m, taken = 1;

	if (!sim.me)
		return __real_pthread_mutex_lock(m);
	sim_spend(sim.machine.costs.call);
	sim_update(&site, m);
	while (*word) {
		*word = taken = 2; /* some thread sleeps, or another one after it */
		sim_futex_wait(word, 2, UINT64_MAX);
		sim_update(&site, m);
	}
	*word = taken;
	return 0;
}

int __wrap_pthread_mutex_unlock(pthread_mutex_t *m)
{
	static struct sim_site site = {
		.file = __FILE__, .line = __LINE__, .op = "mutex_unlock", .what = ""};
	uint32_t *word = (uint32_t *)(void *)m, was;

	if (!sim.me)
		return __real_pthread_mutex_unlock(m);
	sim_spend(sim.machine.costs.call);
	sim_update(&site, m);
	was = *word;
	*word = 0;
	if (was == 2)
		sim_futex_wake(word, 1);
	return 0;
}

/* ---- processors ---- */

/* In the place of hwloc's: the machine that is described is the one that pools run on.
 * NOLINTNEXTLINE(bugprone-reserved-identifier): the linker's name */
int __wrap_hwloc_topology_is_thissystem(hwloc_topology_t h);

int __wrap_hwloc_topology_is_thissystem(hwloc_topology_t h)
{
	(void)h;
	return 1;
}

/* In the place of src/base/quota.c. */
int filch__cpus_read(struct filch__cpus *c, const char *root)
{
	(void)root;
	*c = (struct filch__cpus){.online = sim.machine.cores,
	                          .affinity = sim.machine.cores};
	return 0;
}
