/* SPDX-License-Identifier: MIT */
/*
 * filch bench envelope: for which sizes, at which moments and for which callers somebody else
 * would have been better. A cell is a kind (a loop or a tree of 64 equal leaves, called in a
 * task or from main()), the work of all leaves together, and the serial time before it. Each
 * back end is a process that lives for a round and is stopped between its turns; in each cell
 * they take turns one after the other. A leaf is so many steps, found once, so that no clock
 * is read in it; all sums must agree.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/quota.h"
#include "bench/envelope/child.h"
#include "bench/envelope/run.h"

#define US 1e3
#define MS 1e6

#define PROBES 40
#define PROBE_STEPS 4000u
#define CORRECTIONS 3
#define CORRECTED (300 * US) /* longer work is as long as its steps */

#define SLICE (50 * MS) /* of a turn */
#define SLICE_QUICK (12 * MS)
#define SHORT (21 * MS) /* repetitions of at most this come three times or more */
#define REPETITIONS 1000

#define WARM 6            /* the work of repetitions before a turn, at most: 1 ms */
#define ACTIVE (100 * US) /* the longest gap at which a peer may spin */

const char *const envelope_kinds[ENVELOPE_KINDS] = {"forout", "for", "tree", "treeout"};

const struct envelope_span envelope_works[ENVELOPE_WORKS] = {
	{"1us", 1 * US},     {"3us", 3 * US},     {"10us", 10 * US},  {"30us", 30 * US},
	{"100us", 100 * US}, {"300us", 300 * US}, {"1ms", 1 * MS},    {"3ms", 3 * MS},
	{"10ms", 10 * MS},   {"30ms", 30 * MS},   {"100ms", 100 * MS}};

const struct envelope_span envelope_gaps[ENVELOPE_GAPS] = {
	{"0", 0}, {"100us", 100 * US}, {"1ms", 1 * MS}, {"10ms", 10 * MS}};

enum { SERIAL, FILCH_ONE, FILCH_ALL, TBB, OPENMP, OPENMP_ACTIVE, BACK_ENDS };

static const struct back_end {
	const char *name;
	const char *peer;   /* its program; NULL: the command */
	const char *policy; /* of an OpenMP that waits */
	char letter;        /* in the map */
	bool one;           /* one worker */
} back_ends[BACK_ENDS] = {
	{"serial", NULL, "", 'c', true},
	{"filch@1", NULL, "", 0, true},
	{"filch", NULL, "", 0, false},
	{"tbb", "tbb", "", 't', false},
	{"openmp", "openmp", "passive", 'o', false},
	{"openmp_active", "openmp", "active", 'a', false},
};

struct cell {
	char name[32];
	size_t kind, work; /* indices */
	double gap;        /* ns */
	bool wanted[BACK_ENDS];
	double ns[BACK_ENDS][BENCH_ROUNDS_MOST];
};

struct state {
	const struct bench_options *o;
	unsigned workers;
	size_t rounds;
	double steps_per_ns;
	uint64_t leaf_steps[ENVELOPE_WORKS];
	struct cell cell[ENVELOPE_CELLS];
	bool wanted[BACK_ENDS]; /* in some cell */
	struct envelope_child child[BACK_ENDS];
	double seconds[BACK_ENDS][BENCH_ROUNDS_MOST]; /* of processors */
};

static _Noreturn void fail(const char *cell, const char *impl, const char *what)
{
	fprintf(stderr, "filch bench " ENVELOPE_SUITE ": %s %s: %s\n", cell, impl, what);
	exit(1);
}

/* ---- what is measured ---- */

static unsigned processors(void)
{
	struct filch__cpus cpus;

	return filch__cpus_read(&cpus, "") ? 1 : filch__cpus_usable(&cpus);
}

/* The best time of some: 64 leaves of so many steps each, in plain C. */
static double plain_ns(uint64_t steps)
{
	double best = 1e300;

	for (uint64_t i = 0; i < PROBES; i++) {
		uint64_t start = filch__now_ns(), sum = 0;

		for (uint64_t leaf = 0; leaf < ENVELOPE_LEAVES; leaf++)
			sum += envelope_steps(i + leaf, steps);
		__asm__ volatile("" : : "r"(sum));
		best = fmin(best, (double)(filch__now_ns() - start));
	}
	return best;
}

/* Finds how many steps take how long. Where leaves are short a processor does several at the
 * same time, so that more steps are needed. */
static void calibrate(struct state *t)
{
	t->steps_per_ns = ENVELOPE_LEAVES * PROBE_STEPS / plain_ns(PROBE_STEPS);
	for (size_t w = 0; w < ENVELOPE_WORKS; w++) {
		double ns = envelope_works[w].ns;
		double leaf = ns * t->steps_per_ns / ENVELOPE_LEAVES;

		for (int i = 0; i < CORRECTIONS && ns <= CORRECTED; i++)
			leaf *= ns / plain_ns((uint64_t)lround(leaf));
		t->leaf_steps[w] = (uint64_t)lround(leaf);
	}
}

static bool is_there(const struct back_end *b)
{
	char path[4096];

	return !b->peer || bench_peer(b->peer, path, sizeof path);
}

static void cells_init(struct state *t)
{
	for (size_t i = 0; i < ENVELOPE_CELLS; i++) {
		struct cell *c = &t->cell[i];
		size_t row = i / ENVELOPE_WORKS;
		const struct envelope_span *gap = &envelope_gaps[row % ENVELOPE_GAPS];

		c->kind = row / ENVELOPE_GAPS;
		c->work = i % ENVELOPE_WORKS;
		c->gap = gap->ns;
		snprintf(c->name, sizeof c->name, "%s_%s_%s", envelope_kinds[c->kind],
		         envelope_works[c->work].name, gap->name);
		for (size_t b = 0; b < BACK_ENDS; b++) {
			c->wanted[b] = is_there(&back_ends[b]) &&
			               (b != OPENMP_ACTIVE || c->gap <= ACTIVE) &&
			               bench_wanted(t->o, ENVELOPE_SUITE, c->name,
			                            back_ends[b].name);
			t->wanted[b] |= c->wanted[b];
		}
	}
}

/* ---- rounds ---- */

/* Starts its process, and the threads in it. */
static void start(struct state *t, size_t b)
{
	const struct back_end *e = &back_ends[b];
	struct envelope_turn first[ENVELOPE_KINDS];
	struct envelope_answer answer;
	char workers[16], path[4096], self[] = "/proc/self/exe";
	char bench[] = "bench", turns[] = "--envelope-turns";
	char *own[] = {self, bench, turns, (char *)(b == SERIAL ? "serial" : "filch"),
	               NULL};
	char *peer[] = {path, turns + 2, workers, NULL};
	const char *const variables[] = {
		"FILCH_WORKERS", workers, "OMP_NUM_THREADS", workers, "OMP_WAIT_POLICY",
		e->policy,       NULL};

	for (size_t k = 0; k < ENVELOPE_KINDS; k++)
		first[k] = (struct envelope_turn){k, t->leaf_steps[WARM], 0, 5};
	snprintf(workers, sizeof workers, "%u", e->one ? 1 : t->workers);
	if (e->peer && !bench_peer(e->peer, path, sizeof path))
		fail("all", e->name, "its program is gone");
	if (!envelope_child_start(&t->child[b], e->peer ? peer : own, variables))
		fail("all", e->name, "it cannot be started");
	if (envelope_child_ask(&t->child[b], first, ENVELOPE_KINDS, &answer) < 0)
		fail("all", e->name, "its program failed");
}

static uint64_t repetitions(const struct state *t, const struct cell *c)
{
	double ns = envelope_works[c->work].ns + c->gap;
	double n = (t->o->quick ? SLICE_QUICK : SLICE) / ns;
	double least = ns <= SHORT ? 3 : 1;

	return (uint64_t)fmin(fmax(n, least), REPETITIONS);
}

/* What runs before the turn leaves threads and caches as they are amid repetitions. */
static void take_turn(struct state *t, struct cell *c, size_t b, size_t round,
                      struct envelope_answer *a)
{
	uint64_t gap = (uint64_t)lround(c->gap * t->steps_per_ns);
	struct envelope_turn turns[] = {
		{c->kind, t->leaf_steps[c->work < WARM ? c->work : WARM], 0, 2},
		{c->kind, t->leaf_steps[c->work], gap, repetitions(t, c)},
	};
	double seconds = envelope_child_ask(&t->child[b], turns, 2, a);

	if (seconds < 0)
		fail(c->name, back_ends[b].name, "its program failed");
	t->seconds[b][round] += seconds;
	c->ns[b][round] = (double)a->ns;
}

static void measure_cell(struct state *t, struct cell *c, size_t round)
{
	struct envelope_answer first = {0, 0};

	for (size_t k = 0; k < BACK_ENDS; k++) {
		/* There and back, so that nobody always comes after the same. */
		size_t b = round % 2 ? BACK_ENDS - 1 - k : k;
		struct envelope_answer a;

		if (!c->wanted[b])
			continue;
		take_turn(t, c, b, round, &a);
		if (first.ns && a.sum != first.sum)
			fail(c->name, back_ends[b].name, "wrong answer");
		first = a;
	}
}

static void measure_round(struct state *t, size_t round)
{
	bool tells = isatty(STDERR_FILENO);

	for (size_t b = 0; b < BACK_ENDS; b++)
		if (t->wanted[b])
			start(t, b);
	for (size_t i = 0; i < ENVELOPE_CELLS; i++) {
		measure_cell(t, &t->cell[i], round);
		if (tells)
			fprintf(stderr, "\r\033[Kround %zu of %zu: %zu of %d cells",
			        round + 1, t->rounds, i + 1, ENVELOPE_CELLS);
	}
	if (tells)
		fputs("\r\033[K", stderr);
	for (size_t b = 0; b < BACK_ENDS; b++)
		if (t->wanted[b])
			envelope_child_end(&t->child[b]);
}

/* ---- what is told ---- */

static double median(const struct state *t, const struct cell *c, size_t b)
{
	double copy[BENCH_ROUNDS_MOST];

	memcpy(copy, c->ns[b], sizeof copy);
	return bench_median(copy, t->rounds);
}

/* The one that takes the least time, of plain C alone for one worker, where no peer can be
 * faster; SERIAL if there is none. */
static size_t best_for(const struct state *t, const struct cell *c, size_t b)
{
	size_t best = SERIAL;

	for (size_t i = TBB; i < BACK_ENDS && b != FILCH_ONE; i++)
		if (c->wanted[i] &&
		    (!c->wanted[best] || median(t, c, i) < median(t, c, best)))
			best = i;
	return best;
}

/* Says of one cell what it is in JSON; a person has the map. */
static void report_cell(const struct state *t, const struct cell *c, size_t b,
                        struct envelope_shade *shade)
{
	size_t best = best_for(t, c, b);

	if (!c->wanted[b] || !c->wanted[best])
		return;
	shade->best = back_ends[best].letter;
	shade->overhead = bench_median_ratio(c->ns[b], c->ns[best], t->rounds);
	if (!t->o->json)
		return;
	bench_compared(t->o, ENVELOPE_SUITE, c->name, back_ends[b].name, "best",
	               "overhead", shade->overhead);
	if (b == FILCH_ALL)
		bench_measured(t->o, ENVELOPE_SUITE, c->name, back_ends[best].name,
		               "best", 1, "");
}

static void report_times(const struct state *t)
{
	for (const struct cell *c = t->cell; c < t->cell + ENVELOPE_CELLS; c++)
		for (size_t b = 0; b < BACK_ENDS; b++)
			if (c->wanted[b])
				bench_measured(t->o, ENVELOPE_SUITE, c->name,
				               back_ends[b].name, "time",
				               median(t, c, b) / US, "us");
}

/* The geometric mean over the cells, and the largest of them. */
static void report_sums(const struct state *t, size_t b,
                        const struct envelope_shade *shade)
{
	double log_sum = 0, n = 0;
	size_t worst = 0;

	for (size_t i = 0; i < ENVELOPE_CELLS; i++) {
		if (shade[i].overhead <= 0)
			continue;
		log_sum += log(shade[i].overhead);
		n++;
		if (shade[i].overhead > shade[worst].overhead)
			worst = i;
	}
	if (n == 0)
		return;
	if (!t->o->json) {
		printf("mean %.3f over %g cells; worst %.2f: %s\n", exp(log_sum / n), n,
		       shade[worst].overhead, t->cell[worst].name);
		return;
	}
	bench_compared(t->o, ENVELOPE_SUITE, "mean", back_ends[b].name, "best",
	               "overhead", exp(log_sum / n));
	bench_measured(t->o, ENVELOPE_SUITE, "mean", back_ends[b].name, "cells", n, "");
	bench_compared(t->o, ENVELOPE_SUITE, "worst", back_ends[b].name, "best",
	               "overhead", shade[worst].overhead);
	bench_measured(t->o, ENVELOPE_SUITE, t->cell[worst].name, back_ends[b].name,
	               "worst", 1, "");
}

static void report_kind(const struct state *t, size_t b)
{
	static struct envelope_shade shade[ENVELOPE_CELLS];
	char title[256];

	memset(shade, 0, sizeof shade);
	for (size_t i = 0; i < ENVELOPE_CELLS; i++)
		report_cell(t, &t->cell[i], b, &shade[i]);
	if (b == FILCH_ONE)
		snprintf(title, sizeof title,
		         "filch, 1 worker: times as long as plain C (c)");
	else
		snprintf(title, sizeof title,
		         "filch, %u workers: times as long as the best of plain C (c), "
		         "oneTBB (t),\nOpenMP that waits (o) and, with gaps to 100 us, "
		         "that spins (a)",
		         t->workers);
	if (!t->o->json)
		envelope_map(title, shade);
	report_sums(t, b, shade);
}

/* Whether the two took turns in the same cells. */
static bool same_cells(const struct state *t, size_t one, size_t other)
{
	for (size_t i = 0; i < ENVELOPE_CELLS; i++)
		if (t->cell[i].wanted[one] != t->cell[i].wanted[other])
			return false;
	return t->wanted[one];
}

/* Processor time, of repetitions, gaps and what goes on after them. */
static void report_processors(const struct state *t)
{
	for (size_t b = 0; b < OPENMP_ACTIVE; b++) { /* which has fewer cells */
		double copy[BENCH_ROUNDS_MOST];

		memcpy(copy, t->seconds[b], sizeof copy);
		if (t->wanted[b])
			bench_measured(t->o, ENVELOPE_SUITE, "cpu", back_ends[b].name,
			               "time", bench_median(copy, t->rounds), "s");
	}
	for (size_t b = TBB; b < BACK_ENDS; b++)
		if (same_cells(t, FILCH_ALL, b))
			bench_compared(t->o, ENVELOPE_SUITE, "cpu",
			               back_ends[FILCH_ALL].name, back_ends[b].name,
			               "overhead",
			               bench_median_ratio(t->seconds[FILCH_ALL],
			                                  t->seconds[b], t->rounds));
}

static int run(const struct bench_options *o)
{
	struct state *t = calloc(1, sizeof *t);
	unsigned usable = processors();
	bool any = false;

	if (!t)
		return 1;
	t->o = o;
	t->workers = o->workers ? (unsigned)o->workers : usable > 2 ? usable : 2;
	t->rounds = o->rounds ? o->rounds : o->quick ? 1 : 3;
	for (size_t b = TBB; b <= OPENMP; b++)
		if (!is_there(&back_ends[b]))
			bench_peer_missing(back_ends[b].name);
	cells_init(t);
	for (size_t b = 0; b < BACK_ENDS; b++)
		any |= t->wanted[b];
	if (any) {
		calibrate(t);
		for (size_t r = 0; r < t->rounds; r++)
			measure_round(t, r);
		if (o->json)
			report_times(t);
		report_kind(t, FILCH_ONE);
		report_kind(t, FILCH_ALL);
		report_processors(t);
	}
	free(t);
	return 0;
}

int envelope_turns(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "serial"))
		return envelope_serve_serial(1);
	if (argc == 2 && !strcmp(argv[1], "filch"))
		return envelope_serve_filch(0);
	return 2;
}

const struct bench_suite bench_envelope_suite = {
	.name = ENVELOPE_SUITE,
	.text = "which sizes, gaps and callers somebody else would serve better",
	.run = run};
