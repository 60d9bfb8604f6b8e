/* SPDX-License-Identifier: MIT */
#include "bench/rounds.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* What runs now, for messages. */
static struct {
	const char *suite, *bench, *impl;
} now;

/* What an implementation gave: by metric, by round. */
struct series {
	bool wanted;
	double value[ROUNDS_METRICS][BENCH_ROUNDS_MOST];
};

_Noreturn void rounds_fail(const char *what)
{
	fprintf(stderr, "filch bench %s: %s %s: %s\n", now.suite, now.bench, now.impl,
	        what);
	exit(1);
}

_Noreturn void rounds_fail_errno(const char *what, int error)
{
	char text[256];

	snprintf(text, sizeof text, "%s: %s", what, strerror(error));
	rounds_fail(text);
}

void rounds_check(bool ok)
{
	if (!ok)
		rounds_fail("wrong answer");
}

bool rounds_skip(const char *why)
{
	fprintf(stderr, "filch bench %s: %s without %s: %s\n", now.suite, now.bench,
	        now.impl, why);
	return false;
}

void *rounds_allocate(size_t n, size_t size)
{
	void *p = calloc(n, size);

	if (!p)
		rounds_fail("there is not enough memory");
	return p;
}

void rounds_pause_ns(uint64_t ns)
{
	struct timespec t = {(time_t)(ns / 1000000000), (long)(ns % 1000000000)};

	while (nanosleep(&t, &t) && errno == EINTR)
		;
}

void rounds_percentiles(double *value, size_t n, double *out)
{
	out[0] = bench_median(value, n);
	out[1] = value[n * 99 / 100];
}

double rounds_status_gib(const char *name)
{
	FILE *f = fopen("/proc/self/status", "re");
	char line[256];
	double kib = 0;

	while (f && fgets(line, sizeof line, f))
		if (!strncmp(line, name, strlen(name)))
			kib = strtod(line + strlen(name), NULL);
	if (f)
		fclose(f);
	return kib / (1 << 20);
}

static struct filch_pool *pool_create(unsigned workers)
{
	struct filch_pool_options o = {.workers = workers};
	struct filch_pool *pool;
	const char *why;

	if (filch_pool_create(&pool, &o, &why))
		rounds_fail(why);
	return pool;
}

static void run_once(const struct rounds_bench *b, const struct rounds_impl *impl,
                     struct rounds_run run, size_t round, struct series *s)
{
	double out[ROUNDS_METRICS] = {0};
	int r;

	now.impl = impl->name;
	run.pool = impl->workers ? pool_create(impl->workers) : NULL;
	run.param = b->param;
	s->wanted = impl->run(&run, out);
	r = run.pool ? filch_pool_destroy(run.pool) : 0;
	if (r)
		rounds_fail_errno("the pool does not end", -r);
	for (size_t m = 0; m < ROUNDS_METRICS; m++)
		s->value[m][round] = out[m];
}

static double median_of(const struct series *s, size_t metric, size_t rounds)
{
	double copy[BENCH_ROUNDS_MOST];

	memcpy(copy, s->value[metric], sizeof copy);
	return bench_median(copy, rounds);
}

/* The best of those whose bits are set; ROUNDS_IMPLS if there is none. */
static size_t best_of(const struct rounds_bench *b, size_t bits, size_t metric,
                      size_t rounds, const struct series *s)
{
	size_t best = ROUNDS_IMPLS;
	double found = 0;

	for (size_t i = 0; i < ROUNDS_IMPLS; i++) {
		double value;

		if (!(bits >> i & 1) || !s[i].wanted)
			continue;
		value = median_of(&s[i], metric, rounds);
		if (best == ROUNDS_IMPLS || (value > found) == b->metric[metric].more) {
			best = i;
			found = value;
		}
	}
	return best;
}

static void report_pair(const struct bench_options *o, const struct rounds_bench *b,
                        const struct rounds_pair *p, size_t rounds,
                        const struct series *s)
{
	const double *mine = s[p->impl].value[p->metric], *other;
	bool slower = !strcmp(p->name, "overhead");
	const char *best = NULL;
	size_t to = p->to;

	if (to >= ROUNDS_BEST_PEER(1)) {
		best = to >= ROUNDS_BEST_OTHER(1) ? "best_other" : "best_peer";
		to = best_of(b, to >> 8 | to >> 16, p->metric, rounds, s);
	}
	if (to == ROUNDS_IMPLS || !s[p->impl].wanted || !s[to].wanted)
		return;
	other = s[to].value[p->metric];
	/* How many times as long; or how many times as fast. */
	if (slower == b->metric[p->metric].more) {
		const double *swap = mine;

		mine = other;
		other = swap;
	}
	bench_compared(o, now.suite, b->name, b->impl[p->impl].name,
	               best ? best : b->impl[to].name, p->name,
	               bench_median_ratio(mine, other, rounds));
	if (best && p == b->pair)
		bench_measured(o, now.suite, b->name, b->impl[to].name, best, 1, "");
}

static void report(const struct bench_options *o, const struct rounds_bench *b,
                   size_t rounds, const struct series *s)
{
	for (size_t i = 0; i < ROUNDS_IMPLS; i++)
		for (size_t m = 0; s[i].wanted && m < ROUNDS_METRICS && b->metric[m].name;
		     m++)
			bench_measured(o, now.suite, b->name, b->impl[i].name,
			               b->metric[m].name, median_of(&s[i], m, rounds),
			               b->metric[m].unit);
	for (const struct rounds_pair *p = b->pair; p < b->pair + ROUNDS_PAIRS && p->name;
	     p++)
		report_pair(o, b, p, rounds, s);
}

static void bench_one(const struct bench_options *o, const struct rounds_bench *b)
{
	size_t rounds = o->rounds ? o->rounds : o->quick ? b->quick_rounds : b->rounds;
	struct rounds_run run = {.size = o->quick ? b->quick : b->size,
	                         .quick = o->quick};
	static struct series s[ROUNDS_IMPLS];

	now.bench = b->name;
	for (size_t i = 0; i < ROUNDS_IMPLS; i++)
		s[i].wanted = b->impl[i].name &&
		              bench_wanted(o, now.suite, b->name, b->impl[i].name);
	for (size_t r = 0; r < rounds; r++)
		for (size_t k = 0; k < ROUNDS_IMPLS; k++) {
			/* There and back, so that nobody always comes after the same. */
			size_t i = r % 2 ? ROUNDS_IMPLS - 1 - k : k;

			if (s[i].wanted)
				run_once(b, &b->impl[i], run, r, &s[i]);
		}
	report(o, b, rounds, s);
}

int rounds_suite(const struct bench_options *o, const char *suite,
                 const struct rounds_bench *b, size_t n)
{
	now.suite = suite;
	for (size_t i = 0; i < n; i++)
		bench_one(o, &b[i]);
	return 0;
}
