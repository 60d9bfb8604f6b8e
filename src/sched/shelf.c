/* SPDX-License-Identifier: MIT */
#include "sched/shelf.h"

#include "sched/expose.h"
#include "sched/strand.h"
#include "sched/worker.h"

static void shelf_add(struct filch__shelf *shelf, uint32_t n)
{
	store_rlx(&shelf->count, load_rlx(&shelf->count) + n); /* under the lock */
}

void filch__shelve(struct filch__worker *w, struct filch__strand *s)
{
	struct filch__shelf *shelf = &w->shelf;

	s->shelf = shelf;
	filch__lock(&shelf->lock);
	s->on_shelf = true;
	s->newer = NULL;
	s->older = shelf->newest;
	if (s->older)
		s->older->newer = s;
	else
		shelf->oldest = s;
	shelf->newest = s;
	shelf_add(shelf, 1);
	filch__unlock(&shelf->lock);
}

static void take_off(struct filch__shelf *shelf, struct filch__strand *s)
{
	s->on_shelf = false;
	if (s->newer)
		s->newer->older = s->older;
	else
		shelf->newest = s->older;
	if (s->older)
		s->older->newer = s->newer;
	else
		shelf->oldest = s->newer;
	shelf_add(shelf, UINT32_MAX);
}

void filch__unshelve(struct filch__strand *s)
{
	struct filch__shelf *shelf = s->shelf;

	s->shelf = NULL;
	filch__lock(&shelf->lock); /* comes after a sweep of it */
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
			break; /* no memory: they wait until their strand goes on */
		filch__lock(&shelf->lock); /* who is to run it waits for this */
		s = v == w ? shelf->newest : shelf->oldest;
		if (s) {
			take_off(shelf, s);
			found = filch__expose_stopped(w, s);
		}
		filch__unlock(&shelf->lock);
	}
	return found;
}
