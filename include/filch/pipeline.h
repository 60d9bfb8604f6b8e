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
 * a parallel stage any number. At most `tokens` items are under way at once, whatever the
 * stages do: memory stays bounded. An item stays with its worker from stage to stage
 * while it can; one that is too early for a serial stage is left there, and its worker
 * takes another. Stages may wait (then others go on), spawn, and call pipelines of their
 * own.
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
	 * and puts the next item there; it leaves NULL at the end of its input. NULL from
	 * any other stage: the item is done with and skips the rest. Not zero as a result
	 * ends the pipeline. */
	int (*run)(void **item, void *context);
	void *context;
};

/* Runs the stages until the first has no more items and all are through. tokens 0: four
 * for each worker; at most 65536, and fewer without memory. If it ends early, no item
 * enters another stage, and drop() (when not NULL) is called for those that are under
 * way, from any worker, and for what the failing stage left in *item.
 * Errors: what a stage returns, the first one if there are several; -ECANCELED: the task
 * that calls belongs to a group that is cancelled; -EINVAL: no stages, one without run(),
 * or the first is not serial. */
int filch_pipeline(const struct filch_stage *stage, size_t stages, size_t tokens,
                   void (*drop)(void *item));

#ifdef __cplusplus
}
#endif

#endif
