/* SPDX-License-Identifier: MIT */
/*
 * A loop over a line or a plane: the state that its pieces share, how pieces are taken
 * from its front, and how the rest of it is halved by spawns. for.c decides when each of
 * these happens.
 */
#ifndef FILCH_ALGO_LOOP_H
#define FILCH_ALGO_LOOP_H

#include <filch/for.h>
#include <stdbool.h>
#include <stddef.h>

#include "algo/enter.h"
#include "algo/pace.h"
#include "base/atomic.h"

struct filch__loop {
	/* First: see FILCH__SHOWS_BEHIND. Set by for.c: the function of the user's by which
	 * the loop is shown, mostly the body. */
	filch__function *shown;
	/* Written by loop.c, after any piece. */
	struct filch__pace pace;
	_Atomic(int) result; /* the first that is nonzero; it ends the loop */
	/* Set by for.c before the loop begins. Exactly one of the bodies is set. */
	int (*line_body)(size_t begin, size_t end, void *context);
	int (*plane_body)(const struct filch_tile *tile, void *context);
	void *context;
	size_t fixed;         /* the caller's grain: indices of a line, rows of a plane;
	                       * 0: none, and the pieces find out the grain */
	size_t fixed_columns; /* the caller's grain in columns of a plane */
	bool is_long;         /* what is left is worth waking a worker; set by loop.c */
	/* The iterations left to be taken or halved: a row, and the whole rows below it.
	 * A line is one row. Set by for.c; then written by loop.c, on one strand at a
	 * time. */
	struct filch_tile row, rows;
};

/* Does the same as filch_for(), for a body that is not the user's: the loop is shown as
 * `shown`, which is. */
int filch__for_as(filch__function *shown, size_t begin, size_t end,
                  int (*body)(size_t begin, size_t end, void *context), void *context);

/* Prepares the state that the pieces share. */
void filch__loop_begin(struct filch__loop *l);

/* Returns how many iterations are left, that is, not yet taken by a piece. */
size_t filch__loop_left(const struct filch__loop *l);

/* Returns false if a piece has failed or the caller's group is cancelled: then no other
 * piece should begin. */
bool filch__loop_goes_on(struct filch__loop *l);

/* Does as many of the next n iterations as make one piece, and returns how many: whole
 * rows, or a part of one. Caller: something is left. */
size_t filch__loop_do_next(struct filch__loop *l, size_t n);

/* Takes the next iteration for filch__loop_do_first(), which may then run while another
 * strand works on what is left. */
struct filch_tile filch__loop_take_first(struct filch__loop *l);
void filch__loop_do_first(struct filch__loop *l, const struct filch_tile *first);

/* The caller has worked alone, and its last pieces had n iterations. The pieces of the
 * rest begin with as many, and should take longer if the rest is long. */
void filch__loop_expect(struct filch__loop *l, size_t n);

/* Halves what is left by spawns, down to pieces, and does all of them. */
void filch__loop_share(void *loop);

#endif
