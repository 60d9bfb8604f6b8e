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
		t->read = 0;
		t->marks = t->events = 0;
	}
}

/* ---- views ---- */

static int newest(const struct view *v, int loc)
{
	return loc < v->locations ? v->store[loc] : -1;
}

static void learn(struct view *v, int loc, int store)
{
	int known = newest(v, loc);

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

/* ---- identity ---- */

uint64_t graph_mix(uint64_t x)
{
	x ^= x >> 32;
	x *= 0xd6e8feb86659fd93u;
	x ^= x >> 32;
	x *= 0xd6e8feb86659fd93u;
	return x ^ x >> 32;
}

static uint64_t mix2(uint64_t h, uint64_t x)
{
	return graph_mix(h * 0x9e3779b97f4a7c15u + x + 1);
}

static uint64_t name_of(const struct event *e)
{
	return (uint64_t)e->thread << 16 |
	       (graph.identity == BY_GRAPH ? e->index : e->time);
}

static uint64_t hash_clock(uint64_t h, const struct clock *c)
{
	uint64_t half[2];

	_Static_assert(sizeof half == sizeof *c, "a clock is two words");
	memcpy(half, c, sizeof half);
	return mix2(mix2(h, half[0]), half[1]);
}

static uint64_t hash_view(uint64_t h, const struct view *v)
{
	for (int i = 0; i < v->locations; i++)
		if (v->store[i] >= 0)
			h += mix2(graph.location[i].at,
			          name_of(&graph.event[v->store[i]]));
	return h;
}

/* A sum, so that the order in which the parts were added does not matter. */
static void count(uint64_t x, int sign)
{
	uint64_t y = graph_mix(x + 0x632be59bd9b4e019u);

	graph.hash[0] += sign > 0 ? x : -x;
	graph.hash[1] += sign > 0 ? y : -y;
}

static void count_event(const struct event *e, int sign)
{
	uint64_t h = mix2(name_of(e), e->kind);

	if (graph.identity == BY_GRAPH) {
		if (e->kind & READ)
			h = mix2(h, name_of(&graph.event[e->from]));
		else if (e->kind & NOTE)
			h = mix2(h, e->value);
	} else if (e->kind & WRITE) {
		h = mix2(mix2(h, graph.location[e->loc].at), e->value);
		h = hash_view(hash_clock(h, &e->gives), &graph.gives[e - graph.event]);
	} else {
		return; /* in its thread's part */
	}
	count(h, sign);
}

static void count_pair(const struct location *l, int pos, int sign)
{
	if (pos > 0 && pos < l->stores)
		count(mix2(mix2(1000, name_of(&graph.event[l->store[pos - 1]])),
		           name_of(&graph.event[l->store[pos]])),
		      sign);
}

void graph_remember(int thread, uint64_t value)
{
	graph.thread[thread].read = mix2(graph.thread[thread].read, value);
}

void graph_forget(int thread, uint64_t state)
{
	graph.thread[thread].read = graph_mix(state);
}

/* What `to` does not know yet and will learn when it joins `t`. */
static uint64_t hash_news(const struct thread_view *t, const struct thread_view *to)
{
	uint64_t h = 0;

	for (int i = 0; i < EXPLORE_THREADS; i++)
		if (t->now.at[i] > to->now.at[i])
			h += mix2((uint64_t)i, t->now.at[i]);
	for (int i = 0; i < t->view.locations; i++) {
		int mine = t->view.store[i], theirs = newest(&to->view, i);

		if (mine >= 0 &&
		    (theirs < 0 || graph.event[mine].pos > graph.event[theirs].pos))
			h += mix2(graph.location[i].at, name_of(&graph.event[mine]));
	}
	return h;
}

void graph_identify(uint64_t h[2], int threads, unsigned ended)
{
	h[0] += graph.hash[0];
	h[1] += graph.hash[1];
	if (graph.identity == BY_GRAPH)
		return;
	for (int i = 0; i < threads; i++) {
		const struct thread_view *t = &graph.thread[i];
		uint64_t x = mix2(mix2((uint64_t)i, (uint64_t)t->marks), t->read);

		if (ended >> i & 1)
			x += hash_news(t, &graph.thread[0]);
		else
			x = hash_view(hash_clock(x, &t->now), &t->view);
		h[0] += graph_mix(x);
		h[1] += graph_mix(x ^ 0x632be59bd9b4e019u);
	}
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
	count_pair(l, pos, -1);
	memmove(&l->store[pos + 1], &l->store[pos],
	        (size_t)(l->stores - pos) * sizeof l->store[0]);
	l->store[pos] = (int16_t)id;
	l->stores++;
	for (int i = pos; i < l->stores; i++)
		graph.event[l->store[i]].pos = (int16_t)i;
	count_pair(l, pos, 1);
	count_pair(l, pos + 1, 1);
}

static void extract(struct location *l, int pos)
{
	count_pair(l, pos, -1);
	count_pair(l, pos + 1, -1);
	l->stores--;
	memmove(&l->store[pos], &l->store[pos + 1],
	        (size_t)(l->stores - pos) * sizeof l->store[0]);
	for (int i = pos; i < l->stores; i++)
		graph.event[l->store[i]].pos = (int16_t)i;
	count_pair(l, pos, 1);
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
	count_event(e, 1);
	insert(l, l->stores, graph.events - 1);
	learn(&graph.thread[thread].view, loc, graph.events - 1);
	return loc;
}

/* ---- the order of sequentially consistent events (RC11, psc) ---- */

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
		if (x->loc == a->loc && a->loc >= 0)
			x = NULL;
	}
	for (int i = b->index - 2; i >= 0 && !y; i--) {
		y = &graph.event[tb->event[i]];
		if (y->loc == b->loc && b->loc >= 0)
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

static bool sc_holds(void)
{
	uint8_t state[256] = {0};

	if (graph.fences)
		find_spans();
	for (int i = graph.ordered - 1; i >= 0; i--)
		if (!state[i] && !visit(i, state))
			return false;
	return true;
}

/* ---- what is allowed ---- */

/* The newest store of which the thread knows: coherence forbids to go behind it. */
static int known(int thread, int loc)
{
	int store = newest(&graph.thread[thread].view, loc);

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
			holds = sc_holds();
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
			holds = sc_holds();
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
	t->read = mix2(t->read, e->got);
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
	count_event(e, 1);
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
	count_event(e, 1);
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
	count_event(e, 1);
	return e;
}

struct event *graph_note(int thread, const struct explore_site *s, uint64_t value)
{
	struct event *e = add(thread, s, NOTE, EXPLORE_RLX, -1);

	e->value = value;
	e->seen = graph.thread[thread].now;
	graph_remember(thread, value);
	count_event(e, 1);
	return e;
}

void graph_join(int thread, int other)
{
	struct thread_view *t = &graph.thread[thread], *o = &graph.thread[other];

	clock_join(&t->now, &o->now);
	t->now.at[other] = (uint16_t)(o->marks + 1); /* its last plain accesses, too */
	view_join(&t->view, &o->view);
}
