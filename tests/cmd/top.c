/* SPDX-License-Identifier: MIT */
/*
 * A program for tests/cmd/top.sh to look at: SLEEPERS strands asleep, READERS at a channel,
 * one that computes; then "ready", until its standard input ends. "two": a second pool with
 * one more sleeper; "fork": a child that has a pool of its own, and tells its number.
 */
#include <filch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/atomic.h"

static struct filch_channel *channel;
static _Atomic(bool) over;
static struct filch_future **futures;
static int futures_n;

FILCH_STATIC_TASK_VOID(sleeper, (int, unused))
{
	(void)unused;
	filch_sleep(3600 * FILCH_S);
}

FILCH_STATIC_TASK_VOID(reader, (int, unused))
{
	int value;

	(void)unused;
	filch_channel_recv(channel, &value);
}

FILCH_STATIC_TASK_VOID(thinker, (int, unused))
{
	(void)unused;
	while (!load_rlx(&over)) /* a flag only */
		;
}

FILCH_STATIC_TASK(long, fib, (int, n))
{
	if (n < 2)
		return n;
	FILCH_SPAWN(x, fib, n - 1);
	long y = FILCH_CALL(fib, n - 2);
	return FILCH_JOIN(x) + y;
}

/* Computes until something was stolen. */
static void have_stolen(struct filch_pool *pool)
{
	struct filch_stats stats;

	do {
		FILCH_RUN_ON(pool, fib, 25);
		filch_pool_stats(pool, -1, &stats);
	} while (!stats.stolen);
}

/* Until so many strands of the pool have stopped. */
static void have_stopped(struct filch_pool *pool, uint64_t n)
{
	struct filch_stats stats;

	do {
		usleep(1000);
		filch_pool_stats(pool, -1, &stats);
	} while (stats.suspended < n);
}

static struct filch_pool *make_pool(unsigned workers)
{
	struct filch_pool_options o = {.workers = workers};
	struct filch_pool *pool;
	const char *why;

	if (filch_pool_create(&pool, &o, &why)) {
		fprintf(stderr, "top: %s\n", why);
		exit(1);
	}
	return pool;
}

static void keep(struct filch_future *f)
{
	futures[futures_n++] = f;
}

static void end_all(void)
{
	store_rlx(&over, true); /* a flag only */
	for (int i = 0; i < futures_n; i++)
		filch_future_cancel(futures[i]);
	for (int i = 0; i < futures_n; i++) {
		filch_await(futures[i]);
		filch_future_drop(futures[i]);
	}
	free(futures);
	filch_channel_destroy(channel);
}

static void wait_for_end(void)
{
	char byte;

	while (read(STDIN_FILENO, &byte, 1) > 0)
		;
}

/* A child with a pool of its own. */
static void be_two(void)
{
	pid_t child = fork();

	if (!child) {
		struct filch_pool *own = make_pool(1);

		FILCH_RUN_ON(own, fib, 10);
		printf("child %ld\n", (long)getpid());
		fflush(stdout);
		wait_for_end();
		filch_pool_destroy(own);
		exit(0);
	}
}

/* Its strands, and all of them where they are to be. */
static void begin_all(struct filch_pool *pool, int sleepers, int readers)
{
	struct filch_stats before;

	have_stolen(pool);
	filch_pool_stats(pool, -1, &before);
	for (int i = 0; i < sleepers; i++)
		keep(FILCH_GO_ON(pool, sleeper, 0));
	for (int i = 0; i < readers; i++)
		keep(FILCH_GO_ON(pool, reader, 0));
	have_stopped(pool, before.suspended + (uint64_t)(sleepers + readers));
	keep(FILCH_GO_ON(pool, thinker, 0));
}

int main(int argc, char **argv)
{
	int sleepers = argc > 1 ? atoi(argv[1]) : 0;
	int readers = argc > 2 ? atoi(argv[2]) : 0;
	const char *mode = argc > 3 ? argv[3] : "";
	struct filch_pool *pool = make_pool(3), *second = NULL;

	channel = filch_channel_create(sizeof(int), 0);
	futures = calloc((size_t)(sleepers + readers) + 2, sizeof(struct filch_future *));
	if (!channel || !futures)
		return 1;
	begin_all(pool, sleepers, readers);
	if (!strcmp(mode, "two")) {
		second = make_pool(1);
		keep(FILCH_GO_ON(second, sleeper, 0));
		have_stopped(second, 1);
	}
	if (!strcmp(mode, "fork"))
		be_two();
	printf("ready\n");
	fflush(stdout);
	wait_for_end();
	end_all();
	filch_pool_destroy(second);
	filch_pool_destroy(pool);
	while (wait(NULL) > 0)
		;
	return 0;
}
