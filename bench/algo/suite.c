/* SPDX-License-Identifier: MIT */
/*
 * filch bench algo: parallel algorithms against plain C, OpenMP loops, libstdc++'s parallel
 * mode and oneTBB. A benchmark's runs all work on the same memory, which is as it was before
 * each, and every answer is checked against the serial one. Pools and the peers' threads are
 * there before anything is timed; after each run there is a pause in which those that spin
 * fall asleep.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/algo/algo.h"
#include "bench/bench.h"
#include "bench/rounds.h"

#define SUITE "algo"

#define PAUSE_NS 10000000 /* an OpenMP thread spins for some ms */
#define CALLS_NS 5000000  /* calls are repeated until they take so long */
#define CALLS_MOST 10000
#define WARM_NS 50000000 /* shorter calls come after one that is not timed */

#define IMPLS 12

static const char *const modules[] = {"openmp", "gnu", "tbb"};
#define MODULES (sizeof modules / sizeof *modules)

struct series {
	const struct algo_impl *impl;
	const struct algo_peer *peer; /* NULL: plain C or Filch */
	struct filch_pool *pool;      /* NULL: none */
	char name[32];
	unsigned workers;
	double seconds[BENCH_ROUNDS_MOST]; /* a call */
};

/* A benchmark in the course of its rounds. */
struct state {
	const struct bench_options *o;
	const struct algo_bench *b;
	const struct algo *algo;
	unsigned workers;
	struct algo_work w;
	uint64_t answer;
	size_t rounds, n;
	struct series s[IMPLS];
};

static _Noreturn void fail(const struct state *t, const char *impl, const char *what)
{
	fprintf(stderr, "filch bench " SUITE ": %s %s: %s\n", t->b->name, impl, what);
	exit(1);
}

/* ---- who runs ---- */

static const struct algo_peer *peers[MODULES]; /* NULL: not built */

static void load_peers(void)
{
	for (size_t i = 0; i < MODULES; i++) {
		char name[32], path[4096];
		void *module = NULL;

		snprintf(name, sizeof name, "algo-%s.so", modules[i]);
		if (bench_peer(name, path, sizeof path))
			module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
		peers[i] = module ? dlsym(module, "algo_peer") : NULL;
		if (!peers[i])
			bench_peer_missing(modules[i]);
	}
}

static const struct algo_impl *find_impl(const struct algo_impl *table, const char *algo)
{
	while (table->algo && strcmp(table->algo, algo))
		table++;
	return table->algo ? table : NULL;
}

static struct filch_pool *pool_create(const struct state *t, unsigned workers)
{
	struct filch_pool_options o = {.workers = workers};
	struct filch_pool *pool;
	const char *why;

	if (filch_pool_create(&pool, &o, &why))
		fail(t, "filch", why);
	return pool;
}

static struct series *add(struct state *t, const struct algo_impl *impl, const char *name)
{
	struct series *s = &t->s[t->n];

	if (!impl || (t->b->without && !strcmp(name, t->b->without)) ||
	    !bench_wanted(t->o, SUITE, t->b->name, name))
		return NULL;
	if (t->n == IMPLS)
		fail(t, name, "one implementation too many");
	t->n++;
	s->impl = impl;
	snprintf(s->name, sizeof s->name, "%s", name);
	return s;
}

static void add_filch(struct state *t, unsigned workers, const char *how, bool outside)
{
	char name[32];
	struct series *s;

	snprintf(name, sizeof name, "filch%s@%u", how, workers);
	s = add(t, find_impl(algo_filch, t->algo->name), name);
	if (!s)
		return;
	s->workers = workers;
	s->pool = outside ? NULL : pool_create(t, workers);
}

static void add_all(struct state *t)
{
	add(t, find_impl(algo_serial, t->algo->name), "serial");
	if (t->algo->outside) {
		add_filch(t, t->workers, "", true);
		add_filch(t, t->workers, "_in_task", false);
	} else {
		add_filch(t, 1, "", false);
		add_filch(t, t->workers, "", false);
	}
	if (!strcmp(t->algo->name, "for"))
		add_filch(t, t->workers, "_outside", true);
	for (size_t i = 0; i < MODULES; i++)
		for (const struct algo_impl *p = peers[i] ? peers[i]->impl : NULL;
		     p && p->algo; p++) {
			struct series *s = strcmp(p->algo, t->algo->name)
			                           ? NULL
			                           : add(t, p, p->name);

			if (s)
				s->peer = peers[i];
		}
}

static void drop_all(struct state *t)
{
	for (size_t i = 0; i < t->n; i++) {
		int r = t->s[i].pool ? filch_pool_destroy(t->s[i].pool) : 0;

		if (r)
			fail(t, t->s[i].name, strerror(-r));
	}
}

/* ---- what they work on ---- */

static size_t parts(const struct algo_work *w)
{
	return w->step ? w->calls + w->warm : 1;
}

static void restore(struct state *t)
{
	struct algo_work *w = &t->w;

	memset(w->out, 0xff, w->out_bytes * parts(w));
	for (size_t i = 0; t->algo->in_place && i < parts(w); i++)
		memcpy(w->out + w->step * i, w->in, t->algo->in_size * w->n);
}

static uint64_t answer(const struct state *t, size_t part)
{
	const char *out = t->w.out + t->w.step * part;

	return t->algo->answer ? t->algo->answer(out, t->w.n)
	                       : algo_digest(out, t->w.out_bytes / sizeof(uint64_t));
}

static void *allocate(const struct state *t, size_t bytes)
{
	void *p = malloc(bytes ? bytes : 1);

	if (!p)
		fail(t, "serial", "there is not enough memory");
	return p;
}

/* Fewer of what takes long, which is less noisy, too. */
static size_t rounds_of(uint64_t ns)
{
	return ns < 20000000 ? 21 : ns < 200000000 ? 11 : 7;
}

/* Makes the input, finds the answer, and how many calls take some milliseconds. */
static void work_init(struct state *t)
{
	const struct algo_impl *serial = find_impl(algo_serial, t->algo->name);
	struct algo_work *w = &t->w;
	void *in;
	uint64_t ns;

	w->n = t->o->quick ? t->b->quick : t->b->n;
	w->sweeps = t->o->quick ? t->b->sweeps / 100 : t->b->sweeps;
	w->in = in = allocate(t, t->algo->in_size * w->n);
	t->algo->input(in, w->n);
	w->out_bytes = t->algo->out_size * w->n + t->algo->more;
	w->out = allocate(t, w->out_bytes);
	w->calls = 1;
	restore(t);
	algo_timed(serial, w);
	restore(t);
	ns = algo_timed(serial, w).ns;
	if (!ns)
		ns = 1;
	t->answer = answer(t, 0);
	w->calls = ns < CALLS_NS ? CALLS_NS / ns + 1 : 1;
	if (w->calls > CALLS_MOST)
		w->calls = CALLS_MOST;
	w->warm = ns < WARM_NS;
	t->rounds = t->o->rounds ? t->o->rounds : t->o->quick ? 3 : rounds_of(ns);
	if (t->algo->in_place) {
		w->step = w->out_bytes;
		free(w->out);
		w->out = allocate(t, w->out_bytes * parts(w));
	}
}

static void work_end(struct algo_work *w)
{
	free((void *)w->in);
	free(w->out);
}

/* ---- rounds ---- */

static void run_once(struct state *t, struct series *s, size_t round)
{
	struct algo_time time;

	restore(t);
	if (s->peer)
		time = s->peer->timed(s->impl, &t->w, t->workers);
	else if (s->workers)
		time = algo_filch_timed(s->pool, s->impl, &t->w);
	else
		time = algo_timed(s->impl, &t->w);
	for (size_t i = 0; i < (t->w.step ? time.calls : 1); i++)
		if (answer(t, i) != t->answer)
			fail(t, s->name, "wrong answer");
	s->seconds[round] = (double)time.ns * 1e-9 / (double)time.calls;
	rounds_pause_ns(PAUSE_NS);
}

static double median(const struct state *t, const struct series *s)
{
	double copy[BENCH_ROUNDS_MOST];

	memcpy(copy, s->seconds, sizeof copy);
	return bench_median(copy, t->rounds);
}

static struct series *find(struct state *t, const char *name)
{
	for (size_t i = 0; i < t->n; i++)
		if (!strcmp(t->s[i].name, name))
			return &t->s[i];
	return NULL;
}

static void faster(const struct state *t, const struct series *s, const struct series *to,
                   const char *to_name)
{
	if (s && to)
		bench_compared(t->o, SUITE, t->b->name, s->name, to_name, "speedup",
		               bench_median_ratio(to->seconds, s->seconds, t->rounds));
}

static void longer(const struct state *t, const struct series *s, const struct series *to)
{
	if (s && to)
		bench_compared(t->o, SUITE, t->b->name, s->name, to->name, "overhead",
		               bench_median_ratio(s->seconds, to->seconds, t->rounds));
}

/* libstdc++'s serial algorithms come with the peers. */
static bool is_serial_peer(const struct series *s)
{
	return s->peer && !strcmp(s->impl->name, "std");
}

static void report_peers(struct state *t, const struct series *filch,
                         const struct series *outside)
{
	const struct series *best = NULL;

	for (size_t i = 0; i < t->n; i++) {
		const struct series *s = &t->s[i];

		if (!s->peer)
			continue;
		faster(t, filch, s, s->name);
		if (!is_serial_peer(s) && (!best || median(t, s) < median(t, best)))
			best = s;
	}
	if (!best)
		return;
	faster(t, filch, best, "best_peer");
	faster(t, outside, best, "best_peer");
	if (filch)
		bench_measured(t->o, SUITE, t->b->name, best->name, "best_peer", 1, "");
}

static void report(struct state *t)
{
	const struct series *serial = find(t, "serial"), *one = find(t, "filch@1"),
			    *filch, *outside;
	char name[32];

	snprintf(name, sizeof name, "filch@%u", t->workers);
	filch = find(t, name);
	for (size_t i = 0; i < t->n; i++)
		bench_measured(t->o, SUITE, t->b->name, t->s[i].name, "time",
		               median(t, &t->s[i]) * 1e6, "us");
	longer(t, one, serial);
	longer(t, one, find(t, "std"));
	for (size_t i = 0; i < t->n; i++)
		if (&t->s[i] != serial && &t->s[i] != one)
			faster(t, &t->s[i], serial, "serial");
	/* Where there is nothing to be gained: what is lost. */
	if (t->b->n < 1000000)
		longer(t, filch, serial);
	snprintf(name, sizeof name, "filch_outside@%u", t->workers);
	outside = find(t, name);
	longer(t, outside, serial);
	report_peers(t, filch, outside);
}

static const struct algo *find_algo(const char *name)
{
	const struct algo *p = algo_table;

	while (strcmp(p->name, name))
		p++;
	return p;
}

static void bench_one(const struct bench_options *o, const struct algo_bench *b,
                      unsigned workers)
{
	struct state *t = calloc(1, sizeof *t);

	if (!t)
		exit(1);
	t->o = o;
	t->b = b;
	t->algo = find_algo(b->algo);
	t->workers = workers;
	add_all(t);
	if (t->n) {
		work_init(t);
		for (size_t r = 0; r < t->rounds; r++)
			for (size_t k = 0; k < t->n; k++)
				/* There and back, so that nobody always comes after the
				 * same. */
				run_once(t, &t->s[r % 2 ? t->n - 1 - k : k], r);
		report(t);
		work_end(&t->w);
	}
	drop_all(t);
	free(t);
}

static int run(const struct bench_options *o)
{
	unsigned workers = o->workers ? (unsigned)o->workers : 2;
	char text[16];

	/* Of the default pool, which calls from outside use. */
	snprintf(text, sizeof text, "%u", workers);
	setenv("FILCH_WORKERS", text, 1);
	load_peers();
	for (const struct algo_bench *b = algo_benches; b->name; b++)
		bench_one(o, b, workers);
	return 0;
}

const struct bench_suite bench_algo_suite = {
	.name = SUITE,
	.text = "parallel algorithms against serial C and other libraries",
	.run = run};
