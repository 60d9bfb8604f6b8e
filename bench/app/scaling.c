/* SPDX-License-Identifier: MIT */
/*
 * filch bench app --scaling: how many times as fast as serial C the programs are with 1, 2, 4 ...
 * workers, up to one for each processor: the curves of filch sim, on the machine that is there.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/quota.h"
#include "bench/app/pool.h"
#include "bench/app/run.h"
#include "bench/rounds.h"

#define WORKERS_MOST 1024 /* of a pool */
#define POINTS_MOST 16    /* serial, the powers of two up to that, and one more */
#define SETTLE_NS 20000000
#define BAR 40

/* The sizes of the suite, but larger where 64 workers would be done at once. A size of 0 is
 * the one that filch sim has. */
static const struct curve {
	const char *program;
	size_t size, quick;
} curves[] = {
	{"fib", 45, 35},           {"integrate", 25000000, 25000},
	{"jacobi", 300, 30},       {"matmul", 1024, 512},
	{"nqueens", 14, 11},       {"quicksort", 10000000, 1000000},
	{"lu", 2048, 512},         {"heat", 60, 6},
	{"uts", 100000, 10000},    {"spawn", 1000000000, 10000000},
	{"sim_fib", 0, 30},        {"sim_uts", 0, 6},
	{"sim_loop", 0, 100000},   {"sim_phases", 0, 1},
	{"sim_phases_task", 0, 1}, {"sim_map", 0, 100},
	{"sim_server", 0, 500},
};

/* A program with so many workers; serial C has none. */
struct point {
	unsigned workers;
	bool wanted;
	char name[32];
	double seconds[BENCH_ROUNDS_MOST];
	struct filch_stats counters; /* over all rounds */
};

/* A curve in the course of its rounds. The first point is serial C. */
struct state {
	const struct bench_options *o;
	const struct curve *c;
	const struct app *serial, *filch;
	size_t rounds, points;
	uint64_t answer;
	struct point point[POINTS_MOST];
};

static void point_add(struct state *t, unsigned workers)
{
	struct point *p = &t->point[t->points++];

	p->workers = workers;
	if (workers)
		snprintf(p->name, sizeof p->name, "filch@%u", workers);
	else
		strcpy(p->name, "serial");
	p->wanted = bench_wanted(t->o, APP_SUITE, t->c->program, p->name);
}

/* Returns false if no point is wanted. All are compared with the first one, so any other
 * needs it. */
static bool points_init(struct state *t, unsigned most)
{
	point_add(t, 0);
	for (unsigned n = 1; n < most; n *= 2)
		point_add(t, n);
	point_add(t, most);
	for (size_t i = 1; i < t->points; i++)
		t->point[0].wanted |= t->point[i].wanted;
	return t->point[0].wanted;
}

static void run_once(struct state *t, struct point *p, size_t round)
{
	size_t size = t->o->quick ? t->c->quick : t->c->size;
	struct filch_pool_options o = {.workers = p->workers};
	uint64_t answer, ns;
	void *pool;

	if (p->workers) {
		pool = app_pool_create(&o);
		if (!pool)
			exit(1);
		rounds_pause_ns(SETTLE_NS); /* until all workers have begun to sleep */
		ns = app_run(t->filch, size, pool, &answer);
		app_pool_destroy(pool, &p->counters);
	} else {
		ns = app_run(t->serial, size, NULL, &answer);
		t->answer = answer;
	}
	if (answer != t->answer) {
		fprintf(stderr, "filch bench app: %s %s: wrong answer\n", t->c->program,
		        p->name);
		exit(1);
	}
	p->seconds[round] = (double)ns * 1e-9;
}

static double median(const struct state *t, const struct point *p)
{
	double copy[BENCH_ROUNDS_MOST];

	memcpy(copy, p->seconds, sizeof copy);
	return bench_median(copy, t->rounds);
}

static void measured(const struct state *t, const struct point *p, const char *metric,
                     double value, const char *unit)
{
	bench_measured(t->o, APP_SUITE, t->c->program, p->name, metric, value, unit);
}

static void print_head(const struct state *t, double seconds)
{
	static bool again;

	printf("%s%s/%s: serial %.4g s\n", again ? "\n" : "", APP_SUITE, t->c->program,
	       seconds);
	printf("%9s %9s %10s %10s\n", "workers", "speedup", "efficiency", "time s");
	again = true;
}

static void print_row(const struct point *p, double speedup, double seconds)
{
	static const char bar[BAR + 1] = "########################################";
	double efficiency = speedup / p->workers;
	int length = (int)(efficiency * BAR + 0.5);

	printf("%9u %9.2f %10.3f %10.4g  %.*s\n", p->workers, speedup, efficiency,
	       seconds, length < BAR ? length : BAR, bar);
}

static void report_counters(const struct state *t, const struct point *p)
{
#define ROW(name_, text)                                                              \
	if (t->o->json)                                                               \
		measured(t, p, #name_, (double)p->counters.name_ / (double)t->rounds, \
		         "");                                                         \
	else                                                                          \
		printf("%20s %.6g\n", #name_,                                         \
		       (double)p->counters.name_ / (double)t->rounds);
	FILCH_COUNTERS(ROW)
#undef ROW
}

static void report_point(const struct state *t, const struct point *p)
{
	const struct point *serial = t->point;
	double seconds = median(t, p);
	double speedup = bench_median_ratio(serial->seconds, p->seconds, t->rounds);

	if (t->o->json) {
		measured(t, p, "time", seconds, "s");
		bench_compared(t->o, APP_SUITE, t->c->program, p->name, serial->name,
		               "speedup", speedup);
		measured(t, p, "efficiency", speedup / p->workers, "");
	} else {
		print_row(p, speedup, seconds);
	}
	if (t->o->stats)
		report_counters(t, p);
}

static void report(const struct state *t)
{
	double seconds = median(t, t->point);

	if (t->o->json)
		measured(t, t->point, "time", seconds, "s");
	else
		print_head(t, seconds);
	for (const struct point *p = t->point + 1; p < t->point + t->points; p++)
		if (p->wanted)
			report_point(t, p);
	fflush(stdout);
}

static void curve_one(const struct bench_options *o, const struct curve *c, unsigned most)
{
	struct state *t = calloc(1, sizeof *t);

	if (!t)
		exit(1);
	t->o = o;
	t->c = c;
	t->rounds = o->rounds ? o->rounds : o->quick ? 2 : 5;
	t->serial = app_find(app_table_serial, c->program);
	t->filch = app_find(app_table_filch, c->program);
	if (!t->serial)
		t->serial = t->filch = app_find(app_table_simulated, c->program);
	if (points_init(t, most)) {
		for (size_t r = 0; r < t->rounds; r++)
			for (size_t i = 0; i < t->points; i++)
				if (t->point[i].wanted)
					run_once(t, &t->point[i], r);
		report(t);
	}
	free(t);
}

static unsigned processors(void)
{
	struct filch__cpus cpus;
	unsigned n;

	if (filch__cpus_read(&cpus, ""))
		return 1;
	n = filch__cpus_usable(&cpus);
	return n < WORKERS_MOST ? n : WORKERS_MOST;
}

int app_scaling(const struct bench_options *o)
{
	unsigned most = o->workers ? (unsigned)o->workers : processors();

	if (most > processors() && !o->list)
		fprintf(stderr,
		        "filch bench app: more than %u workers share processors, and "
		        "cannot "
		        "be faster\n",
		        processors());
	for (size_t i = 0; i < sizeof curves / sizeof *curves; i++)
		curve_one(o, &curves[i], most);
	return 0;
}
