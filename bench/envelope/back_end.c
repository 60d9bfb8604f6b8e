/* SPDX-License-Identifier: MIT */
/*
 * The loop and the tree that the suite envelope measures, once for each back end, in the
 * subset that C and C++ share. A peer does what one would write with it: a loop is the same
 * inside a task and outside; a tree inside a task has its parallel region or arena already.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "bench/app/app.h"
#include "bench/envelope/turn.h"

#if defined(SEAM_FILCH)
#include <filch/for.h>
#elif defined(SEAM_OPENMP)
#include <omp.h>
#elif defined(SEAM_TBB)
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#endif

/* A turn that is being taken. */
struct run {
	struct envelope_turn turn;
	uint64_t seed; /* of the first leaf of this repetition */
	uint64_t sum;
	uint64_t out[ENVELOPE_LEAVES]; /* of the loop */
	uint64_t ns[ENVELOPE_REPETITIONS_MOST];
};

/* ---- a tree: halved down to the leaves ---- */

TASK(uint64_t, tree, (uint64_t, seed), (uint64_t, leaves), (uint64_t, steps))
{
	uint64_t half = leaves / 2;

	if (leaves == 1)
		return envelope_steps(seed, steps);
	SPAWN(left, tree, seed, half, steps);
	uint64_t right = CALL(tree, seed + half, half, steps);
	return JOIN(left) + right;
}

static uint64_t tree_inside(struct run *r)
{
	return CALL(tree, r->seed, ENVELOPE_LEAVES, r->turn.steps);
}

static uint64_t tree_outside(struct run *r)
{
#if defined(SEAM_FILCH)
	return FILCH_RUN(tree, r->seed, ENVELOPE_LEAVES, r->turn.steps);
#elif defined(SEAM_OPENMP)
	uint64_t sum = 0;

#pragma omp parallel
#pragma omp single
	sum = tree_inside(r);
	return sum;
#else
	return tree_inside(r);
#endif
}

/* ---- a loop ---- */

static bool is_loop(const struct run *r)
{
	return r->turn.kind == ENVELOPE_LOOP || r->turn.kind == ENVELOPE_LOOP_OUTSIDE;
}

static uint64_t sum_of_leaves(const struct run *r)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < ENVELOPE_LEAVES; i++)
		sum += r->out[i];
	return sum;
}

#if defined(SEAM_FILCH)
static int loop_body(size_t begin, size_t end, void *context)
{
	struct run *r = context;

	for (size_t i = begin; i < end; i++)
		r->out[i] = envelope_steps(r->seed + i, r->turn.steps);
	return 0;
}
#endif

/* Fills r->out, which is summed up when the clock has been read. */
static uint64_t loop(struct run *r)
{
#if defined(SEAM_FILCH)
	filch_for(0, ENVELOPE_LEAVES, loop_body, r);
#elif defined(SEAM_TBB)
	tbb::parallel_for(size_t{0}, size_t{ENVELOPE_LEAVES}, [r](size_t i) {
		r->out[i] = envelope_steps(r->seed + i, r->turn.steps);
	});
#else
	uint64_t seed = r->seed, steps = r->turn.steps;

#ifdef SEAM_OPENMP
#pragma omp parallel for schedule(static)
#endif
	for (size_t i = 0; i < ENVELOPE_LEAVES; i++)
		r->out[i] = envelope_steps(seed + i, steps);
#endif
	return 0;
}

/* ---- repetitions ---- */

static void repeat(struct run *r, uint64_t (*once)(struct run *))
{
	uint64_t gap = 1;

	for (uint64_t i = 0; i < r->turn.repetitions; i++) {
		uint64_t start;

		gap = envelope_steps(gap, r->turn.gap_steps);
		r->seed = 1 + i * ENVELOPE_LEAVES;
		start = filch__now_ns();
		r->sum += once(r);
		r->ns[i] = filch__now_ns() - start;
		r->sum += is_loop(r) ? sum_of_leaves(r) : 0;
	}
	r->sum += gap;
}

/* The repetitions one after the other in one task. */
#if defined(SEAM_FILCH)
FILCH_STATIC_TASK_VOID(repeat_task, (struct run *, r))
{
	repeat(r, is_loop(r) ? loop : tree_inside);
}
#endif

static void repeat_inside(struct run *r)
{
#if defined(SEAM_FILCH)
	FILCH_RUN(repeat_task, r);
#elif defined(SEAM_OPENMP)
	if (is_loop(r)) {
		repeat(r, loop); /* a loop would be serial within a region */
		return;
	}
#pragma omp parallel
#pragma omp single
	repeat(r, tree_inside);
#elif defined(SEAM_TBB)
	tbb::task_group group;

	group.run_and_wait([=] { repeat(r, is_loop(r) ? loop : tree_inside); });
#else
	repeat(r, is_loop(r) ? loop : tree_inside);
#endif
}

static int by_time(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static struct envelope_answer take_turn(struct run *r)
{
	struct envelope_answer a;

	r->sum = 0;
	if (r->turn.kind == ENVELOPE_LOOP_OUTSIDE)
		repeat(r, loop);
	else if (r->turn.kind == ENVELOPE_TREE_OUTSIDE)
		repeat(r, tree_outside);
	else
		repeat_inside(r);
	qsort(r->ns, r->turn.repetitions, sizeof *r->ns, by_time);
	a.sum = r->sum;
	a.ns = r->ns[r->turn.repetitions / 2];
	return a;
}

int APP_PASTE(envelope_, serve, APP_BACK_END)(unsigned workers)
{
	static struct run r;

#if defined(SEAM_OPENMP)
	omp_set_num_threads((int)workers);
#elif defined(SEAM_TBB)
	tbb::global_control most(tbb::global_control::max_allowed_parallelism, workers);
#else
	(void)workers;
#endif
	/* Messages of some tens of bytes are not cut in two. */
	while (read(STDIN_FILENO, &r.turn, sizeof r.turn) == (ssize_t)sizeof r.turn) {
		struct envelope_answer a;

		if (!r.turn.repetitions || r.turn.repetitions > ENVELOPE_REPETITIONS_MOST)
			return 2;
		a = take_turn(&r);
		if (write(STDOUT_FILENO, &a, sizeof a) != (ssize_t)sizeof a)
			return 1;
	}
	return 0;
}
