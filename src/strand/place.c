/* SPDX-License-Identifier: MIT */
#include "strand/place.h"

#include <stdlib.h>
#include <string.h>

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
	store_rlx(&s->runs, 0);    /* a look only */
	store_rlx(&w->running, 0); /* as above */
	give(&w->places, place, &last);
	w->active = below;
}

/* ---- how much room there is ---- */

/* Decides what may still be begun in place, on top of this frame. */
static void measure(struct filch__places *ps, const char *frame)
{
	size_t left = (size_t)(frame - ps->lo), all = (size_t)(ps->hi - ps->lo);

	ps->full[FILCH__SHALLOW] = left < all / 2;
	ps->full[FILCH__DEEP] = left < all / 4;
}

/* Returns true if the next strand that the worker begins has a stack. */
static bool has_stack(struct filch__worker *w)
{
	for (unsigned d = 0; d < FILCH__DEPTHS; d++) {
		struct filch__stack_cache *c = &w->passage.stacks[d];
		struct filch__stack *s = filch__stack_take(&w->stacks[d], c);

		if (!s)
			continue;
		filch__stack_give(&w->stacks[d], c, s);
		return true;
	}
	return false;
}

void filch__places_look_slow(struct filch__worker *w)
{
	bool none = !has_stack(w);

	for (unsigned d = 0; d < FILCH__DEPTHS; d++)
		w->places.starved[d] = w->places.full[d] && none;
}

/* Does other work on top of a strand that waits in place, until it may resume. */
static void work_above(struct filch__worker *w, struct filch__strand *s)
{
	struct filch__places *ps = &w->places;
	const struct filch__places before = *ps;

	ps->innermost = s;
	measure(ps, __builtin_frame_address(0));
	filch__work_until(w, s);
	assert(ps->innermost == s && filch__strand_is_woken(s));
	ps->innermost = before.innermost;
	memcpy(ps->full, before.full, sizeof ps->full);
	memcpy(ps->starved, before.starved, sizeof ps->starved);
}

void filch__place_wait(struct filch__worker *w, struct filch__strand *s,
                       filch__arm_fn *arm, void *arg)
{
	assert(w->inside && w->active == s && !s->stack);
	if (s->deque && !filch__deque_is_empty(s->deque))
		filch__deque_show(w, s->deque);
	filch__offer(w, NULL);
	filch__strand_wait(s);
	filch__probe_stop(w, s, s->reason);
	if (arm(arg, s)) {
		w->active = NULL;
		store_rlx(&w->running, 0); /* a look only */
		work_above(w, s);
	}
	filch__strand_set(s, FILCH__ACTIVE);
	filch__offer(w, s->deque);
	show(w, s);
}
