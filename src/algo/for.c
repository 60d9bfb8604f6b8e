/* SPDX-License-Identifier: MIT */
/*
 * Loops as their callers see them, and the one way into all of them: first alone, then
 * offered to other workers. See README.md, "Pace". loop.c does the pieces.
 */
#include <filch/for.h>

#include <assert.h>
#include <errno.h>
#include <filch/task.h>

#include "algo/alone.h"
#include "algo/enter.h"
#include "algo/hungry.h"
#include "algo/loop.h"
#include "fiber/switch.h"

/* Does pieces from the front of the loop until it has ended, or the rest is worth
 * offering. Returns true if there is such a rest. */
static bool alone(struct filch__loop *l)
{
	struct filch__alone a;

	if (FILCH__TSAN) /* which is to see the pieces as parallel */
		return filch__loop_left(l) && filch__loop_goes_on(l);
	filch__alone_begin(&a, filch__loop_left(l),
	                   load_rlx(&l->pace.grain)); /* a hint */
	while (filch__alone_goes_on(&a)) {
		if (!filch__loop_goes_on(l))
			return false;
		filch__alone_did(&a, filch__loop_do_next(l, a.n));
	}
	assert(filch__loop_left(l) == a.all - a.done);
	if (a.done == a.all || !filch__loop_goes_on(l))
		return false;
	filch__loop_expect(l, a.n);
	return true;
}

/* Runs the iterations after the first one inside a pool. If the first one took long, or
 * has not returned yet, all of them are offered at once. */
FILCH__DEFINE(FILCH__SHOWS_BEHIND, static, 0, void, rest, (struct filch__loop *, l))
{
	/* A hint. The grain has grown if the first iteration was short, and only then. */
	bool brief = load_rlx(&l->pace.grain) > 1;

	if (brief ? !alone(l) : !filch__loop_left(l))
		return;
	if (!brief || l->is_long || filch__stream_is_dense())
		filch__hungry_call();
	filch__loop_share(l);
}

/* The first iteration may wait, or take long; so the rest is spawned beside it. */
static void run_inside(struct filch__loop *l)
{
	struct filch_tile first = filch__loop_take_first(l);

	FILCH_SPAWN(others, rest, l);
	filch__loop_do_first(l, &first);
	FILCH_JOIN(others);
}

/* Runs the loop. If the caller gave a grain, the pieces are worth offering at once. */
static int run(struct filch__loop *l)
{
	uint64_t start = filch__ticks();

	filch__loop_begin(l);
	if (!l->fixed && filch__inside())
		run_inside(l);
	else if (l->fixed || alone(l))
		filch__enter_pool_as(l->shown, filch__loop_share, l);
	filch__stream_did(start);
	return load_rlx(&l->result); /* the joins order it */
}

int filch_for_grain(size_t begin, size_t end, size_t grain,
                    int (*body)(size_t begin, size_t end, void *context), void *context)
{
	struct filch__loop l = {.shown = (filch__function *)body,
	                        .line_body = body,
	                        .context = context,
	                        .fixed = grain,
	                        .row = {0, 1, begin, end}};

	if (begin > end || !body)
		return -EINVAL;
	return begin == end ? 0 : run(&l);
}

int filch__for_as(filch__function *shown, size_t begin, size_t end,
                  int (*body)(size_t begin, size_t end, void *context), void *context)
{
	struct filch__loop l = {.shown = shown,
	                        .line_body = body,
	                        .context = context,
	                        .row = {0, 1, begin, end}};

	return begin == end ? 0 : run(&l);
}

int filch_for(size_t begin, size_t end,
              int (*body)(size_t begin, size_t end, void *context), void *context)
{
	return filch_for_grain(begin, end, 0, body, context);
}

int filch_for_2d_grain(size_t rows, size_t columns, size_t grain_rows,
                       size_t grain_columns,
                       int (*body)(const struct filch_tile *tile, void *context),
                       void *context)
{
	struct filch__loop l = {.shown = (filch__function *)body,
	                        .plane_body = body,
	                        .context = context,
	                        .fixed = grain_rows,
	                        .fixed_columns = grain_columns,
	                        .rows = {0, rows, 0, columns}};
	size_t all;

	if (!body || (grain_rows == 0) != (grain_columns == 0) ||
	    __builtin_mul_overflow(rows, columns, &all))
		return -EINVAL;
	return all ? run(&l) : 0;
}

int filch_for_2d(size_t rows, size_t columns,
                 int (*body)(const struct filch_tile *tile, void *context), void *context)
{
	return filch_for_2d_grain(rows, columns, 0, 0, body, context);
}
