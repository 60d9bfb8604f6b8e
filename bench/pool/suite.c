/* SPDX-License-Identifier: MIT */
/*
 * filch bench pool: BWoS section 6.2.3. Several queues, each with an owner that fills it,
 * drains it and then attempts to steal as many entries as a share of its capacity from the
 * others, under each selection policy, with and without probabilistic acceptance.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/atomic.h"
#include "base/clock.h"
#include "bench/bench.h"
#include "sched/victim.h"

#include "queue/queue.h"

#define SUITE "pool"

struct pool_run {
	struct filch_queue_options queue;
	size_t workers, capacity;
	double balance; /* per cent of the capacity: attempts to steal a turn */
	enum filch_policy policy;
	bool probabilistic;
	const struct filch__topology *topology;
	_Atomic(int) *stop;
	uint64_t slice_ms;
};

struct pool_result {
	uint64_t puts, gets, steals;
	filch_entry
		check; /* sum of what came in less what went out; 0 when all is well */
	double seconds;
};

static _Noreturn void pool_fatal(const char *what, const char *kind)
{
	fprintf(stderr, "filch bench: %s: %s\n", kind, what);
	exit(1);
}

static void pool_sleep_and_stop(const struct pool_run *run)
{
	struct timespec t = {(time_t)(run->slice_ms / 1000),
	                     (long)(run->slice_ms % 1000 * 1000000)};

	nanosleep(&t, NULL);
	store_rlx(run->stop, 1); /* polled */
}

#define FILCH_QUEUE_EACH "bench/pool/kind.inc.h"
#include "queue/each.h"

static const struct {
	const char *name,
		*to; /* `to`: the yardstick it is compared with, as in the paper */
	struct pool_result (*run)(const struct pool_run *);
} kinds[] = {
	{"bwos_lifo", "abp", run_pool_bwos_lifo},  {"abp", NULL, run_pool_abp},
	{"chase_lev", NULL, run_pool_chase_lev},   {"locked", NULL, run_pool_locked},
	{"bwos_fifo", "runq", run_pool_bwos_fifo}, {"runq", NULL, run_pool_runq},
};
#define KINDS (sizeof kinds / sizeof *kinds)
#define VARIANTS (filch_policy_count * 2)

struct series {
	char name[48];
	bool wanted;
	double value[BENCH_ROUNDS_MOST];
	uint64_t puts, steals;
};

static void run_all(struct pool_run base, size_t rounds, struct series (*s)[VARIANTS])
{
	for (size_t r = 0; r < rounds; r++)
		for (size_t v = 0; v < VARIANTS; v++)
			for (size_t k = 0; k < KINDS; k++) {
				_Atomic(int) stop = 0;
				struct pool_run run = base;
				struct pool_result res;

				if (!s[k][v].wanted)
					continue;
				run.policy = (enum filch_policy)(v / 2);
				run.probabilistic = v % 2;
				run.stop = &stop;
				res = kinds[k].run(&run);
				s[k][v].value[r] =
					(double)(res.puts + res.gets + res.steals) *
					1e-6 / res.seconds;
				s[k][v].puts += res.puts;
				s[k][v].steals += res.steals;
			}
}

static void compare(const struct bench_options *o, const char *bench, size_t rounds,
                    const struct series *a, const struct series *b)
{
	if (a->wanted && b->wanted)
		bench_compared(o, SUITE, bench, a->name, b->name, "speedup",
		               bench_median_ratio(a->value, b->value, rounds));
}

static void report(const struct bench_options *o, const char *bench, size_t rounds,
                   struct series (*s)[VARIANTS])
{
	for (size_t k = 0; k < KINDS; k++)
		for (size_t v = 0; v < VARIANTS; v++) {
			double copy[BENCH_ROUNDS_MOST];

			if (!s[k][v].wanted)
				continue;
			memcpy(copy, s[k][v].value, sizeof copy);
			bench_measured(o, SUITE, bench, s[k][v].name, "throughput",
			               bench_median(copy, rounds), "Mops/s");
			bench_measured(o, SUITE, bench, s[k][v].name, "stolen",
			               100.0 * (double)s[k][v].steals /
			                       (double)s[k][v].puts,
			               "%");
		}
	for (size_t k = 0; k < KINDS; k++)
		for (size_t v = 0; v < VARIANTS; v++)
			for (size_t to = 0; to < KINDS; to++)
				if (kinds[k].to && !strcmp(kinds[to].name, kinds[k].to))
					compare(o, bench, rounds, &s[k][v], &s[to][v]);
	/* What accepting by probability gives, and being near. */
	for (size_t k = 0; k < KINDS; k++) {
		for (size_t v = 1; v < VARIANTS; v += 2)
			compare(o, bench, rounds, &s[k][v], &s[k][v - 1]);
		compare(o, bench, rounds, &s[k][2 * filch_policy_nearest],
		        &s[k][2 * filch_policy_random]);
	}
}

static void bench_balance(const struct bench_options *o, struct pool_run base,
                          double balance)
{
	struct series(*s)[VARIANTS] = calloc(KINDS, sizeof *s);
	size_t rounds = o->rounds ? o->rounds : o->quick ? 2 : 5;
	bool any = false;
	char bench[32];

	snprintf(bench, sizeof bench, "balance%g", balance);
	base.balance = balance;
	for (size_t k = 0; k < KINDS; k++)
		for (size_t v = 0; v < VARIANTS; v++) {
			snprintf(s[k][v].name, sizeof s[k][v].name, "%s+%s%s",
			         kinds[k].name,
			         filch__policy_name((enum filch_policy)(v / 2)),
			         v % 2 ? "+prob" : "");
			s[k][v].wanted = bench_wanted(o, SUITE, bench, s[k][v].name);
			any |= s[k][v].wanted;
		}
	if (any) {
		run_all(base, rounds, s);
		report(o, bench, rounds, s);
	}
	free(s);
}

static int run(const struct bench_options *o)
{
	const char *text = o->topology ? o->topology : "numa:2 l3:2 core:2 pu:1";
	struct pool_run base = {
		.workers = o->workers ? o->workers : 8,
		.slice_ms = o->slice_ms ? o->slice_ms
	                    : o->quick  ? 10
	                                : 20,
	};
	struct filch__topology topology;

	if (!bench_shape(o, SUITE, 8192, &base.queue))
		return 2;
	if (filch__topology_init(&topology, text)) {
		fprintf(stderr,
		        "filch bench pool: hwloc cannot read the topology '%s'; it "
		        "should be like "
		        "'numa:2 l3:2 core:2 pu:1'\n",
		        text);
		return 2;
	}
	bench_pin(0);
	base.capacity = base.queue.block_size * base.queue.blocks;
	base.topology = &topology;
	if (o->balance >= 0) {
		bench_balance(o, base, o->balance);
	} else {
		bench_balance(o, base, 0);
		bench_balance(o, base, 10);
		bench_balance(o, base, 100);
	}
	filch__topology_destroy(&topology);
	return 0;
}

const struct bench_suite bench_pool_suite = {
	.name = "pool", .text = "several queues under each stealing policy", .run = run};
