/* SPDX-License-Identifier: MIT */
/*
 * What tells one state from another, as a hash. See README.md, "When two executions are
 * one".
 */
#include <string.h>

#include "explore/graph.h"

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

void graph_count_event(const struct event *e)
{
	uint64_t h = mix2(name_of(e), e->kind);

	if (graph.identity == BY_GRAPH) {
		if (e->kind & READ)
			h = mix2(h, name_of(&graph.event[e->from]));
		else if (e->kind & (NOTE | CHOICE))
			h = mix2(h, e->value);
	} else if (e->kind & WRITE) {
		h = mix2(mix2(h, graph.location[e->loc].at), e->value);
		h = hash_view(hash_clock(h, &e->gives), &graph.gives[e - graph.event]);
	} else {
		return; /* in its thread's part */
	}
	count(h, 1);
}

void graph_count_pair(const struct location *l, int pos, int sign)
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
	graph.thread[thread].read = mix2(state, ++graph.thread[thread].steps);
}

/* What `to` does not know yet and will learn when it joins `t`. */
static uint64_t hash_news(const struct thread_view *t, const struct thread_view *to)
{
	uint64_t h = 0;

	for (int i = 0; i < EXPLORE_THREADS; i++)
		if (t->now.at[i] > to->now.at[i])
			h += mix2((uint64_t)i, t->now.at[i]);
	for (int i = 0; i < t->view.locations; i++) {
		int mine = t->view.store[i], theirs = graph_newest(&to->view, i);

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
