/* SPDX-License-Identifier: MIT */
/*
 * filch bench app: whole programs, one source each, the back end swapped (bench/seam).
 * Every answer is checked against the serial program's. A run of a Filch back end has a
 * pool of its own, made before and ended after what is timed; peers run as processes of
 * their own (bench/app/peer.c).
 *
 * Where a spawn is nearly all there is (fib), the peers and the eager mode take a hundred
 * times as long: these run a smaller problem, under a name of its own (fib_small), with
 * the serial program and Filch at that size beside them.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/app/app.h"
#include "bench/app/pool.h"
#include "bench/app/run.h"
#include "bench/bench.h"

#define SUITE APP_SUITE

uint64_t app_spawns; /* of the back end that counts */

/* What is run of a benchmark. */
enum {
	CORE = 1,   /* Filch with 1, N and 8 workers, by signal and polled */
	EAGER = 2,  /* every spawn in a queue, for each kind of queue: as peers */
	BLOCKS = 4, /* the same for each block size */
	PEERS = 8,
	SMALL = 16,     /* what the others are compared with at a small size */
	EIGHT = 32,     /* counts in mean8 */
	TINY = 64,      /* too small to share: N workers are compared with one */
	COMPILED = 128, /* both by one compiler at one level, whatever made this command */
};

/* fib by each compiler; NULL if the build did not find it. */
#define COMPILERS(X) X(gcc_O2) X(gcc_O3) X(clang_O2) X(clang_O3)
#define DECLARE(c)                                                        \
	extern const struct app app_fib_serial_##c __attribute__((weak)), \
		app_fib_filch_##c __attribute__((weak));
COMPILERS(DECLARE)
#undef DECLARE

static const struct compiled {
	const char *bench;
	const struct app *serial, *filch;
} compiled[] = {
#define ROW(c) {"fib_" #c, &app_fib_serial_##c, &app_fib_filch_##c},
	COMPILERS(ROW)
#undef ROW
		{NULL, NULL, NULL}};

static const struct bench {
	const char *name, *program;
	size_t size, quick;
	unsigned what;
} benches[] = {
	{"fib", "fib", 40, 35, CORE | EIGHT},
	{"integrate", "integrate", 25000000, 25000, CORE | EIGHT},
	{"jacobi", "jacobi", 300, 30, CORE | EAGER | PEERS | EIGHT},
	{"matmul", "matmul", 1024, 512, CORE | EAGER | PEERS | EIGHT},
	{"nqueens", "nqueens", 13, 11, CORE | EIGHT},
	{"quicksort", "quicksort", 10000000, 1000000,
         CORE | EAGER | BLOCKS | PEERS | EIGHT},
	{"lu", "lu", 2048, 512, CORE | EAGER | PEERS | EIGHT},
	{"heat", "heat", 60, 6, CORE | EAGER | PEERS | EIGHT},
	{"uts", "uts", 40000, 10000, CORE},
	{"spawn", "spawn", 100000000, 10000000, CORE},
	{"tree1023", "tree1023", 200000, 5000, CORE | TINY},
	{"tree16m", "tree16m", 24, 18, CORE},
#define ROW(c) {"fib_" #c, "fib", 40, 35, COMPILED},
	COMPILERS(ROW)
#undef ROW
		{"fib_small", "fib", 30, 25, SMALL | EAGER | PEERS},
	{"integrate_small", "integrate", 5000, 50, SMALL | EAGER | PEERS},
	{"nqueens_small", "nqueens", 11, 9, SMALL | EAGER | PEERS},
	{"uts_small", "uts", 2000, 1000, SMALL | EAGER | PEERS},
	{"spawn_small", "spawn", 1000000, 100000, SMALL | EAGER | PEERS},
};
#define BENCHES (sizeof benches / sizeof *benches)

static const struct variant {
	const char *name;
	const struct app *const *table; /* NULL: a peer */
	unsigned workers;               /* 0: as --workers says */
	unsigned what;
	const char *queue; /* Filch with this queue, as a peer; else NULL */
	size_t block_size;
} variants[] = {
	{"serial", app_table_serial, 1, CORE | SMALL | COMPILED, NULL, 0},
	{"filch", app_table_filch, 1, CORE | COMPILED, NULL, 0},
	{"filch", app_table_filch, 0, CORE | SMALL | COMPILED, NULL, 0},
	{"filch", app_table_filch, 8, CORE, NULL, 0},
	{"poll", app_table_poll, 1, CORE, NULL, 0},
	{"poll", app_table_poll, 0, CORE, NULL, 0},
	{"eager_bwos_lifo", NULL, 0, EAGER, "bwos_lifo", 0},
	{"eager_bwos_fifo", NULL, 0, EAGER, "bwos_fifo", 0},
	{"eager_chase_lev", NULL, 0, EAGER, "chase_lev", 0},
	{"eager_abp", NULL, 0, EAGER, "abp", 0},
	{"eager_runq", NULL, 0, EAGER, "runq", 0},
	{"eager_locked", NULL, 0, EAGER, "locked", 0},
	{"bwos_lifo", NULL, 0, BLOCKS, "bwos_lifo", 8},
	{"bwos_lifo", NULL, 0, BLOCKS, "bwos_lifo", 16},
	{"bwos_lifo", NULL, 0, BLOCKS, "bwos_lifo", 64},
	{"bwos_lifo", NULL, 0, BLOCKS, "bwos_lifo", 256},
	{"openmp", NULL, 0, PEERS, NULL, 0},
	{"libomp", NULL, 0, PEERS, NULL, 0},
	{"tbb", NULL, 0, PEERS, NULL, 0},
};
#define VARIANTS (sizeof variants / sizeof *variants)

struct series {
	const struct variant *v;
	const struct app *app; /* NULL: a peer */
	char name[32];
	unsigned workers;
	bool wanted;
	double seconds[BENCH_ROUNDS_MOST];
	struct filch_stats counters; /* over all rounds */
};

/* A benchmark in the course of its rounds. */
struct state {
	const struct bench_options *o;
	const struct bench *b;
	size_t size, rounds;
	uint64_t answer, tasks;
	struct series s[VARIANTS];
};

/* Sums of logarithms over the eight programs, for the ratios to serial. */
static struct mean {
	double log;
	int n;
} means[VARIANTS];

static bool is_filch(const struct series *s)
{
	return s->v->queue || (s->app && s->v->table != app_table_serial);
}

/* The peer's program. */
static const char *peer_name(const struct variant *v)
{
	return v->queue ? v->queue : v->name;
}

static _Noreturn void fail(const struct state *t, const struct series *s,
                           const char *what)
{
	fprintf(stderr, "filch bench app: %s %s: %s\n", t->b->name, s->name, what);
	exit(1);
}

/* Adds the counters that a Filch with another queue prints. */
static bool read_counters(FILE *out, struct filch_stats *sum)
{
	unsigned long long n;
	bool ok = true;

#define READ(name, text)                         \
	ok = ok && fscanf(out, "%llu", &n) == 1; \
	sum->name += ok ? n : 0;
	FILCH_COUNTERS(READ)
#undef READ
	return ok;
}

static uint64_t run_peer(const struct state *t, struct series *s, uint64_t *answer)
{
	char path[4096], line[4352];
	unsigned long long a, ns;
	FILE *out;

	if (!bench_peer(peer_name(s->v), path, sizeof path))
		fail(t, s, "its program is gone");
	snprintf(line, sizeof line, "exec '%s' %s %zu %u %zu", path, t->b->program,
	         t->size, s->workers, s->v->block_size);
	out = popen(line, "r");
	if (!out || fscanf(out, "%llu %llu", &a, &ns) != 2 ||
	    (s->v->queue && !read_counters(out, &s->counters)) || pclose(out))
		fail(t, s, "its program failed");
	*answer = a;
	return ns;
}

static uint64_t run_filch(const struct state *t, struct series *s, uint64_t *answer)
{
	struct filch_pool_options o = {
		.workers = s->workers,
		.ask = s->v->table == app_table_poll ? "poll" : NULL,
	};
	void *pool = app_pool_create(&o);
	uint64_t ns;

	if (!pool)
		exit(1);
	ns = app_run(s->app, t->size, pool, answer);
	app_pool_destroy(pool, &s->counters);
	return ns;
}

static void run_once(const struct state *t, struct series *s, size_t round)
{
	uint64_t answer = 0, ns;

	if (!s->app)
		ns = run_peer(t, s, &answer);
	else if (is_filch(s))
		ns = run_filch(t, s, &answer);
	else
		ns = app_run(s->app, t->size, NULL, &answer);
	if (answer != t->answer)
		fail(t, s, "wrong answer");
	s->seconds[round] = (double)ns * 1e-9;
}

static void series_init(struct state *t, size_t i, unsigned workers)
{
	const struct variant *v = &variants[i];
	struct series *s = &t->s[i];
	char path[4096];

	s->v = v;
	s->workers = v->workers ? v->workers : workers;
	s->app = v->table ? app_find(v->table, t->b->program) : NULL;
	for (const struct compiled *c = compiled; c->bench; c++)
		if (!strcmp(c->bench, t->b->name))
			s->app = v->table == app_table_serial ? c->serial : c->filch;
	if (v->table == app_table_serial)
		snprintf(s->name, sizeof s->name, "%s", v->name);
	else
		snprintf(s->name, sizeof s->name, "%s@%zu", v->name,
		         v->block_size ? v->block_size : s->workers);
	if (!(v->what & t->b->what) ||
	    (v->workers == workers && v->table != app_table_serial) ||
	    (t->b->what & COMPILED && !s->app) ||
	    (!v->table && !bench_peer(peer_name(v), path, sizeof path)))
		return;
	s->wanted = bench_wanted(t->o, SUITE, t->b->name, s->name);
}

/* The first wanted series called `name` with so many workers; NULL if there is none. */
static struct series *find(struct state *t, const char *name, unsigned workers)
{
	for (size_t i = 0; i < VARIANTS; i++) {
		struct series *s = &t->s[i];

		if (s->wanted && s->workers == workers && !strcmp(s->v->name, name))
			return s;
	}
	return NULL;
}

static void report_measured(struct state *t, struct series *s)
{
	const char *bench = t->b->name;
	double copy[BENCH_ROUNDS_MOST];

	memcpy(copy, s->seconds, sizeof copy);
	bench_measured(t->o, SUITE, bench, s->name, "time", bench_median(copy, t->rounds),
	               "s");
	bench_measured(t->o, SUITE, bench, s->name, "tasks", (double)t->tasks, "");
	if (!is_filch(s))
		return;
	bench_measured(
		t->o, SUITE, bench, s->name, "steal_ratio",
		(double)s->counters.stolen / ((double)t->tasks * (double)t->rounds), "");
	if (!t->o->stats)
		return;
#define ROW(name_, text)                                    \
	bench_measured(t->o, SUITE, bench, s->name, #name_, \
	               (double)s->counters.name_ / (double)t->rounds, "");
	FILCH_COUNTERS(ROW)
#undef ROW
}

/* One worker: how much longer than `to`; several: how many times faster. */
static void report_pair(struct state *t, struct series *s, struct series *to, bool slower)
{
	if (s && to)
		bench_compared(
			t->o, SUITE, t->b->name, s->name, to->name,
			slower ? "overhead" : "speedup",
			slower ? bench_median_ratio(s->seconds, to->seconds, t->rounds)
			       : bench_median_ratio(to->seconds, s->seconds, t->rounds));
}

static void add_to_mean(const struct state *t, size_t i, const struct series *serial)
{
	const struct series *s = &t->s[i];

	if (!(t->b->what & EIGHT) || !(s->v->what & CORE))
		return;
	means[i].log += log(bench_median_ratio(s->seconds, serial->seconds, t->rounds));
	means[i].n++;
}

/* The worst block size of a queue that should not care, against one without blocks. */
static void report_blocks(struct state *t, unsigned workers)
{
	struct series *cl = find(t, "eager_chase_lev", workers);
	double worst = 0;

	for (size_t i = 0; i < VARIANTS && cl; i++)
		if (t->s[i].wanted && t->s[i].v->what & BLOCKS)
			worst = fmax(worst, bench_median_ratio(t->s[i].seconds,
			                                       cl->seconds, t->rounds));
	if (worst > 0)
		bench_compared(t->o, SUITE, t->b->name, "bwos_lifo@worst",
		               "chase_lev@best", "overhead", worst);
}

static void report(struct state *t, unsigned workers)
{
	struct series *serial = find(t, "serial", 1), *filch = find(t, "filch", workers);

	for (size_t i = 0; i < VARIANTS; i++)
		if (t->s[i].wanted)
			report_measured(t, &t->s[i]);
	for (size_t i = 0; i < VARIANTS && serial; i++) {
		struct series *s = &t->s[i];

		if (!s->wanted || s == serial)
			continue;
		report_pair(t, s, serial, s->workers == 1);
		add_to_mean(t, i, serial);
	}
	for (size_t i = 0; i < VARIANTS && filch; i++)
		if (t->s[i].wanted && !t->s[i].app && !t->s[i].v->queue)
			report_pair(t, filch, &t->s[i], false);
	if (workers != 8)
		report_pair(t, find(t, "filch", 8), filch, true);
	if (workers != 1 && t->b->what & TINY)
		report_pair(t, filch, find(t, "filch", 1), true);
	report_blocks(t, workers);
}

static void bench_one(const struct bench_options *o, const struct bench *b,
                      unsigned workers)
{
	struct state *t = calloc(1, sizeof *t);
	bool any = false;

	if (!t)
		exit(1);
	t->o = o;
	t->b = b;
	t->size = o->quick ? b->quick : b->size;
	t->rounds = o->rounds ? o->rounds : o->quick ? 2 : 5;
	for (size_t i = 0; i < VARIANTS; i++) {
		series_init(t, i, workers);
		any |= t->s[i].wanted;
	}
	if (any) {
		app_spawns = 0;
		app_run(app_find(app_table_count, b->program), t->size, NULL, &t->answer);
		t->tasks = app_spawns;
		for (size_t r = 0; r < t->rounds; r++)
			for (size_t i = 0; i < VARIANTS; i++)
				if (t->s[i].wanted)
					run_once(t, &t->s[i], r);
		report(t, workers);
	}
	free(t);
}

static void report_means(const struct bench_options *o, unsigned workers)
{
	for (size_t i = 0; i < VARIANTS; i++) {
		unsigned n = variants[i].workers ? variants[i].workers : workers;
		double mean = exp(means[i].log / 8);
		char name[32];

		if (means[i].n != 8)
			continue;
		snprintf(name, sizeof name, "%s@%u", variants[i].name, n);
		bench_compared(o, SUITE, "mean8", name, "serial",
		               n == 1 ? "overhead" : "speedup", n == 1 ? mean : 1 / mean);
	}
}

static void name_missing(void)
{
	char path[4096];

	for (const struct variant *v = variants; v < variants + VARIANTS; v++)
		if (!v->table && !v->block_size && /* each program once */
		    !bench_peer(peer_name(v), path, sizeof path))
			bench_peer_missing(peer_name(v));
	for (const struct compiled *c = compiled; c->bench; c++)
		if (!c->filch)
			fprintf(stderr,
			        "%s: left out, the build did not find the compiler\n",
			        c->bench);
}

static int run(const struct bench_options *o)
{
	unsigned workers = o->workers ? (unsigned)o->workers : 2;

	if (o->scaling)
		return app_scaling(o);
	name_missing();
	for (size_t i = 0; i < BENCHES; i++)
		bench_one(o, &benches[i], workers);
	report_means(o, workers);
	return 0;
}

const struct bench_suite bench_app_suite = {
	.name = "app",
	.text = "whole programs against serial C and other runtimes",
	.run = run};
