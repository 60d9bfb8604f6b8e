/* SPDX-License-Identifier: MIT */
/*
 * filch bench queue: the single-queue experiments of BWoS section 6.2.1-2 and of EMPER's
 * analysis section 5.2, and the fine-grained fork-join spine on which that analysis saw
 * BWoS fail.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "bench/bench.h"
#include "bench/queue/run.h"

#define SUITE "queue"
#define SERIES_MOST 32
#define THIEVES_MOST 64

/* One implementation in one benchmark, over all rounds. */
struct series {
	char name[32];
	const struct queue_kind *kind;
	struct filch_queue_options queue;
	size_t thieves;
	struct pace pace[THIEVES_MOST];
	double value[BENCH_ROUNDS_MOST]; /* Mops/s, or seconds for the spine */
	struct slice sum;
};

struct bench {
	const struct bench_options *o;
	const char *name;
	struct series *s;
	size_t n, rounds, slice_ms;
	struct filch_queue_options shape;
};

static void bench_begin(struct bench *b, const struct bench_options *o, const char *name,
                        size_t rounds, size_t slice_ms)
{
	*b = (struct bench){.o = o, .name = name, .slice_ms = slice_ms};
	bench_shape(o, SUITE, 8192, &b->shape); /* run() has looked that it fits */
	b->s = aligned_alloc(FILCH_LINE, SERIES_MOST * sizeof *b->s); /* holds paces */
	if (!b->s)
		bench_fatal("out of memory", name);
	memset(b->s, 0, SERIES_MOST * sizeof *b->s);
	b->rounds = o->rounds ? o->rounds : o->quick ? 5 + rounds / 8 : rounds;
}

/* Adds an implementation if it is wanted; `variant` (may be "") is appended to its
 * name. */
static void bench_add(struct bench *b, const char *kind, const char *variant,
                      struct filch_queue_options queue, size_t thieves)
{
	struct series *s = &b->s[b->n];

	snprintf(s->name, sizeof s->name, "%s%s", kind, variant);
	if (!bench_wanted(b->o, SUITE, b->name, s->name))
		return;
	s->kind = queue_kind_find(kind);
	s->queue = queue;
	s->thieves = thieves;
	b->n++;
}

static struct series *bench_find(struct bench *b, const char *name)
{
	for (size_t i = 0; i < b->n; i++)
		if (!strcmp(b->s[i].name, name))
			return &b->s[i];
	return NULL;
}

/* The row "impl:to speedup" from throughputs, or "overhead" from times. */
static void bench_compare(struct bench *b, const char *impl, const char *to,
                          const char *metric)
{
	struct series *x = bench_find(b, impl), *y = bench_find(b, to);

	if (x && y)
		bench_compared(b->o, SUITE, b->name, impl, to, metric,
		               bench_median_ratio(x->value, y->value, b->rounds));
}

/* ---- fill and drain, alone or with thieves ---- */

static void add_slice(struct slice *sum, const struct slice *x)
{
	sum->seconds += x->seconds;
	sum->puts += x->puts;
	sum->gets += x->gets;
	sum->stolen += x->stolen;
	sum->ok += x->ok;
	sum->empty += x->empty;
	sum->lost += x->lost;
	for (size_t i = 0; i < LATENCY_BINS; i++)
		sum->latency[i] += x->latency[i];
}

/* All implementations, one slice each, round after round. Round 0 is for warming up:
 * caches, page tables, and the thieves' pace. */
static void run_fill_drain(struct bench *b)
{
	uint64_t slice_ms = b->o->slice_ms ? b->o->slice_ms : b->slice_ms;
	struct slice *slice = malloc(sizeof *slice);

	for (size_t r = 0; r <= b->rounds; r++) {
		for (size_t i = 0; i < b->n; i++) {
			struct series *s = &b->s[i];
			bool warm = r == 0 && s->thieves;
			uint64_t ops;

			s->kind->fill_drain(&s->queue, s->thieves, s->pace,
			                    slice_ms * 1000000 * (warm ? 10 : 1), r,
			                    slice);
			if (r == 0)
				continue;
			/* What is only watched is not taken, and so no operation. */
			ops = slice->puts + slice->gets;
			ops += s->kind->can_steal ? slice->stolen : 0;
			s->value[r - 1] = (double)ops * 1e-6 / slice->seconds;
			add_slice(&s->sum, slice);
		}
	}
	free(slice);
}

static double latency_at(const struct slice *s, double part)
{
	uint64_t all = 0, seen = 0;

	for (size_t i = 0; i < LATENCY_BINS; i++)
		all += s->latency[i];
	for (size_t i = 0; i < LATENCY_BINS; i++) {
		seen += s->latency[i];
		if ((double)seen >= part * (double)all)
			return 2 * (double)i + 1;
	}
	return 0;
}

static void report_thieves(struct bench *b, struct series *s)
{
	const struct slice *x = &s->sum;
	double steals = (double)(x->ok + x->empty + x->lost);
	const struct {
		const char *metric, *unit;
		double value;
	} row[] = {
		{"stolen", "% of entries", 100 * (double)x->stolen / (double)x->puts},
		{"batch", "at most", (double)s->pace[0].batch},
		{"ok", "% of steals", 100 * (double)x->ok / steals},
		{"empty", "% of steals", 100 * (double)x->empty / steals},
		{"lost", "% of steals", 100 * (double)x->lost / steals},
		{"steal_p50", "ns", latency_at(x, 0.5)},
		{"steal_p99", "ns", latency_at(x, 0.99)},
	};

	for (size_t i = 0; steals > 0 && i < sizeof row / sizeof *row; i++)
		bench_measured(b->o, SUITE, b->name, s->name, row[i].metric, row[i].value,
		               row[i].unit);
}

static void report_throughput(struct bench *b)
{
	for (size_t i = 0; i < b->n; i++) {
		struct series *s = &b->s[i];
		double copy[BENCH_ROUNDS_MOST];
		double mops = 1e-6 / s->sum.seconds;

		memcpy(copy, s->value, sizeof copy);
		bench_measured(b->o, SUITE, b->name, s->name, "throughput",
		               bench_median(copy, b->rounds), "Mops/s");
		bench_measured(b->o, SUITE, b->name, s->name, "put",
		               (double)s->sum.puts * mops, "Mops/s");
		bench_measured(b->o, SUITE, b->name, s->name, "get",
		               (double)s->sum.gets * mops, "Mops/s");
		if (s->thieves) {
			bench_measured(b->o, SUITE, b->name, s->name, "steal",
			               (double)s->sum.stolen * mops, "Mops/s");
			report_thieves(b, s);
		}
	}
}

static void bench_owner(const struct bench_options *o)
{
	struct bench b;

	bench_begin(&b, o, "owner", 97, 5);
	for (size_t i = 0; i < queue_kinds_n; i++)
		if (strcmp(queue_kinds[i].name, "watched_lifo"))
			bench_add(&b, queue_kinds[i].name, "", b.shape, 0);
	if (!b.n)
		goto free_series;
	run_fill_drain(&b);
	report_throughput(&b);
	bench_compare(&b, "bwos_lifo", "ideal_lifo", "speedup");
	bench_compare(&b, "bwos_fifo", "ideal_fifo", "speedup");
	bench_compare(&b, "bwos_lifo", "chase_lev", "speedup");
	bench_compare(&b, "bwos_lifo", "abp", "speedup");
	bench_compare(&b, "bwos_lifo", "locked", "speedup");
	bench_compare(&b, "bwos_fifo", "runq", "speedup");
free_series:
	free(b.s);
}

static void set_pace(struct bench *b, double ticks_ns, double percent)
{
	size_t most = b->o->batch ? b->o->batch : 1024;

	for (size_t i = 0; i < b->n; i++)
		for (size_t t = 0; t < b->s[i].thieves; t++)
			b->s[i].pace[t] = (struct pace){
				.share = percent / 100 / (double)b->s[i].thieves,
				.hz = b->o->steal_hz,
				.idle = 200,
				.ticks_ns = ticks_ns,
				.batch = b->o->batch ? b->o->batch : 1,
				.batch_most = most,
			};
}

static void bench_stolen(const struct bench_options *o, double ticks_ns, double percent)
{
	size_t thieves = o->thieves ? o->thieves : 1;
	char name[32];
	struct bench b;

	if (o->steal_hz > 0)
		snprintf(name, sizeof name, "hz%.0f", o->steal_hz);
	else
		snprintf(name, sizeof name, "stolen%g", percent);
	bench_begin(&b, o, name, 15, 40);
	for (size_t i = 0; i < queue_kinds_n; i++)
		if (queue_kinds[i].can_steal)
			bench_add(&b, queue_kinds[i].name, "", b.shape, thieves);
	bench_add(&b, "bwos_lifo", "@0", b.shape, 0);
	bench_add(&b, "bwos_fifo", "@0", b.shape, 0);
	bench_add(&b, "ideal_lifo", "", b.shape, 0);
	bench_add(&b, "ideal_fifo", "", b.shape, 0);
	bench_add(&b, "watched_lifo", "", b.shape, thieves);
	if (!b.n)
		goto free_series;
	set_pace(&b, ticks_ns, percent);
	run_fill_drain(&b);
	report_throughput(&b);
	bench_compare(&b, "bwos_lifo", "abp", "speedup");
	bench_compare(&b, "bwos_lifo", "chase_lev", "speedup");
	bench_compare(&b, "bwos_lifo", "locked", "speedup");
	bench_compare(&b, "bwos_lifo", "bwos_lifo@0", "speedup");
	bench_compare(&b, "bwos_lifo", "ideal_lifo", "speedup");
	bench_compare(&b, "bwos_fifo", "runq", "speedup");
	bench_compare(&b, "bwos_fifo", "bwos_fifo@0", "speedup");
	bench_compare(&b, "bwos_fifo", "ideal_fifo", "speedup");
	bench_compare(&b, "watched_lifo", "ideal_lifo", "speedup");
free_series:
	free(b.s);
}

/* ---- spine ---- */

/* Turns of spin_turns() that take about `ns`. */
static uint64_t turns_for(double ns)
{
	const uint64_t turns = 20000000;
	uint64_t t0 = filch__now_ns();

	spin_turns(turns);
	return (uint64_t)(ns * (double)turns / (double)(filch__now_ns() - t0));
}

static double median_of(const struct series *s, size_t rounds)
{
	double copy[BENCH_ROUNDS_MOST];

	memcpy(copy, s->value, sizeof copy);
	return bench_median(copy, rounds);
}

static void bench_spine(const struct bench_options *o)
{
	static const size_t sizes[] = {8, 16, 64, 256};
	const size_t items = o->quick ? 4000 : 10000;
	struct series *worst = NULL, *best = NULL;
	struct bench b;
	uint64_t turns;

	bench_begin(&b, o, "spine", 31, 0);
	for (size_t i = 0; i < 4; i++) {
		char variant[16];

		snprintf(variant, sizeof variant, "@%zu", sizes[i]);
		bench_add(&b, "bwos_lifo", variant,
		          (struct filch_queue_options){sizes[i], 8, false, 0}, 1);
	}
	bench_add(&b, "chase_lev", "", (struct filch_queue_options){64, 8, false, 0}, 1);
	bench_add(&b, "abp", "", (struct filch_queue_options){1024, 64, false, 0}, 1);
	bench_add(&b, "locked", "", (struct filch_queue_options){64, 8, false, 0}, 1);
	if (!b.n)
		goto free_series;
	turns = turns_for(1000);
	for (size_t r = 0; r <= b.rounds; r++)
		for (size_t i = 0; i < b.n; i++) {
			struct series *s = &b.s[i];
			uint64_t stolen;
			double t = s->kind->spine(&s->queue, items, turns, &stolen);

			if (r == 0)
				continue;
			s->value[r - 1] = t;
			s->sum.stolen += stolen;
			s->sum.puts += items;
		}
	for (size_t i = 0; i < b.n; i++) {
		struct series *s = &b.s[i];
		double t = median_of(s, b.rounds);

		bench_measured(o, SUITE, b.name, s->name, "time", t * 1e3, "ms");
		bench_measured(o, SUITE, b.name, s->name, "stolen",
		               100.0 * (double)s->sum.stolen / (double)s->sum.puts,
		               "% of entries");
		if (strncmp(s->name, "bwos_lifo@", 10))
			continue;
		if (!worst || t > median_of(worst, b.rounds))
			worst = s;
		if (!best || t < median_of(best, b.rounds))
			best = s;
	}
	if (worst) {
		struct series *cl = bench_find(&b, "chase_lev");

		bench_compared(o, SUITE, b.name, "bwos_lifo@worst", "bwos_lifo@best",
		               "overhead",
		               bench_median_ratio(worst->value, best->value, b.rounds));
		if (cl)
			bench_compared(
				o, SUITE, b.name, "bwos_lifo@worst", "chase_lev",
				"overhead",
				bench_median_ratio(worst->value, cl->value, b.rounds));
	}
free_series:
	free(b.s);
}

static int run(const struct bench_options *o)
{
	double ticks_ns = o->list ? 1 : filch__ticks_per_ns();
	struct filch_queue_options shape;

	if (!bench_shape(o, SUITE, 8192, &shape))
		return 2;
	if (o->thieves > THIEVES_MOST) {
		fprintf(stderr, "filch bench queue: --thieves takes at most %d\n",
		        THIEVES_MOST);
		return 2;
	}
	bench_pin(0);
	bench_owner(o);
	if (o->stolen >= 0 || o->steal_hz > 0) {
		bench_stolen(o, ticks_ns, o->stolen);
	} else {
		bench_stolen(o, ticks_ns, 1);
		bench_stolen(o, ticks_ns, 10);
		bench_stolen(o, ticks_ns, 20);
	}
	bench_spine(o);
	return 0;
}

const struct bench_suite bench_queue_suite = {
	.name = "queue",
	.text = "one queue: its owner alone, with thieves, and on fine-grained fork-join",
	.run = run};
