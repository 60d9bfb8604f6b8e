/* SPDX-License-Identifier: MIT */
/*
 * src/base/thread.h for code that is simulated: threads are the simulator's.
 */
#ifndef FILCH_BASE_THREAD_H
#define FILCH_BASE_THREAD_H

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "sim/kernel.h"

struct filch__thread {
	struct sim_thread *id;
};

static inline bool filch__thread_start(struct filch__thread *t, void *(*fn)(void *),
                                       void *arg)
{
	t->id = sim_thread_start(fn, arg);
	return true;
}

static inline void filch__thread_join(struct filch__thread *t)
{
	sim_thread_join(t->id);
}

static inline struct filch__thread filch__thread_me(void)
{
	return (struct filch__thread){sim.me};
}

static inline uint64_t filch__thread_address(void)
{
	return (uintptr_t)sim.me;
}

static inline void filch__thread_name(const char *name)
{
	(void)name;
}

static inline unsigned long filch__thread_slack(unsigned long ns)
{
	return ns;
}

#define FILCH__SLACK_NS 2000ul

static inline int filch__thread_cancellable(int whether)
{
	return whether;
}

static inline void filch__thread_stack(char **lo, char **hi)
{
	*lo = sim.me->lo;
	*hi = sim.me->hi;
}

static inline int filch__thread_cpu(void)
{
	return (int)sim.me->core->index;
}

static inline bool filch__thread_may(struct filch__thread *t, cpu_set_t *may)
{
	if (t->id->may) {
		*may = *t->id->may;
		return true;
	}
	CPU_ZERO(may);
	for (unsigned i = 0; i < sim.machine.cores && i < CPU_SETSIZE; i++)
		CPU_SET(i, may);
	return true;
}

static inline bool filch__thread_bind(struct filch__thread *t, const cpu_set_t *may)
{
	return sim_bind(t->id, may);
}

static inline bool filch__thread_time(struct filch__thread *t, uint64_t *ns)
{
	(void)t;
	(void)ns;
	return false;
}

struct filch__meeting {
	unsigned threads, here;
	uint32_t over;
};

static inline void filch__meeting_init(struct filch__meeting *m, unsigned threads)
{
	*m = (struct filch__meeting){threads, 0, 0};
}

static inline void filch__meet(struct filch__meeting *m)
{
	if (++m->here == m->threads) {
		m->over = 1;
		sim_futex_wake(&m->over, INT32_MAX);
	}
	while (!m->over)
		sim_futex_wait(&m->over, 0, UINT64_MAX);
}

static inline void filch__meeting_destroy(struct filch__meeting *m)
{
	(void)m;
}

#endif
