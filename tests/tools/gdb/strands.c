/* SPDX-License-Identifier: MIT */
/*
 * Strands in known waits, for a debugger to look at: stopped() is called when all are there.
 * Prints a sum that is right only if all of them went on.
 */
#include <filch.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct filch_mutex mutex;
static struct filch_event go;
static struct filch_channel *channel;
static int pipe_ends[2];
static _Atomic(int) begun, spinning;

static __attribute__((noinline)) long deeper(long x)
{
	filch_event_wait(&go); /* line: deeper */
	return x + 1;
}

FILCH_STATIC_TASK(long, child, (long, x))
{
	begun = 1;
	return deeper(x) + 1; /* line: child */
}

FILCH_STATIC_TASK(long, joiner, (long, x))
{
	FILCH_SPAWN(c, child, x + 5);
	while (!begun)
		;                 /* until somebody has taken the child */
	return FILCH_JOIN(c) * 2; /* line: joiner */
}

FILCH_STATIC_TASK(long, sleeper, (long, x))
{
	return filch_sleep(1000 * FILCH_S) ? x : -1; /* line: sleeper */
}

FILCH_STATIC_TASK(long, receiver, (long, x))
{
	long y = 0;

	filch_channel_recv(channel, &y); /* line: receiver */
	return x + y;
}

FILCH_STATIC_TASK(long, holder, (long, x))
{
	filch_mutex_lock(&mutex);
	begun = 2;
	filch_event_wait(&go); /* line: holder */
	filch_mutex_unlock(&mutex);
	return x;
}

FILCH_STATIC_TASK(long, locker, (long, x))
{
	filch_mutex_lock(&mutex); /* line: locker */
	filch_mutex_unlock(&mutex);
	return x;
}

FILCH_STATIC_TASK(long, reader, (long, x))
{
	char c = 0;

	filch_read(pipe_ends[0], &c, 1); /* line: reader */
	return x + c;
}

static __attribute__((noinline)) void spin(void)
{
	while (spinning < 2) /* line: spin */
		;
}

FILCH_STATIC_TASK(long, spinner, (long, x))
{
	spinning = 1;
	spin(); /* line: spinner */
	return x;
}

static void *run_spinner(void *sum)
{
	*(long *)sum = FILCH_RUN(spinner, 1000000); /* line: run_spinner */
	return NULL;
}

static void wait_for(uint64_t waits)
{
	struct filch_stats stats;

	do {
		usleep(1000);
		filch_pool_stats(filch_pool_default(NULL), -1, &stats);
	} while (stats.suspended < waits);
}

__attribute__((noinline)) void stopped(void)
{
	__asm__ volatile("");
}

/* More that sleep, as many as the first argument says. */
static struct filch_future *many[100000];

int main(int argc, char **argv)
{
	struct filch_future *f[6];
	long more = argc > 1 ? atol(argv[1]) : 0, sum = 0;
	pthread_t thread;

	stopped(); /* before any pool exists */
	channel = filch_channel_create(sizeof(long), 1);
	if (pipe(pipe_ends))
		return 1;
	f[0] = FILCH_GO(joiner, 1);
	wait_for(2); /* the child, and who joins it */
	f[1] = FILCH_GO(holder, 10);
	while (begun < 2)
		usleep(1000);
	f[2] = FILCH_GO(locker, 100);
	f[3] = FILCH_GO(receiver, 1000);
	f[4] = FILCH_GO(reader, 10000);
	f[5] = FILCH_GO(sleeper, 100000);
	for (long i = 0; i < more; i++)
		many[i] = FILCH_GO(sleeper, 0);
	wait_for(7 + (uint64_t)more);
	pthread_create(&thread, NULL, run_spinner, &sum);
	while (!spinning)
		usleep(1000);
	stopped(); /* line: main */
	if (argc > 2)
		abort(); /* for a core file */
	spinning = 2;
	filch_event_set(&go);
	filch_channel_send(channel, &(long){7});
	if (write(pipe_ends[1], "\1", 1) != 1)
		return 1;
	filch_future_cancel(f[5]);
	for (long i = 0; i < more; i++)
		filch_future_cancel(many[i]);
	pthread_join(thread, NULL);
	sum += FILCH_AWAIT(joiner, f[0]) + FILCH_AWAIT(holder, f[1]) +
	       FILCH_AWAIT(locker, f[2]) + FILCH_AWAIT(receiver, f[3]) +
	       FILCH_AWAIT(reader, f[4]) + FILCH_AWAIT(sleeper, f[5]);
	for (long i = 0; i < more; i++)
		sum += FILCH_AWAIT(sleeper, many[i]);
	printf("sum %ld\n", sum);
}
