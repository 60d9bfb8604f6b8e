/* SPDX-License-Identifier: MIT */
/*
 * filch bench gc: BWoS section 6.3.1, the marking of a garbage collector, in which a task
 * is a few instructions. The same marker with each LIFO queue, on heaps of several shapes.
 */
#include <stdlib.h>

#include "base/clock.h"
#include "bench/bench.h"
#include "bench/gc/mark.h"
#include "bench/rounds.h"

#define SUITE "gc"
#define CAPACITY ((size_t)1 << 17) /* as HotSpot's task queues */
#define QUICK_EDGES 20000
#define QUICK_CYCLES 5

static const char help[] =
	"usage: filch bench gc [OPTION...]\n"
	"\n"
	"Marks all that can be reached in a synthetic heap, as a garbage collector does, "
	"with\n"
	"several threads. Each has a queue of objects to scan, and steals when that is "
	"empty.\n"
	"\n"
	"  lists    lists of 1000 nodes, each with an item\n"
	"  tree     one binary tree\n"
	"  wide     arrays of 4096 references to objects without any\n"
	"  random   4 to 8 references an object, to anywhere\n"
	"  mixed    objects of all sizes; most references go to neighbours\n"
	"  young    the same, small enough for the cache, marked again and again\n"
	"\n"
	"  bwos_lifo, chase_lev, abp, locked   the queue; best_other: the best of the "
	"last "
	"three\n"
	"  serial                              one thread and a plain stack\n"
	"\n"
	"  --workers N      marking threads (2)\n"
	"  --capacity N     entries a queue (131072); --blocks N (8); --block-size N\n"
	"                   (capacity / blocks): the blocks of bwos_lifo\n"
	"  --filter REGEX   only what matches \"BENCH IMPL\" (extended regular "
	"expression)\n"
	"  --list           name everything that would run, and stop\n"
	"  --json           one JSON object a line instead of a table\n"
	"  --quick          two rounds, heaps of 20,000 references\n"
	"  --rounds N       rounds of interleaved runs (1 to 101)\n"
	"  --help           this text\n"
	"\n"
	"The largest heap takes 2 GB; none takes more than half of the memory.\n"
	"\n"
	"Examples:\n"
	"  filch bench gc --quick\n"
	"  filch bench gc --filter '^(lists|tree) '\n"
	"  filch bench gc --workers 8 --capacity 8192 --filter '^random (bwos|chase)'\n";

static struct gc_run setting; /* of all runs */

/* The heap of a benchmark, which has its number as `param`. */
static const struct heap_kind {
	enum gc_shape shape;
	size_t cycles; /* a run */
} kinds[] = {
	{GC_LISTS, 1},  {GC_TREE, 1},  {GC_WIDE, 1},
	{GC_RANDOM, 3}, {GC_MIXED, 3}, {GC_MIXED, 500},
};

/* The heap that was used last. */
static struct {
	struct gc_heap heap;
	const struct heap_kind *kind;
} made;

static struct gc_run prepare(const struct rounds_run *run)
{
	const struct heap_kind *kind = &kinds[run->param];
	struct gc_run r = setting;

	if (made.kind != kind) {
		gc_heap_free(&made.heap);
		gc_heap_build(&made.heap, kind->shape, run->size);
		made.kind = kind;
	}
	r.heap = &made.heap;
	r.cycles = run->quick ? QUICK_CYCLES : kind->cycles;
	return r;
}

static void put_result(const struct gc_run *r, struct gc_result result, double *out)
{
	double cycles = (double)r->cycles;

	out[0] = (double)r->heap->edges / result.seconds * 1e-6;
	out[1] = (double)result.steals / cycles;
	out[2] = (double)result.overflowed / cycles;
	out[3] = (double)r->heap->live.objects;
}

static bool run_serial(const struct rounds_run *run, double *out)
{
	struct gc_run r = prepare(run);
	double *seconds = rounds_allocate(r.cycles, sizeof *seconds);

	for (size_t i = 0; i < r.cycles; i++) {
		uint64_t start = filch__now_ns();

		gc_mark_serial(r.heap);
		seconds[i] = (double)(filch__now_ns() - start) * 1e-9;
		gc_heap_check(r.heap);
	}
	put_result(&r, (struct gc_result){bench_median(seconds, r.cycles), 0, 0}, out);
	free(seconds);
	return true;
}

#define RUN(kind)                                                         \
	static bool run_##kind(const struct rounds_run *run, double *out) \
	{                                                                 \
		struct gc_run r = prepare(run);                           \
                                                                          \
		put_result(&r, gc_mark_##kind(&r), out);                  \
		return true;                                              \
	}
RUN(bwos_lifo)
RUN(chase_lev)
RUN(abp)
RUN(locked)
#undef RUN

/* clang-format off */
#define HEAP(name, edges, rounds, kind)                                       \
	{name, edges, QUICK_EDGES, rounds, 2, kind,                           \
	 {{"edges", "M/s", true}, {"steals", "", false},                      \
	  {"overflowed", "", false}, {"marked", "", false}},                  \
	 {{"bwos_lifo", 0, run_bwos_lifo}, {"chase_lev", 0, run_chase_lev},   \
	  {"abp", 0, run_abp}, {"locked", 0, run_locked},                     \
	  {"serial", 0, run_serial}},                                         \
	 {{0, ROUNDS_BEST_OTHER(1 << 1 | 1 << 2 | 1 << 3), "speedup", 0},     \
	  {0, 4, "speedup", 0}}}
/* clang-format on */

/* Where ratios are near 1 there are more rounds. */
static const struct rounds_bench benches[] = {
	HEAP("lists", 100000000, 5, 0), HEAP("tree", 100000000, 5, 1),
	HEAP("wide", 100000000, 5, 2),  HEAP("random", 20000000, 9, 3),
	HEAP("mixed", 20000000, 9, 4),  HEAP("young", 60000, 9, 5),
};

static int run_suite(const struct bench_options *o)
{
	int code;

	setting.markers = o->workers ? o->workers : 2;
	if (!bench_shape(o, SUITE, CAPACITY, &setting.queue))
		return 2;
	setting.queue.fixed = true; /* ABP's is, so that all are */
	bench_pin(0);
	code = rounds_suite(o, SUITE, benches, sizeof benches / sizeof *benches);
	gc_heap_free(&made.heap);
	return code;
}

const struct bench_suite bench_gc_suite = {
	.name = "gc",
	.text = "marking a heap, as a garbage collector does, with each LIFO queue",
	.run = run_suite,
	.help = help};
