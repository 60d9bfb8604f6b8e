/* SPDX-License-Identifier: MIT */
/* The pool workload, compiled for one kind of queue at a time. */
#include "queue/select.h"

struct QUEUE_ID(pool) {
	QUEUE *q;
	const struct pool_run *run;
};

struct QUEUE_ID(worker) {
	struct QUEUE_ID(pool) * pool;
	size_t self;
	struct filch__victims victims;
	struct pool_result result;
};

static size_t QUEUE_ID(pool_size)(void *pool, size_t i)
{
	return QUEUE_FN(size_hint)(&((struct QUEUE_ID(pool) *)pool)->q[i]);
}

/* Attempts to steal so many entries from the others; one that fails counts. */
static void QUEUE_ID(steal_some)(struct QUEUE_ID(worker) * w, QUEUE_THIEF *thief,
                                 size_t attempts)
{
	const struct pool_run *run = w->pool->run;
	size_t refused = 0;
	filch_entry e;

	while (attempts) {
		size_t v = filch__victims_next(&w->victims);
		enum filch_result r;

		/* Refuse at most a round's worth: what the owner keeps to itself is not
		 * seen by sample(), only a steal that fails asks for it. */
		if (run->probabilistic && refused < run->workers &&
		    !QUEUE_FN(sample)(&thief[v])) {
			refused++;
			continue;
		}
		refused = 0;
		attempts--;
		r = QUEUE_FN(steal)(&thief[v], &e);
		filch__victims_tell(&w->victims, v, r == FILCH_OK);
		if (r == FILCH_OK) {
			w->result.steals++;
			w->result.check -= e;
		}
	}
}

static void *QUEUE_ID(worker_main)(void *arg)
{
	struct QUEUE_ID(worker) *w = arg;
	const struct pool_run *run = w->pool->run;
	QUEUE_OWNER o = QUEUE_FN(owner)(&w->pool->q[w->self]);
	QUEUE_THIEF *thief = calloc(run->workers, sizeof *thief);
	const size_t attempts = (size_t)(run->balance / 100 * (double)run->capacity);
	struct pool_result *res = &w->result;
	filch_entry e;

	bench_pin(w->self);
	for (size_t i = 0; i < run->workers; i++)
		thief[i] = QUEUE_FN(thief)(&w->pool->q[i], w->self * 1000 + i);
	do { /* once at least, however late it comes */
		size_t n = 0, gets = 0;
		filch_entry sum = 0;

		while (n < run->capacity && QUEUE_FN(put)(o, n + 1) == FILCH_OK) {
			BENCH_BARRIER();
			n++;
		}
		res->puts += n;
		res->check += n * (n + 1) / 2;
		/* Counted in registers, which cost less than the queue. */
		while (QUEUE_FN(get)(o, &e) == FILCH_OK) {
			BENCH_BARRIER();
			gets++;
			sum += e;
		}
		res->gets += gets;
		res->check -= sum;
		QUEUE_ID(steal_some)(w, thief, attempts);
	} while (!load_rlx(run->stop)); /* polled */
	while (QUEUE_FN(get)(o, &e) == FILCH_OK) {
		res->gets++;
		res->check -= e;
	}
	free(thief);
	return NULL;
}

static struct pool_result QUEUE_ID(run_pool)(const struct pool_run *run)
{
	struct QUEUE_ID(pool)
		pool = {aligned_alloc(FILCH_LINE, run->workers * sizeof *pool.q), run};
	struct QUEUE_ID(worker) *w = calloc(run->workers, sizeof *w);
	pthread_t *thread = calloc(run->workers, sizeof *thread);
	struct pool_result sum = {0};
	uint64_t start;

	for (size_t i = 0; i < run->workers; i++) {
		w[i].pool = &pool;
		w[i].self = i;
		if (QUEUE_FN(init)(&pool.q[i], &run->queue) ||
		    filch__victims_init(&w[i].victims, run->policy, i, run->workers,
		                        run->topology, QUEUE_ID(pool_size), &pool, i + 1))
			pool_fatal("cannot make a queue", QUEUE_NAME);
	}
	start = filch__now_ns();
	for (size_t i = 0; i < run->workers; i++)
		if (pthread_create(&thread[i], NULL, QUEUE_ID(worker_main), &w[i]))
			pool_fatal("cannot start a thread", QUEUE_NAME);
	pool_sleep_and_stop(run);
	for (size_t i = 0; i < run->workers; i++) {
		pthread_join(thread[i], NULL);
		sum.puts += w[i].result.puts;
		sum.gets += w[i].result.gets;
		sum.steals += w[i].result.steals;
		sum.check += w[i].result.check;
	}
	sum.seconds = (double)(filch__now_ns() - start) * 1e-9;
	if (sum.check || sum.puts != sum.gets + sum.steals)
		pool_fatal("lost or doubled an entry", QUEUE_NAME);
	for (size_t i = 0; i < run->workers; i++) {
		QUEUE_FN(destroy)(&pool.q[i]);
		filch__victims_destroy(&w[i].victims);
	}
	free(thread);
	free(w);
	free(pool.q);
	return sum;
}
