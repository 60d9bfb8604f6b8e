/* SPDX-License-Identifier: MIT */
/*
 * filch bench json: a pipeline that reads pieces, parses several at a time, and merges what
 * was found in the order of the file. While one waits for the disk the others parse.
 */
#include <filch/io.h>
#include <filch/pipeline.h>
#include <filch/task.h>

#include "bench/json/piece.h"
#include "bench/json/run.h"

/* In memory at once, and used in turn: the last stage is through with them in the order of
 * the file, so that the oldest is free when one more may begin. */
#define PIECES 8

struct events {
	struct reader reader;
	size_t made;
	struct piece piece[PIECES];
	struct summary *all;
};

static int read_piece(void **item, void *context)
{
	struct events *x = context;
	struct piece *before = &x->piece[(x->made + PIECES - 1) % PIECES];
	struct piece *p = &x->piece[x->made++ % PIECES];
	int err = piece_fill(p, before, &x->reader);

	*item = !err && p->size ? p : NULL;
	return err;
}

static int parse_piece(void **item, void *context)
{
	struct piece *p = *item;

	(void)context;
	summary_clear(&p->found);
	piece_parse(p, &p->found);
	return 0;
}

static int merge_piece(void **item, void *context)
{
	struct piece *p = *item;
	struct events *x = context;

	summary_merge(x->all, &p->found);
	return 0;
}

FILCH_STATIC_TASK(int, run_stages, (struct events *, x))
{
	struct filch_stage stage[] = {{FILCH_SERIAL, read_piece, x},
	                              {FILCH_PARALLEL, parse_piece, NULL},
	                              {FILCH_SERIAL, merge_piece, x}};

	return filch_pipeline(stage, 3, PIECES, NULL);
}

static void summarise(const struct events_file *f, struct summary *s,
                      struct filch_pool *pool)
{
	struct events x = {.reader = {f->fd, 0, f->size, filch_pread}, .all = s};
	int err = FILCH_RUN_ON(pool, run_stages, &x);

	if (err)
		rounds_fail_errno("cannot read the file of events", -err);
	for (size_t i = 0; i < PIECES; i++)
		piece_free(&x.piece[i]);
}

bool events_filch(const struct rounds_run *run, double *out)
{
	return events_measure(run, out, summarise);
}
