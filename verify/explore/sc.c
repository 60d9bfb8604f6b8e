/* SPDX-License-Identifier: MIT */
/*
 * The order of sequentially consistent events: RC11's psc, computed from the graph.
 */
#include <string.h>

#include "explore/graph.h"

static bool happens_before(const struct event *a, const struct event *b)
{
	if (a->thread == b->thread)
		return a->index < b->index;
	return b->seen.at[a->thread] >= a->time;
}

/* b comes after a in a way that all must agree on: a's thread goes on elsewhere, which
 * happens before what b's thread did elsewhere just before b. */
static bool before_by_others(const struct event *a, const struct event *b)
{
	const struct thread_view *ta = &graph.thread[a->thread];
	const struct thread_view *tb = &graph.thread[b->thread];
	const struct event *x = NULL, *y = NULL;

	for (int i = a->index; i < ta->events && !x; i++) {
		x = &graph.event[ta->event[i]];
		if ((x->loc == a->loc && a->loc >= 0) || x->kind == CHOICE)
			x = NULL;
	}
	for (int i = b->index - 2; i >= 0 && !y; i--) {
		y = &graph.event[tb->event[i]];
		if ((y->loc == b->loc && b->loc >= 0) || y->kind == CHOICE)
			y = NULL;
	}
	return x && y && happens_before(x, y);
}

static int read_pos(const struct event *e)
{
	return graph.event[e->from].pos;
}

/* RC11's scb. */
static bool sc_before(const struct event *a, const struct event *b)
{
	if (a == b)
		return false;
	if (a->thread == b->thread)
		return a->index < b->index;
	if (a->loc >= 0 && a->loc == b->loc) {
		if (happens_before(a, b))
			return true;
		if (a->kind & WRITE && b->kind & WRITE && a->pos < b->pos)
			return true;
		if (a->kind & READ && b->kind & WRITE && read_pos(a) < b->pos)
			return true;
	}
	return before_by_others(a, b);
}

/* What a sequentially consistent event stands for at each location: an access for itself,
 * a fence for all that happens after it (the first places written and read) and for all
 * that happens before it (the last places). */
static struct span {
	int16_t first_write[LOCATIONS], first_read[LOCATIONS];
	int16_t last_write[LOCATIONS], last_read[LOCATIONS];
} span[256];

static void span_add(struct span *s, const struct event *e, bool after, bool before)
{
	int write = e->kind & WRITE ? e->pos : -1;
	int read = e->kind & READ ? read_pos(e) : -1;
	int loc = e->loc;

	if (after && write >= 0 && write < s->first_write[loc])
		s->first_write[loc] = (int16_t)write;
	if (after && read >= 0 && read < s->first_read[loc])
		s->first_read[loc] = (int16_t)read;
	if (before && write > s->last_write[loc])
		s->last_write[loc] = (int16_t)write;
	if (before && read > s->last_read[loc])
		s->last_read[loc] = (int16_t)read;
}

static void find_spans(void)
{
	for (int i = 0; i < graph.ordered; i++) {
		const struct event *x = &graph.event[graph.sc[i]];
		struct span *s = &span[i];

		for (int l = 0; l < graph.locations; l++) {
			s->first_write[l] = s->first_read[l] = INT16_MAX;
			s->last_write[l] = s->last_read[l] = -1;
		}
		if (x->kind != FENCE) {
			span_add(s, x, true, true);
			continue;
		}
		for (int k = 0; k < graph.events; k++) {
			const struct event *e = &graph.event[k];

			if (e->loc >= 0)
				span_add(s, e, e->index && happens_before(x, e),
				         happens_before(e, x));
		}
	}
}

/* RC11's psc, for two sequentially consistent events of which one at least is a fence:
 * they are ordered if what they stand for is. */
static bool fence_before(int i, int k)
{
	const struct event *x = &graph.event[graph.sc[i]], *y = &graph.event[graph.sc[k]];
	bool both = x->kind == FENCE && y->kind == FENCE;

	if (happens_before(x, y))
		return true;
	for (int l = 0; l < graph.locations; l++) {
		const struct span *a = &span[i], *b = &span[k];

		if (a->first_write[l] < b->last_write[l] ||
		    a->first_read[l] < b->last_write[l])
			return true;
		if (both && (a->first_write[l] <= b->last_read[l] ||
		             a->first_read[l] < b->last_read[l]))
			return true;
	}
	return false;
}

static bool visit(int at, uint8_t *state)
{
	const struct event *a = &graph.event[graph.sc[at]];

	state[at] = 1;
	for (int i = 0; i < graph.ordered; i++) {
		const struct event *b = &graph.event[graph.sc[i]];
		bool edge;

		if (i == at || state[i] == 2)
			continue;
		edge = a->kind == FENCE || b->kind == FENCE ? fence_before(at, i)
		                                            : sc_before(a, b);
		if (edge && (state[i] == 1 || !visit(i, state)))
			return false;
	}
	state[at] = 2;
	return true;
}

bool graph_sc_holds(void)
{
	uint8_t state[256] = {0};

	if (graph.fences)
		find_spans();
	for (int i = graph.ordered - 1; i >= 0; i--)
		if (!state[i] && !visit(i, state))
			return false;
	return true;
}
