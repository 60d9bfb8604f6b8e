/* SPDX-License-Identifier: MIT */
#include "explore/graph.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

struct graph graph;

static bool acquires(enum explore_order o)
{
	return o == EXPLORE_ACQ || o >= EXPLORE_ACQ_REL;
}

static bool releases(enum explore_order o)
{
	return o >= EXPLORE_REL;
}

void graph_reset(void)
{
	graph.events = graph.locations = graph.ordered = graph.fences = 0;
	graph.hash[0] = graph.hash[1] = 0;
	for (int i = 0; i < EXPLORE_THREADS; i++) {
		struct thread_view *t = &graph.thread[i];

		memset(&t->now, 0, sizeof t->now);
		memset(&t->acquirable, 0, sizeof t->acquirable);
		memset(&t->released, 0, sizeof t->released);
		t->view.locations = t->acquirable_view.locations = 0;
		t->released_view.locations = 0;
		t->read = t->steps = 0;
		t->marks = t->events = 0;
	}
}

/* ---- views ---- */

int graph_newest(const struct view *v, int loc)
{
	return loc < v->locations ? v->store[loc] : -1;
}

static void learn(struct view *v, int loc, int store)
{
	int known = graph_newest(v, loc);

	while (v->locations <= loc)
		v->store[v->locations++] = -1;
	if (known < 0 || graph.event[store].pos > graph.event[known].pos)
		v->store[loc] = (int16_t)store;
}

static void view_join(struct view *v, const struct view *other)
{
	for (int i = 0; i < other->locations; i++)
		if (other->store[i] >= 0)
			learn(v, i, other->store[i]);
}

/* ---- growing and shrinking ---- */

static struct event *add(int thread, const struct explore_site *s, enum kind kind,
                         enum explore_order o, int loc)
{
	struct thread_view *t = &graph.thread[thread];
	struct event *e = &graph.event[graph.events];

	if (graph.events == EVENTS)
		explore_fail(s->file, s->line, "more than %d events: does it end?",
		             EVENTS);
	e->site = s;
	e->kind = (uint8_t)kind;
	e->order = o;
	e->thread = (uint8_t)thread;
	e->loc = (int16_t)loc;
	e->from = e->pos = -1;
	e->got = e->value = 0;
	memset(&e->gives, 0, sizeof e->gives);
	graph.gives[graph.events].locations = 0;
	t->event[t->events++] = (int16_t)graph.events;
	e->index = (uint16_t)t->events;
	if (kind == READ) {
		e->time = (uint16_t)(t->marks + 1);
	} else {
		e->time = (uint16_t)++t->marks;
		t->now.at[thread] = e->time;
	}
	graph.events++;
	if (o == EXPLORE_SC) {
		assert(graph.ordered < 256);
		graph.sc[graph.ordered++] = (int16_t)(graph.events - 1);
		graph.fences += kind == FENCE;
	}
	return e;
}

static void insert(struct location *l, int pos, int id)
{
	if (l->stores == STORES)
		explore_fail("", 0, "more than %d stores to one location", STORES);
	graph_count_pair(l, pos, -1);
	memmove(&l->store[pos + 1], &l->store[pos],
	        (size_t)(l->stores - pos) * sizeof l->store[0]);
	l->store[pos] = (int16_t)id;
	l->stores++;
	for (int i = pos; i < l->stores; i++)
		graph.event[l->store[i]].pos = (int16_t)i;
	graph_count_pair(l, pos, 1);
	graph_count_pair(l, pos + 1, 1);
}

static void extract(struct location *l, int pos)
{
	graph_count_pair(l, pos, -1);
	graph_count_pair(l, pos + 1, -1);
	l->stores--;
	memmove(&l->store[pos], &l->store[pos + 1],
	        (size_t)(l->stores - pos) * sizeof l->store[0]);
	for (int i = pos; i < l->stores; i++)
		graph.event[l->store[i]].pos = (int16_t)i;
	graph_count_pair(l, pos, 1);
}

/* Removes the event added last, which was only to try it out: the thread has learned
 * nothing from it yet. */
static void undo(void)
{
	struct event *e = &graph.event[graph.events - 1];
	struct thread_view *t = &graph.thread[e->thread];

	if (e->kind & WRITE)
		extract(&graph.location[e->loc], e->pos);
	if (e->order == EXPLORE_SC) {
		graph.ordered--;
		graph.fences -= e->kind == FENCE;
	}
	graph.events--;
	t->events--;
	if (e->kind != READ)
		t->now.at[e->thread] = (uint16_t)--t->marks;
}

int graph_find(uintptr_t at)
{
	for (int i = graph.locations - 1; i >= 0; i--)
		if (graph.location[i].at == at)
			return i;
	return -1;
}

int graph_init(int thread, const struct explore_site *s, uintptr_t at, size_t size,
               uint64_t v, bool before_all)
{
	int loc = graph_find(at);
	struct location *l;
	struct event *e;

	if (loc < 0) {
		loc = graph.locations++;
		if (loc == LOCATIONS)
			explore_fail(s->file, s->line, "more than %d locations",
			             LOCATIONS);
		l = &graph.location[loc];
		l->at = at;
		l->size = size;
		l->stores = 0;
	}
	l = &graph.location[loc];
	e = add(thread, s, WRITE, EXPLORE_RLX, loc);
	e->value = v;
	if (before_all) {
		/* As if it were no event of any thread. */
		graph.thread[thread].events--;
		graph.thread[thread].now.at[thread] =
			(uint16_t)--graph.thread[thread].marks;
		e->index = e->time = 0;
		memset(&e->seen, 0, sizeof e->seen);
		l->store[l->stores++] = (int16_t)(graph.events - 1);
		e->pos = 0;
		return loc;
	}
	e->seen = graph.thread[thread].now;
	graph_count_event(e);
	insert(l, l->stores, graph.events - 1);
	learn(&graph.thread[thread].view, loc, graph.events - 1);
	return loc;
}

/* ---- what is allowed ---- */

/* The newest store of which the thread knows: coherence forbids to go behind it. */
static int known(int thread, int loc)
{
	int store = graph_newest(&graph.thread[thread].view, loc);

	return store < 0 ? 0 : graph.event[store].pos;
}

static bool sc_matters(enum explore_order o)
{
	return o == EXPLORE_SC ? graph.ordered > 0 : graph.fences && graph.ordered > 1;
}

/* Raw growth, without what the thread learns from it. */
static struct event *raw_read(int thread, const struct explore_site *s, int loc,
                              enum explore_order o, int pos)
{
	struct event *e = add(thread, s, READ, o, loc);

	e->from = graph.location[loc].store[pos];
	e->got = graph.event[e->from].value;
	e->seen = graph.thread[thread].now;
	if (acquires(o))
		clock_join(&e->seen, &graph.event[e->from].gives);
	return e;
}

static struct event *raw_write(int thread, const struct explore_site *s, int loc,
                               enum explore_order o, int pos, bool update, uint64_t value)
{
	struct location *l = &graph.location[loc];
	int16_t from = l->store[pos];
	struct event *e = add(thread, s, update ? UPDATE : WRITE, o, loc);

	e->value = value;
	e->seen = graph.thread[thread].now;
	if (update) {
		e->from = from;
		e->got = graph.event[from].value;
		if (acquires(o))
			clock_join(&e->seen, &graph.event[from].gives);
		e->gives = graph.event[from].gives; /* a release sequence goes on */
	}
	clock_join(&e->gives, releases(o) ? &e->seen : &graph.thread[thread].released);
	insert(l, pos + 1, graph.events - 1);
	return e;
}

int graph_readable(int thread, int loc, enum explore_order o, bool merge, int16_t *pos)
{
	static const struct explore_site trial = {"", 0, "", ""};
	struct location *l = &graph.location[loc];
	const struct clock *now = &graph.thread[thread].now;
	int n = 0, from = known(thread, loc);

	for (int p = l->stores - 1; p >= from; p--) {
		if (sc_matters(o)) {
			bool holds;

			raw_read(thread, &trial, loc, o, p);
			holds = graph_sc_holds();
			undo();
			if (!holds)
				continue;
		}
		pos[n++] = (int16_t)p;
	}
	if (!merge || o == EXPLORE_SC || graph.fences)
		return n;
	/* From the oldest: keep a store unless an older one says the same. */
	for (int i = n - 2; i >= 0; i--) {
		struct event *e = graph_store_at(loc, pos[i]);

		if (!clock_within(&e->gives, now) && acquires(o))
			continue;
		for (int k = i + 1; k < n; k++) {
			struct event *older = graph_store_at(loc, pos[k]);

			if (older->value == e->value &&
			    (!acquires(o) || clock_within(&older->gives, now))) {
				memmove(&pos[i], &pos[i + 1],
				        (size_t)(n - i - 1) * sizeof *pos);
				n--;
				break;
			}
		}
	}
	return n;
}

int graph_writable(int thread, int loc, enum explore_order o, bool update, int16_t *pos)
{
	static const struct explore_site trial = {"", 0, "", ""};
	struct location *l = &graph.location[loc];
	int n = 0, from = known(thread, loc);

	for (int p = l->stores - 1; p >= from; p--) {
		/* Nothing comes between an update and what it read. */
		if (p + 1 < l->stores && graph_store_at(loc, p + 1)->kind == UPDATE)
			continue;
		if (sc_matters(o)) {
			bool holds;

			raw_write(thread, &trial, loc, o, p, update, 0);
			holds = graph_sc_holds();
			undo();
			if (!holds)
				continue;
		}
		pos[n++] = (int16_t)p;
	}
	return n;
}

/* What reading brings a thread. */
static void learn_from(struct thread_view *t, const struct event *e)
{
	t->now = e->seen;
	graph_remember(e->thread, e->got);
	learn(&t->view, e->loc, e->from);
	if (acquires(e->order))
		view_join(&t->view, &graph.gives[e->from]);
	clock_join(&t->acquirable, &graph.event[e->from].gives);
	view_join(&t->acquirable_view, &graph.gives[e->from]);
}

struct event *graph_read(int thread, const struct explore_site *s, int loc,
                         enum explore_order o, int pos)
{
	struct event *e = raw_read(thread, s, loc, o, pos);
	struct thread_view *t = &graph.thread[thread];

	learn_from(t, e);
	graph_count_event(e);
	return e;
}

struct event *graph_write(int thread, const struct explore_site *s, int loc,
                          enum explore_order o, int pos, bool update, uint64_t value)
{
	struct event *e = raw_write(thread, s, loc, o, pos, update, value);
	struct thread_view *t = &graph.thread[thread];
	struct view *gives = &graph.gives[e - graph.event];

	if (update) {
		learn_from(t, e);
		*gives = graph.gives[e->from];
	}
	learn(&t->view, loc, graph.events - 1);
	view_join(gives, releases(o) ? &t->view : &t->released_view);
	graph_count_event(e);
	return e;
}

struct event *graph_fence(int thread, const struct explore_site *s, enum explore_order o)
{
	struct thread_view *t = &graph.thread[thread];
	struct event *e = add(thread, s, FENCE, o, -1);

	if (acquires(o)) {
		clock_join(&t->now, &t->acquirable);
		view_join(&t->view, &t->acquirable_view);
	}
	e->seen = t->now;
	if (releases(o)) {
		t->released = t->now;
		t->released_view = t->view;
	}
	graph_count_event(e);
	return e;
}

struct event *graph_note(int thread, const struct explore_site *s, enum kind kind,
                         uint64_t value)
{
	struct event *e = add(thread, s, kind, EXPLORE_RLX, -1);

	e->value = value;
	e->seen = graph.thread[thread].now;
	graph_remember(thread, value);
	graph_count_event(e);
	return e;
}

void graph_join(int thread, int other)
{
	struct thread_view *t = &graph.thread[thread], *o = &graph.thread[other];

	clock_join(&t->now, &o->now);
	t->now.at[other] = (uint16_t)(o->marks + 1); /* its last plain accesses, too */
	view_join(&t->view, &o->view);
}
