/* SPDX-License-Identifier: MIT */
/* kinds: bwos_lifo bwos_fifo */
/*
 * A thief stops between reserving and reading. The owner needs the block, sets it aside
 * and goes on with another; when the thief is done, the block comes back.
 */
#include "queue/frame.h"

#define RESERVE FILCH__PASTE3(filch__, FILCH_QUEUE, _reserve)

/* The next one that has to be set aside is replaced by the first, which is idle now. */
static void bring_back(const struct filch__block *b)
{
	struct worker *w = scene();
	struct filch__claim c;
	filch_entry e;

	if (RESERVE(&w->thief, 1, &c) != FILCH_OK)
		return;
	for (int i = 0; i < 6 && s->q.order.aside == b; i++) {
		put(1);
		if (s->q.order.aside == b)
			get(1);
	}
	if (s->q.order.aside && s->q.order.aside != b) {
		COVER("came back");
		CHECK(!s->q.order.aside->next_aside);
	}
	filch__block_finish(&c, &e);
	keep(w, e);
}

CLIENT(TITLE("bwos/aside"))
{
	static const struct filch_queue_options lifo = {1, 2, true, 0};
	static const struct filch_queue_options fifo = {1, 4, true, 0};

	begin(&state, IS_FIFO ? &fifo : &lifo);
	put(IS_FIFO ? 4 : 2);
	start(steal_once);
	get(IS_FIFO ? 3 : 0);
	put(IS_FIFO ? 2 : 1);
	if (s->q.order.aside) {
		struct filch__block *b = s->q.order.aside;

		COVER("set aside");
		wait_for_thieves();
		bring_back(b);
	}
	finish();
}
