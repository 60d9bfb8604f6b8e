/* SPDX-License-Identifier: MIT */
#include "strand/place.h"

#include <stdlib.h>

#include "strand/above.h"
#include "strand/probe.h"
#include "strand/worker.h"

/* Returns a place for a strand. Its memory is kept as long as the pool, since a late
 * ticket may point to it. `last` is used if there is not even that much memory. */
static struct filch__place *take(struct filch__places *ps, struct filch__place *last)
{
	struct filch__place *p = ps->unused;

	if (p) {
		ps->unused = p->next;
		return p;
	}
	p = calloc(1, sizeof *p);
	if (p)
		return p;
	atomic_init(&last->strand.state, 0);
	return last;
}

static void give(struct filch__places *ps, struct filch__place *p,
                 struct filch__place *last)
{
	if (p == last)
		return;
	p->next = ps->unused;
	ps->unused = p;
}

void filch__places_destroy(struct filch__places *ps)
{
	while (ps->unused) {
		struct filch__place *p = ps->unused;

		ps->unused = p->next;
		free(p);
	}
}

/* Makes s the worker's active strand, and shows that to those who watch. */
static void show(struct filch__worker *w, struct filch__strand *s)
{
	w->active = s;
	store_rlx(&w->running, load_rlx(&s->runs)); /* a look only */
	filch__probe_run(w, s);
}

void filch__place_run(struct filch__worker *w, struct filch__record *r)
{
	struct filch__place last, *place = take(&w->places, &last);
	struct filch__strand *s = &place->strand, *below = w->active;

	assert(w->inside && !w->active);
	FILCH__COUNT(w, in_place, 1);
	filch__strand_init(s, w->pool, r, w->places.lo,
	                   (char *)__builtin_frame_address(0));
	s->stack = NULL;
	show(w, s);
	filch__leave(w);
	filch__strand_run_record(s);
	filch__strand_run_loose(s);
	filch__enter(w);
	filch__probe_stop(w, s, FILCH__BECAUSE(ended));
	filch__offer(w, NULL);
	filch__deque_detach(w, s);
	store_rlx(&s->runs, NULL);    /* a look only */
	store_rlx(&w->running, NULL); /* as above */
	give(&w->places, place, &last);
	w->active = below;
}

void filch__place_wait(struct filch__worker *w, struct filch__strand *s,
                       filch__arm_fn *arm, void *arg)
{
	struct filch__strand *outer = w->places.innermost;

	assert(w->inside && w->active == s && !s->stack);
	if (s->deque && !filch__deque_is_empty(s->deque))
		filch__deque_show(w, s->deque);
	filch__offer(w, NULL);
	filch__strand_wait(s);
	filch__probe_stop(w, s, s->reason);
	if (arm(arg, s)) {
		w->places.innermost = s;
		w->active = NULL;
		store_rlx(&w->running, NULL); /* a look only */
		filch__work_until(w, s);
		assert(w->places.innermost == s && filch__strand_is_woken(s));
		w->places.innermost = outer;
	}
	filch__strand_set(s, FILCH__ACTIVE);
	filch__offer(w, s->deque);
	show(w, s);
}
