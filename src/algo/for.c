/* SPDX-License-Identifier: MIT */
/*
 * Loops. A loop is halved by spawns down to pieces that take some microseconds: a spawn
 * that nobody steals costs a nanosecond, and the oldest, which a thief gets, is the largest.
 * How many iterations that is, the pieces themselves find out. See README.md, "Pace".
 */
#define FILCH_ASK_POLL 1
#include <filch/for.h>

#include <assert.h>
#include <errno.h>
#include <filch/group.h>
#include <filch/task.h>

#include "algo/alone.h"
#include "algo/enter.h"
#include "base/atomic.h"
#include "base/cpu.h"
#include "sched/misuse.h"

/* A piece that takes less is too small, one that takes four times as much too large. Loops that
 * take long have longer pieces: some hundreds are enough. */
#define LEAST_US 10
#define LEAST_MOST_US 25
#define PIECES 1024

/* Where there is a choice, pieces begin at multiples of this: no line of an array is shared,
 * and no vector crosses. */
#define ROUND 64

/* Rows are not cut below this many columns: shorter ones cost more than they take. */
#define LONG 512

/* What all pieces of a loop share. */
struct loop {
	int (*body)(size_t begin, size_t end, void *context);
	int (*tile)(const struct filch_tile *tile, void *context);
	void *context;
	_Atomic(uint64_t) least; /* ticks */
	size_t fixed;            /* the caller's grain; 0: none */
	size_t fixed_columns;    /* and of tiles, where `fixed` is of rows */
	_Atomic(size_t) grain;   /* iterations a piece, so far; written by any of them */
	_Atomic(bool) brief;     /* the last piece took less than `least` */
	_Atomic(int) result;     /* the first that is not zero */
};

static void loop_init(struct loop *l, void *context, size_t fixed)
{
	uint64_t us = filch__ticks_per_us();

	*l = (struct loop){.context = context,
	                   .least = LEAST_US * us,
	                   .fixed = fixed,
	                   .grain = fixed ? fixed : 1};
}

/* About so many microseconds are left. */
static void loop_size(struct loop *l, size_t us)
{
	size_t least = us / PIECES;

	if (least > LEAST_MOST_US)
		least = LEAST_MOST_US;
	if (least > LEAST_US)
		store_rlx(&l->least, least * filch__ticks_per_us()); /* a hint */
}

static bool loop_goes_on(struct loop *l)
{
	int none = 0;

	if (FILCH_UNLIKELY(filch_cancelled()))
		cas_rlx(&l->result, &none, -ECANCELED); /* read after the joins */
	return !load_rlx(&l->result); /* a hint: some pieces more or less */
}

/* A piece of n iterations took so many ticks. */
static void loop_learn(struct loop *l, size_t n, uint64_t ticks)
{
	size_t grain = load_rlx(&l->grain);   /* any recent one will do */
	uint64_t least = load_rlx(&l->least); /* as well */

	if (ticks < least) {
		size_t more = ticks < least / 16 ? 16 : ticks < least / 4 ? 4 : 2;

		if (n <= SIZE_MAX / 16 && n * more > grain)
			store_rlx(&l->grain, n * more); /* a hint */
		if (!load_rlx(&l->brief))               /* a hint */
			store_rlx(&l->brief, true);     /* a hint */
		return;
	}
	if (load_rlx(&l->brief))             /* a hint */
		store_rlx(&l->brief, false); /* a hint */
	if (ticks > 4 * least && n > 1 && n / 2 < grain)
		store_rlx(&l->grain, n / 2); /* a hint */
}

/* After the body's return for n iterations, begun at `start`. */
static void loop_done(struct loop *l, size_t n, uint64_t start, int result)
{
	int none = 0;

	if (FILCH_UNLIKELY(result))
		cas_rlx(&l->result, &none, result); /* read after the joins */
	else if (!l->fixed)
		loop_learn(l, n, filch__ticks() - start);
}

/* ---- a line ---- */

static void line_piece(struct loop *l, size_t begin, size_t end)
{
	uint64_t start;

	if (!loop_goes_on(l))
		return;
	start = l->fixed ? 0 : filch__ticks();
	loop_done(l, end - begin, start, l->body(begin, end, l->context));
}

/* Where to divide: behind a whole number of grains, or about in the middle. Within the range,
 * at neither end. */
static size_t line_cut(struct loop *l, size_t begin, size_t end, size_t grain)
{
	size_t n = end - begin, cut;

	if (l->fixed)
		return begin + (n / grain + (n % grain != 0)) / 2 * grain;
	cut = begin + n / 2;
	return cut - cut % ROUND > begin ? cut - cut % ROUND : cut;
}

FILCH_STATIC_TASK_VOID(line, (struct loop *, l), (size_t, begin), (size_t, end))
{
	size_t grain = load_rlx(&l->grain), cut; /* a hint */

	if (end - begin <= grain) {
		line_piece(l, begin, end);
		return;
	}
	cut = line_cut(l, begin, end, grain);
	FILCH_SPAWN(rest, line, l, cut, end);
	FILCH_CALL(line, l, begin, cut);
	FILCH_JOIN(rest);
}

static int line_body(size_t begin, size_t end, void *loop)
{
	struct loop *l = loop;

	return l->body(begin, end, l->context);
}

/* Some microseconds of it without offering any. Returns where it goes on. */
static size_t line_alone(struct loop *l, size_t begin, size_t end)
{
	size_t grain = load_rlx(&l->grain); /* a hint */
	int r, none = 0;

	begin = filch__alone(begin, end, line_body, l, &grain, &r);
	store_rlx(&l->grain, grain); /* a hint */
	loop_size(l, (end - begin) / grain * FILCH__ALONE_PIECE_US);
	if (r)
		cas_rlx(&l->result, &none, r); /* read after the joins */
	return begin;
}

/* What follows the first iteration. If that was a long one, or is not done yet, all is offered
 * at once. */
FILCH_STATIC_TASK_VOID(line_rest, (struct loop *, l), (size_t, begin), (size_t, end))
{
	if (load_rlx(&l->brief)) /* a hint */
		begin = line_alone(l, begin, end);
	if (begin == end)
		return;
	filch__call_help();
	line(l, begin, end);
}

struct line_call {
	struct loop *l;
	size_t begin, end;
	bool first; /* nothing has been done yet */
};

static void line_here(void *arg)
{
	struct line_call *c = arg;

	if (!c->first) {
		line(c->l, c->begin, c->end);
		return;
	}
	FILCH_SPAWN(rest, line_rest, c->l, c->begin + 1, c->end);
	line_piece(c->l, c->begin, c->begin + 1);
	FILCH_JOIN(rest);
}

int filch_for_grain(size_t begin, size_t end, size_t grain,
                    int (*body)(size_t begin, size_t end, void *context), void *context)
{
	struct line_call c;
	struct loop l;

	if (begin > end || !body)
		return -EINVAL;
	if (begin == end)
		return 0;
	loop_init(&l, context, grain);
	l.body = body;
	c = (struct line_call){&l, begin, end, !grain && filch__inside()};
	if (c.first) {
		line_here(&c);
		return load_rlx(&l.result); /* the joins order it */
	}
	if (!grain)
		c.begin = line_alone(&l, begin, end);
	if (c.begin < end && loop_goes_on(&l))
		filch__enter_pool(line_here, &c);
	return load_rlx(&l.result); /* the joins order it */
}

int filch_for(size_t begin, size_t end,
              int (*body)(size_t begin, size_t end, void *context), void *context)
{
	return filch_for_grain(begin, end, 0, body, context);
}

/* ---- a plane ---- */

static size_t area(const struct filch_tile *t)
{
	return (t->row_end - t->row) * (t->column_end - t->column);
}

static bool is_empty(const struct filch_tile *t)
{
	return !area(t);
}

static void plane_piece(struct loop *l, const struct filch_tile *t)
{
	uint64_t start;

	if (!loop_goes_on(l))
		return;
	start = l->fixed ? 0 : filch__ticks();
	loop_done(l, area(t), start, l->tile(t, l->context));
}

/* True if the tile is to be divided, and how. */
static bool plane_cut(struct loop *l, const struct filch_tile *t, bool *by_rows)
{
	size_t rows = t->row_end - t->row, columns = t->column_end - t->column;

	if (l->fixed) {
		*by_rows = rows > l->fixed &&
		           (rows >= columns || columns <= l->fixed_columns);
		return rows > l->fixed || columns > l->fixed_columns;
	}
	*by_rows = rows > 1 && (rows >= columns || columns < 2 * LONG);
	return rows * columns > load_rlx(&l->grain); /* a hint */
}

static size_t middle(size_t begin, size_t end)
{
	size_t cut = begin + (end - begin) / 2;

	return cut - cut % ROUND > begin ? cut - cut % ROUND : cut;
}

FILCH_STATIC_TASK_VOID(plane, (struct loop *, l), (struct filch_tile, t))
{
	struct filch_tile left = t, right = t;
	bool by_rows;

	if (is_empty(&t))
		return;
	if (!plane_cut(l, &t, &by_rows)) {
		plane_piece(l, &t);
		return;
	}
	if (by_rows)
		left.row_end = right.row = t.row + (t.row_end - t.row) / 2;
	else
		left.column_end = right.column = middle(t.column, t.column_end);
	FILCH_SPAWN(rest, plane, l, right);
	FILCH_CALL(plane, l, left);
	FILCH_JOIN(rest);
}

/* What is left of a row that was begun, and the rows after it. The caller begins alone, with
 * some microseconds of it. */
struct plane_call {
	struct loop *l;
	struct filch_tile row, rest;
};

/* The next piece for a caller alone: whole rows, or a part of one. */
static struct filch_tile plane_next(struct plane_call *c)
{
	size_t grain = load_rlx(&c->l->grain); /* nobody else */
	struct filch_tile t = is_empty(&c->row) ? c->rest : c->row;

	assert(t.column_end > 0);
	if (is_empty(&c->row) && grain >= t.column_end) {
		if (t.row_end - t.row > grain / t.column_end)
			t.row_end = t.row + grain / t.column_end;
		c->rest.row = t.row_end;
		return t;
	}
	if (is_empty(&c->row)) {
		c->row = t;
		c->rest.row = c->row.row_end = t.row_end = t.row + 1;
	}
	if (t.column_end - t.column > grain)
		t.column_end = t.column + grain;
	c->row.column = t.column_end;
	return t;
}

/* True if something is left to be shared. */
static bool plane_alone(struct plane_call *c)
{
	size_t all = area(&c->rest), left = all;
	uint64_t start = filch__ticks();

	while (left && loop_goes_on(c->l) &&
	       !filch__is_worth(all - left, all, filch__ticks() - start)) {
		struct filch_tile t = plane_next(c);

		plane_piece(c->l, &t);
		left -= area(&t);
	}
	return left && loop_goes_on(c->l);
}

static void plane_here(void *arg)
{
	struct plane_call *c = arg;

	FILCH_SPAWN(rest, plane, c->l, c->rest);
	FILCH_CALL(plane, c->l, c->row);
	FILCH_JOIN(rest);
}

int filch_for_2d_grain(size_t rows, size_t columns, size_t grain_rows,
                       size_t grain_columns,
                       int (*body)(const struct filch_tile *tile, void *context),
                       void *context)
{
	struct plane_call c = {.rest = {0, rows, 0, columns}};
	size_t all;
	struct loop l;

	if (!body || (grain_rows == 0) != (grain_columns == 0) ||
	    __builtin_mul_overflow(rows, columns, &all))
		return -EINVAL;
	if (!all)
		return 0;
	loop_init(&l, context, grain_rows);
	l.tile = body;
	l.fixed_columns = grain_columns;
	c.l = &l;
	if (grain_rows || plane_alone(&c))
		filch__enter_pool(plane_here, &c);
	return load_rlx(&l.result); /* the joins order it */
}

int filch_for_2d(size_t rows, size_t columns,
                 int (*body)(const struct filch_tile *tile, void *context), void *context)
{
	return filch_for_2d_grain(rows, columns, 0, 0, body, context);
}

/* ---- two calls ---- */

struct both {
	void (*one)(void *context);
	void *one_context;
	void (*other)(void *context);
	void *other_context;
};

FILCH_STATIC_TASK_VOID(call_other, (struct both *, b))
{
	b->other(b->other_context);
}

static void both_here(void *arg)
{
	struct both *b = arg;

	FILCH_SPAWN(other, call_other, b);
	b->one(b->one_context);
	FILCH_JOIN(other);
}

void filch_both(void (*one)(void *context), void *one_context,
                void (*other)(void *context), void *other_context)
{
	struct both b = {one, one_context, other, other_context};

	if (!one || !other)
		filch__misuse("filch_both",
		              "there are not two functions to call; pass two");
	if (filch__inside())
		both_here(&b);
	else
		filch__enter_pool(both_here, &b);
}
