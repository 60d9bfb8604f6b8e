/* SPDX-License-Identifier: MIT */
/*
 * filch bench sched: threads that do what strands do, for scale.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

#include "base/clock.h"
#include "bench/bench.h"
#include "bench/sched/run.h"

static pthread_t start_thread(void *(*fn)(void *), void *arg)
{
	pthread_t t;

	if (pthread_create(&t, NULL, fn, arg))
		sched_fail("threads", "the system refuses to start one");
	return t;
}

/* Two threads on one processor: the second inherits it. */
struct players {
	sem_t ping, pong;
	size_t size;
	double ns;
};

static void *pong_main(void *arg)
{
	struct players *p = arg;

	for (size_t i = 0; i < p->size; i++) {
		sem_wait(&p->ping);
		sem_post(&p->pong);
	}
	return NULL;
}

static void *ping_main(void *arg)
{
	struct players *p = arg;
	pthread_t other;
	uint64_t began;

	bench_pin(0);
	other = start_thread(pong_main, p);
	began = filch__now_ns();
	for (size_t i = 0; i < p->size; i++) {
		sem_post(&p->ping);
		sem_wait(&p->pong);
	}
	p->ns = (double)(filch__now_ns() - began) / (double)p->size;
	pthread_join(other, NULL);
	return NULL;
}

void sched_switch_thread(const struct sched_run *run, double *out)
{
	struct players p = {.size = run->size / 100};

	sem_init(&p.ping, 0, 0);
	sem_init(&p.pong, 0, 0);
	pthread_join(start_thread(ping_main, &p), NULL);
	sem_destroy(&p.ping);
	sem_destroy(&p.pong);
	out[0] = p.ns;
}

static void *stop_main(void *arg)
{
	sem_wait(arg);
	return NULL;
}

void sched_strand_thread(const struct sched_run *run, double *out)
{
	const size_t n = run->size / 100;
	uint64_t began = filch__now_ns();
	sem_t wake;

	sem_init(&wake, 0, 0);
	for (size_t i = 0; i < n; i++) {
		pthread_t t = start_thread(stop_main, &wake);

		sem_post(&wake);
		pthread_join(t, NULL);
	}
	sem_destroy(&wake);
	out[0] = (double)(filch__now_ns() - began) / (double)n;
}

/* A thread that waits to be told, then says when that was. */
struct sleeper {
	pthread_mutex_t lock;
	pthread_cond_t told, said;
	size_t wanted, given;
	size_t size;
	uint64_t when;
};

static void *sleeper_main(void *arg)
{
	struct sleeper *s = arg;

	pthread_mutex_lock(&s->lock);
	while (s->given < s->size) {
		while (s->wanted == s->given)
			pthread_cond_wait(&s->told, &s->lock);
		s->when = filch__now_ns();
		s->given++;
		pthread_cond_signal(&s->said);
	}
	pthread_mutex_unlock(&s->lock);
	return NULL;
}

static uint64_t sleeper_call(struct sleeper *s)
{
	pthread_mutex_lock(&s->lock);
	s->wanted++;
	pthread_cond_signal(&s->told);
	while (s->given < s->wanted)
		pthread_cond_wait(&s->said, &s->lock);
	pthread_mutex_unlock(&s->lock);
	return s->when;
}

void sched_wake_thread(const struct sched_run *run, double *out)
{
	struct sleeper s = {.lock = PTHREAD_MUTEX_INITIALIZER,
	                    .told = PTHREAD_COND_INITIALIZER,
	                    .said = PTHREAD_COND_INITIALIZER,
	                    .size = run->size};
	double *us = sched_allocate(run->size, sizeof *us);
	pthread_t t = start_thread(sleeper_main, &s);

	for (size_t i = 0; i < run->size; i++) {
		uint64_t submitted;

		sched_pause_ms(SCHED_PAUSE_MS);
		submitted = filch__now_ns();
		us[i] = (double)(sleeper_call(&s) - submitted) * 1e-3;
	}
	pthread_join(t, NULL);
	sched_percentiles(us, run->size, out);
	free(us);
}
