/* SPDX-License-Identifier: MIT */
/*
 * The threads of a pool, as the system knows them. All that the runtime asks of a thread
 * is here, so that the simulator can put threads of its own in their place (sim/map).
 */
#ifndef FILCH_BASE_THREAD_H
#define FILCH_BASE_THREAD_H

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

struct filch__thread {
	pthread_t id;
};

/* Starts a thread that calls fn(arg). Returns false if the system refuses. */
static inline bool filch__thread_start(struct filch__thread *t, void *(*fn)(void *),
                                       void *arg)
{
	return !pthread_create(&t->id, NULL, fn, arg);
}

static inline void filch__thread_join(struct filch__thread *t)
{
	pthread_join(t->id, NULL);
}

static inline struct filch__thread filch__thread_me(void)
{
	return (struct filch__thread){pthread_self()};
}

/* Where signals reach the calling thread: its process and its number there. Unlike a
 * pthread_t this may be used when the thread is gone. */
static inline uint64_t filch__thread_address(void)
{
	return (uint64_t)getpid() << 32 | (uint32_t)syscall(SYS_gettid);
}

/* Names the calling thread. */
static inline void filch__thread_name(const char *name)
{
	pthread_setname_np(pthread_self(), name);
}

/* Says how late the kernel may wake the calling thread, and returns what it was. */
static inline unsigned long filch__thread_slack(unsigned long ns)
{
	int was = prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0);

	prctl(PR_SET_TIMERSLACK, ns, 0, 0, 0);
	return was < 0 ? 0 : (unsigned long)was;
}

#define FILCH__SLACK_NS 2000ul /* of a worker; the kernel's own is 50 us */

/* Says whether the calling thread can be cancelled, and returns what it was. */
static inline int filch__thread_cancellable(int whether)
{
	int was;

	pthread_setcancelstate(whether ? PTHREAD_CANCEL_ENABLE : PTHREAD_CANCEL_DISABLE, &was);
	return was == PTHREAD_CANCEL_ENABLE;
}

/* Where the calling thread's own stack is; NULL if the system does not say. */
static inline void filch__thread_stack(char **lo, char **hi)
{
	pthread_attr_t a;
	void *at = NULL;
	size_t size = 0;

	if (!pthread_getattr_np(pthread_self(), &a)) {
		pthread_attr_getstack(&a, &at, &size);
		pthread_attr_destroy(&a);
	}
	*lo = at;
	*hi = (char *)at + size;
}

/* The processor that the calling thread is on, or -1. */
static inline int filch__thread_cpu(void)
{
	return sched_getcpu();
}

/* Which processors a thread may run on. A thread that runs elsewhere moves at once. Both
 * return false if the system refuses. */
static inline bool filch__thread_may(struct filch__thread *t, cpu_set_t *may)
{
	return !pthread_getaffinity_np(t->id, sizeof *may, may);
}

static inline bool filch__thread_bind(struct filch__thread *t, const cpu_set_t *may)
{
	return !pthread_setaffinity_np(t->id, sizeof *may, may);
}

/* How much processor time the thread has used. Returns false if the system does not
 * say. */
static inline bool filch__thread_time(struct filch__thread *t, uint64_t *ns)
{
	clockid_t clock;
	struct timespec s;

	if (pthread_getcpuclockid(t->id, &clock) || clock_gettime(clock, &s))
		return false;
	*ns = (uint64_t)s.tv_sec * 1000000000u + (uint64_t)s.tv_nsec;
	return true;
}

/* Where a number of threads meet: no call of filch__meet() returns before all have made
 * one. */
struct filch__meeting {
	pthread_barrier_t all;
};

static inline void filch__meeting_init(struct filch__meeting *m, unsigned threads)
{
	pthread_barrier_init(&m->all, NULL, threads);
}

static inline void filch__meet(struct filch__meeting *m)
{
	pthread_barrier_wait(&m->all);
}

static inline void filch__meeting_destroy(struct filch__meeting *m)
{
	pthread_barrier_destroy(&m->all);
}

#endif
