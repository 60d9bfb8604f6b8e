/* SPDX-License-Identifier: MIT */
/*
 * A loop is halved by spawns down to pieces that take some microseconds. A spawn that no
 * worker steals costs a nanosecond, and the oldest spawn, which a thief gets, is the
 * largest.
 */
#include "algo/loop.h"

#include <assert.h>
#include <errno.h>
#include <filch/group.h>
#include <filch/task.h>

#include "algo/alone.h"
#include "algo/hungry.h"
#include "base/clock.h"
#include "base/cpu.h"

/* The least time of a piece. A long loop has longer pieces, up to LEAST_MOST_US: it
 * should be cut into about PIECES of them. */
#define LEAST_US 10
#define LEAST_MOST_US 25
#define PIECES 1024

/* Where there is a choice, pieces begin at multiples of this number: then no two pieces
 * share a cache line of an array, and no vector crosses from one piece into another. */
#define ROUND 64

/* While a tile has several rows, they are not cut into fewer columns than this: beginning
 * a shorter row costs more than the row itself. */
#define LONG 512

/* ---- state that the pieces share ---- */

void filch__loop_begin(struct filch__loop *l)
{
	assert(!l->line_body != !l->plane_body);
	assert(filch__loop_left(l));
	filch__pace_init(&l->pace, l->fixed ? l->fixed : 1, LEAST_US);
	store_rlx(&l->result, 0); /* no other worker yet */
}

void filch__loop_expect(struct filch__loop *l, size_t n)
{
	size_t all_us = filch__loop_left(l) / n * FILCH__ALONE_PIECE_US;
	size_t us = all_us / PIECES;

	if (us > LEAST_MOST_US)
		us = LEAST_MOST_US;
	l->is_long = all_us >= FILCH__WAKE_US;
	filch__pace_init(&l->pace, n, us > LEAST_US ? us : LEAST_US);
}

/* Ends the loop early. The first nonzero result is the loop's. */
static void end_early(struct filch__loop *l, int result)
{
	int none = 0;

	assert(result);
	cas_rlx(&l->result, &none, result); /* read after the joins, or as a hint */
}

bool filch__loop_goes_on(struct filch__loop *l)
{
	if (FILCH_UNLIKELY(filch_cancelled()))
		end_early(l, -ECANCELED);
	return !load_rlx(&l->result); /* a hint: some more pieces may begin */
}

/* A piece of n iterations that began at `start` has returned `result`. */
static void piece_done(struct filch__loop *l, size_t n, uint64_t start, int result)
{
	if (FILCH_UNLIKELY(result))
		end_early(l, result);
	else if (!l->fixed)
		filch__pace_learn(&l->pace, n, filch__ticks() - start);
}

static size_t middle(size_t begin, size_t end)
{
	size_t cut = begin + (end - begin) / 2;

	return cut - cut % ROUND > begin ? cut - cut % ROUND : cut;
}

/* ---- a line ---- */

static void line_piece(struct filch__loop *l, size_t begin, size_t end)
{
	uint64_t start;

	assert(begin < end);
	if (!filch__loop_goes_on(l))
		return;
	start = l->fixed ? 0 : filch__ticks();
	piece_done(l, end - begin, start, l->line_body(begin, end, l->context));
}

/* Returns where to divide: after a whole number of the caller's grains, or otherwise
 * about in the middle. */
static size_t line_cut(struct filch__loop *l, size_t begin, size_t end, size_t grain)
{
	size_t n = end - begin;

	if (l->fixed)
		return begin + (n / grain + (n % grain != 0)) / 2 * grain;
	return middle(begin, end);
}

FILCH__DEFINE(FILCH__SHOWS_BEHIND, static, 0, void, line, (struct filch__loop *, l),
              (size_t, begin), (size_t, end))
{
	size_t grain = load_rlx(&l->pace.grain), cut; /* a hint */

	if (end - begin <= grain) {
		line_piece(l, begin, end);
		return;
	}
	cut = line_cut(l, begin, end, grain);
	assert(begin < cut && cut < end);
	FILCH_SPAWN(rest, line, l, cut, end);
	filch__hungry_give();
	FILCH_CALL(line, l, begin, cut);
	FILCH_JOIN(rest);
}

/* ---- a plane ---- */

static size_t area(const struct filch_tile *t)
{
	assert(t->row <= t->row_end && t->column <= t->column_end);
	return (t->row_end - t->row) * (t->column_end - t->column);
}

static void plane_piece(struct filch__loop *l, const struct filch_tile *t)
{
	uint64_t start;

	if (!filch__loop_goes_on(l))
		return;
	start = l->fixed ? 0 : filch__ticks();
	piece_done(l, area(t), start, l->plane_body(t, l->context));
}

/* Returns true if the tile is to be divided; *by_rows says how. */
static bool plane_cut(struct filch__loop *l, const struct filch_tile *t, bool *by_rows)
{
	size_t rows = t->row_end - t->row, columns = t->column_end - t->column;

	if (l->fixed) {
		*by_rows = rows > l->fixed &&
		           (rows >= columns || columns <= l->fixed_columns);
		return rows > l->fixed || columns > l->fixed_columns;
	}
	*by_rows = rows > 1 && (rows >= columns || columns < 2 * LONG);
	return rows * columns > load_rlx(&l->pace.grain); /* a hint */
}

FILCH__DEFINE(FILCH__SHOWS_BEHIND, static, 0, void, plane, (struct filch__loop *, l),
              (struct filch_tile, t))
{
	struct filch_tile left = t, right = t;
	bool by_rows;

	if (!area(&t))
		return;
	if (!plane_cut(l, &t, &by_rows)) {
		plane_piece(l, &t);
		return;
	}
	if (by_rows)
		left.row_end = right.row = t.row + (t.row_end - t.row) / 2;
	else
		left.column_end = right.column = middle(t.column, t.column_end);
	assert(area(&left) && area(&right));
	FILCH_SPAWN(rest, plane, l, right);
	filch__hungry_give();
	FILCH_CALL(plane, l, left);
	FILCH_JOIN(rest);
}

/* ---- the front of either ---- */

size_t filch__loop_left(const struct filch__loop *l)
{
	return area(&l->row) + area(&l->rows);
}

/* Takes up to n iterations: whole rows, if no row was begun and n is enough for one;
 * otherwise a part of a row. */
static struct filch_tile take(struct filch__loop *l, size_t n)
{
	struct filch_tile t;

	assert(n && filch__loop_left(l));
	if (!area(&l->row)) { /* the next row is begun */
		size_t rows = n / l->rows.column_end;

		assert(!l->rows.column);
		t = l->rows;
		if (rows) {
			t.row_end = t.row_end - t.row > rows ? t.row + rows : t.row_end;
			l->rows.row = t.row_end;
			return t;
		}
		l->rows.row = t.row_end = t.row + 1;
		l->row = t;
	}
	t = l->row;
	if (t.column_end - t.column > n)
		t.column_end = t.column + n;
	l->row.column = t.column_end;
	return t;
}

static int run(struct filch__loop *l, const struct filch_tile *t)
{
	return l->line_body ? l->line_body(t->column, t->column_end, l->context)
	                    : l->plane_body(t, l->context);
}

size_t filch__loop_do_next(struct filch__loop *l, size_t n)
{
	struct filch_tile t = take(l, n);
	int r = run(l, &t);

	if (FILCH_UNLIKELY(r))
		end_early(l, r);
	return area(&t);
}

struct filch_tile filch__loop_take_first(struct filch__loop *l)
{
	return take(l, 1);
}

void filch__loop_do_first(struct filch__loop *l, const struct filch_tile *first)
{
	uint64_t start;

	if (!filch__loop_goes_on(l))
		return;
	start = filch__ticks();
	piece_done(l, 1, start, run(l, first));
}

/* ---- all the rest ---- */

void filch__loop_share(void *loop)
{
	struct filch__loop *l = loop;

	if (l->line_body) {
		FILCH_CALL(line, l, l->row.column, l->row.column_end);
		return;
	}
	FILCH_SPAWN(rest, plane, l, l->rows);
	FILCH_CALL(plane, l, l->row);
	FILCH_JOIN(rest);
}
