/* SPDX-License-Identifier: MIT */
/*
 * Pipelines: items that pass through stages, several at a time.
 *
 *   struct filch_stage stage[] = {
 *       {FILCH_SERIAL, read_block, file},
 *       {FILCH_PARALLEL, compress, NULL},
 *       {FILCH_SERIAL, write_block, archive},
 *   };
 *
 *   filch_pipeline(stage, 3, 0, free);
 *
 * A serial stage has one item at a time, in the order in which the first stage made them;
 * a parallel stage has any number. At most `tokens` items are under way at once, whatever
 * the stages do: memory stays bounded. An item stays with its worker from stage to stage
 * while it can; an item that is too early for a serial stage is left there, and its
 * worker takes another item. Stages may wait (other items continue meanwhile), spawn, and
 * run pipelines of their own.
 */
#ifndef FILCH_PIPELINE_H
#define FILCH_PIPELINE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum filch_stage_kind { FILCH_SERIAL, FILCH_PARALLEL };

struct filch_stage {
	enum filch_stage_kind kind;
	/* Works on *item and may replace it. The first stage is called with NULL there
	 * and puts the next item there; it leaves NULL at the end of its input. If any
	 * other stage leaves NULL, the item is finished and skips the remaining stages. A
	 * nonzero result ends the pipeline. */
	int (*run)(void **item, void *context);
	void *context;
};

/* Runs the stages until the first has no more items and all items are through. If
 * `tokens` is 0, there are four for each worker; there are at most 65536, and fewer if
 * memory is short. If the pipeline ends early, no item enters another stage, and drop()
 * (when not NULL) is called, on any worker, for the items that are under way and for the
 * item that the failing stage left in *item.
 * Errors: the nonzero result of a stage, the first one if there are several; -ECANCELED:
 * the calling task belongs to a group that is cancelled; -EINVAL: there are no stages,
 * one has no run(), or the first is not serial. */
int filch_pipeline(const struct filch_stage *stage, size_t stages, size_t tokens,
                   void (*drop)(void *item));

#ifdef __cplusplus
}
#endif

#endif
