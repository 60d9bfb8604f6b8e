/* SPDX-License-Identifier: MIT */
/*
 * Calls of the system that the benchmarks make, in virtual time: threads, sleep, affinity. The
 * benchmarks are compiled with these names in the place of the system's (CMakeLists.txt).
 */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/bench.h"
#include "sim/kernel.h"

int sim_pthread_create(pthread_t *t, const pthread_attr_t *attr, void *(*fn)(void *),
                       void *arg);
int sim_pthread_join(pthread_t t, void **result);
int sim_nanosleep(const struct timespec *t, struct timespec *left);
int sim_sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set);
int sim_sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *set);
/* The linker's names. NOLINTBEGIN(bugprone-reserved-identifier) */
bool __real_bench_wanted(const struct bench_options *o, const char *suite,
                         const char *bench, const char *impl);
bool __wrap_bench_wanted(const struct bench_options *o, const char *suite,
                         const char *bench, const char *impl);
/* NOLINTEND(bugprone-reserved-identifier) */

int sim_pthread_create(pthread_t *t, const pthread_attr_t *attr, void *(*fn)(void *),
                       void *arg)
{
	struct sim_thread *made = sim_thread_start(fn, arg);

	(void)attr;
	if (sim.me->may)
		sim_bind(made, sim.me->may);
	*t = (pthread_t)made;
	return 0;
}

int sim_pthread_join(pthread_t t, void **result)
{
	(void)result;
	sim_thread_join((struct sim_thread *)t);
	return 0;
}

int sim_nanosleep(const struct timespec *t, struct timespec *left)
{
	uint32_t never = 0;

	(void)left;
	sim_futex_wait(&never, 0,
	               (uint64_t)t->tv_sec * 1000000000u + (uint64_t)t->tv_nsec);
	return 0;
}

int sim_sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set)
{
	(void)pid;
	memset(set, 0, size);
	for (unsigned i = 0; i < sim.machine.cores && i < 8 * size; i++)
		if (!sim.me->may || CPU_ISSET(i, sim.me->may))
			CPU_SET_S(i, size, set);
	return 0;
}

int sim_sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *set)
{
	(void)pid;
	(void)size;
	return sim_bind(sim.me, set) ? 0 : -1;
}

/* Leaves out what is not simulated: threads without Filch, memory, and the processor's
 * time of a process. */
bool __wrap_bench_wanted(const struct bench_options *o, const char *suite,
                         const char *bench, const char *impl)
{
	if (!strcmp(impl, "thread") || !strncmp(bench, "strands", 7) ||
	    !strcmp(bench, "idle"))
		return false;
	return __real_bench_wanted(o, suite, bench, impl);
}
