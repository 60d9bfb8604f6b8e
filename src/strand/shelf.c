/* SPDX-License-Identifier: MIT */
#include "strand/shelf.h"

#include "strand/expose.h"
#include "strand/worker.h"

static void count(struct filch__shelf *shelf, uint32_t change)
{
	store_rlx(&shelf->count, load_rlx(&shelf->count) + change); /* under the lock */
	assert((load_rlx(&shelf->count) == 0) ==                    /* as above */
	       filch__list_empty(&shelf->strands));
}

/* Caller: holds the lock. */
static void put_on(struct filch__shelf *shelf, struct filch__strand *s)
{
	s->on_shelf = true;
	filch__list_push_last(&shelf->strands, &s->shelf_link);
	count(shelf, 1);
}

void filch__shelve(struct filch__worker *w, struct filch__strand *s)
{
	struct filch__shelf *shelf = &w->shelf;

	assert(!s->shelf);
	s->shelf = shelf;
	filch__lock(&shelf->lock);
	put_on(shelf, s);
	filch__unlock(&shelf->lock);
}

/* Caller: holds the lock. */
static void take_off(struct filch__shelf *shelf, struct filch__strand *s)
{
	assert(s->on_shelf && s->stack);
	s->on_shelf = false;
	filch__list_remove(&shelf->strands, &s->shelf_link);
	count(shelf, UINT32_MAX);
}

void filch__unshelve(struct filch__strand *s)
{
	struct filch__shelf *shelf = s->shelf;

	s->shelf = NULL;
	filch__lock(&shelf->lock); /* comes after a sweep of the strand */
	if (s->on_shelf)
		take_off(shelf, s);
	filch__unlock(&shelf->lock);
}

bool filch__shelf_sweep(struct filch__worker *w, struct filch__worker *v, unsigned most)
{
	struct filch__shelf *shelf = &v->shelf;
	bool found = false;

	for (; most && !found && !filch__shelf_empty(shelf); most--) {
		struct filch__strand *s;

		if (!filch__deque_ready(w))
			break; /* no memory: the tasks wait until their strand resumes */
		filch__lock(&shelf->lock); /* the worker that resumes s waits for this */
		s = FILCH__HOLDER(v == w ? shelf->strands.last : shelf->strands.first,
		                  struct filch__strand, shelf_link);
		if (s) {
			take_off(shelf, s);
			found = filch__expose_stopped(w, s);
			if (s->left_off)
				put_on(shelf, s); /* to be continued */
		}
		filch__unlock(&shelf->lock);
	}
	return found;
}
