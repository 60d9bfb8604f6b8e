/* SPDX-License-Identifier: MIT */
/*
 * filch bench sched: what the runtime itself costs. Strands that take turns, strands that
 * come and go, many that wait at once, a pool with nothing to do, a worker that is woken;
 * beside them, for scale, threads that do the same.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/bench.h"
#include "bench/sched/run.h"
#include "fiber/switch.h"

#define SUITE "sched"
#define IMPLS 3

_Noreturn void sched_fail(const char *bench, const char *what)
{
	fprintf(stderr, "filch bench sched: %s: %s\n", bench, what);
	exit(1);
}

void sched_check(bool ok, const char *bench)
{
	if (!ok)
		sched_fail(bench, "wrong answer");
}

void *sched_allocate(size_t n, size_t size)
{
	void *p = calloc(n, size);

	if (!p)
		sched_fail("memory", "there is not enough");
	return p;
}

void sched_pause_ms(size_t ms)
{
	struct timespec t = {(time_t)(ms / 1000), (long)(ms % 1000 * 1000000)};

	while (nanosleep(&t, &t) && errno == EINTR)
		;
}

void sched_percentiles(double *value, size_t n, double *out)
{
	out[0] = bench_median(value, n);
	out[1] = value[n * 99 / 100];
}

/* Sanitizers keep so much for each strand that fewer must do. */
#if FILCH__FIBER_WATCHED
#define MANY "strands1k", 1000, 1000
#else
#define MANY "strands100k", 100000, 100000
#endif

/* clang-format off */
#define HELP(name, size, quick)                                            \
	{#name, size, quick, 3, {{"p50", "us"}, {"p99", "us"}},            \
	 {{"filch@2", 2, sched_##name}}}
/* clang-format on */

static const struct bench {
	const char *name;
	size_t size, quick, rounds;
	struct metric {
		const char *name, *unit;
	} metric[SCHED_METRICS];
	struct impl {
		const char *name;
		unsigned workers; /* of its pool; 0: it has none */
		void (*run)(const struct sched_run *, double *out);
	} impl[IMPLS]; /* the first is compared with the others */
} benches[] = {
	{"switch",
         2000000,
         100000,
         5,
         {{"time", "ns"}},
         {{"filch@1", 1, sched_switch},
          {"fiber", 0, sched_switch_fiber},
          {"thread", 0, sched_switch_thread}}},
	{"strand",
         1000000,
         6400,
         5,
         {{"time", "ns"}},
         {{"filch@1", 1, sched_strand_together},
          {"one_by_one@1", 1, sched_strand},
          {"thread", 0, sched_strand_thread}}},
	{MANY,
         1,
         {{"resident", "GiB"}, {"added", "GiB"}, {"page_tables", "GiB"}},
         {{"filch@2", 2, sched_many}}},
	{"idle", 5000, 1000, 1, {{"cpu", "%"}}, {{"filch@2", 2, sched_idle}}},
	{"wake",
         300,
         50,
         3,
         {{"p50", "us"}, {"p99", "us"}},
         {{"filch@2", 2, sched_wake}, {"thread", 0, sched_wake_thread}}},
	{"wake_go",
         300,
         50,
         3,
         {{"p50", "us"}, {"p99", "us"}},
         {{"filch@2", 2, sched_wake_go}}},
	{"run_empty",
         100000,
         1000,
         3,
         {{"time", "ns"}},
         {{"filch@2", 2, sched_run_empty}}},
	HELP(help0, 2000, 100),
	HELP(help1ms, 1000, 50),
	HELP(help10ms, 300, 20),
	HELP(help0_joins, 2000, 100),
	HELP(help1ms_joins, 1000, 50),
	HELP(help10ms_joins, 300, 20),
};
#define BENCHES (sizeof benches / sizeof *benches)

/* What an implementation gave: by metric, by round. */
struct series {
	bool wanted;
	double value[SCHED_METRICS][BENCH_ROUNDS_MOST];
};

static struct filch_pool *pool_create(unsigned workers)
{
	struct filch_pool_options o = {.workers = workers};
	struct filch_pool *pool;
	const char *why;

	if (filch_pool_create(&pool, &o, &why))
		sched_fail("no pool", why);
	return pool;
}

static void run_once(const struct impl *impl, size_t size, size_t round, struct series *s)
{
	struct sched_run run = {impl->workers ? pool_create(impl->workers) : NULL, size};
	double out[SCHED_METRICS] = {0};

	impl->run(&run, out);
	filch_pool_destroy(run.pool);
	for (size_t m = 0; m < SCHED_METRICS; m++)
		s->value[m][round] = out[m];
}

static void report(const struct bench_options *o, const struct bench *b, size_t rounds,
                   const struct series *s)
{
	for (size_t i = 0; i < IMPLS; i++)
		for (size_t m = 0; s[i].wanted && m < SCHED_METRICS && b->metric[m].name;
		     m++) {
			double copy[BENCH_ROUNDS_MOST];

			memcpy(copy, s[i].value[m], sizeof copy);
			bench_measured(o, SUITE, b->name, b->impl[i].name,
			               b->metric[m].name, bench_median(copy, rounds),
			               b->metric[m].unit);
		}
	for (size_t i = 1; i < IMPLS; i++)
		if (s[0].wanted && s[i].wanted)
			bench_compared(
				o, SUITE, b->name, b->impl[0].name, b->impl[i].name,
				"speedup",
				bench_median_ratio(s[i].value[0], s[0].value[0], rounds));
}

static void bench_one(const struct bench_options *o, const struct bench *b)
{
	size_t rounds = o->rounds ? o->rounds : o->quick ? 1 : b->rounds;
	size_t size = o->quick ? b->quick : b->size;
	static struct series s[IMPLS];

	for (size_t i = 0; i < IMPLS; i++)
		s[i].wanted = b->impl[i].name &&
		              bench_wanted(o, SUITE, b->name, b->impl[i].name);
	for (size_t r = 0; r < rounds; r++)
		for (size_t i = 0; i < IMPLS; i++)
			if (s[i].wanted)
				run_once(&b->impl[i], size, r, &s[i]);
	report(o, b, rounds, s);
}

static int run_suite(const struct bench_options *o)
{
	for (size_t i = 0; i < BENCHES; i++)
		bench_one(o, &benches[i]);
	return 0;
}

const struct bench_suite bench_sched_suite = {
	.name = "sched",
	.text = "what strands, waiting and waking cost",
	.run = run_suite};
