/* SPDX-License-Identifier: MIT */
/*
 * What the benchmarks ask of the system, in virtual time: threads, sleep, affinity. The
 * linker puts these functions in the place of the system's. Outside of a simulation they
 * are the system's.
 */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/bench.h"
#include "sim/kernel.h"

#define WRAP(type, name, ...)            \
	type __real_##name(__VA_ARGS__); \
	type __wrap_##name(__VA_ARGS__); \
	type __wrap_##name(__VA_ARGS__)

WRAP(int, pthread_create, pthread_t *t, const pthread_attr_t *attr, void *(*fn)(void *),
     void *arg)
{
	struct sim_thread *made;

	if (!sim.me)
		return __real_pthread_create(t, attr, fn, arg);
	made = sim_thread_start(fn, arg);
	if (sim.me->may)
		sim_bind(made, sim.me->may);
	*t = (pthread_t)made;
	return 0;
}

WRAP(int, pthread_join, pthread_t t, void **result)
{
	if (!sim.me)
		return __real_pthread_join(t, result);
	sim_thread_join((struct sim_thread *)t);
	return 0;
}

WRAP(int, nanosleep, const struct timespec *t, struct timespec *left)
{
	uint32_t never = 0;

	if (!sim.me)
		return __real_nanosleep(t, left);
	sim_futex_wait(&never, 0,
	               (uint64_t)t->tv_sec * 1000000000u + (uint64_t)t->tv_nsec);
	return 0;
}

WRAP(int, sched_getaffinity, pid_t pid, size_t size, cpu_set_t *set)
{
	if (!sim.me)
		return __real_sched_getaffinity(pid, size, set);
	memset(set, 0, size);
	for (unsigned i = 0; i < sim.machine.cores && i < 8 * size; i++)
		if (!sim.me->may || CPU_ISSET(i, sim.me->may))
			CPU_SET_S(i, size, set);
	return 0;
}

WRAP(int, sched_setaffinity, pid_t pid, size_t size, const cpu_set_t *set)
{
	if (!sim.me)
		return __real_sched_setaffinity(pid, size, set);
	sim_bind(sim.me, set);
	return 0;
}

/* Leaves out what is not simulated. */
WRAP(bool, bench_wanted, const struct bench_options *o, const char *suite,
     const char *bench, const char *impl)
{
	/* Threads without Filch, memory, and the processor's time of a process. */
	if (!strcmp(impl, "thread") || !strncmp(bench, "strands", 7) ||
	    !strcmp(bench, "idle"))
		return false;
	return __real_bench_wanted(o, suite, bench, impl);
}
