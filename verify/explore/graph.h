/* SPDX-License-Identifier: MIT */
/*
 * The execution so far, as a graph: the events of each thread in program order, the store
 * that each load reads from, and an order of the stores to each location. Grows by one
 * event at a time, and only such that it stays consistent under RC11 (Lahav et al., PLDI
 * 2017). See README.md, "The model".
 */
#ifndef VERIFY_EXPLORE_GRAPH_H
#define VERIFY_EXPLORE_GRAPH_H

#include "explore/explore.h"

#define EVENTS 4096
#define LOCATIONS 128
#define STORES 256 /* a location */

/* How far into each thread something reaches: to the last of its marks (everything that
 * is not a read) that happens before it. A read, or a plain access, that follows mark n
 * has time n + 1: it is known to who knows the mark after it. */
struct clock {
	uint16_t at[EXPLORE_THREADS];
};

/* The newest store to each location that one must know of; -1 for none. */
struct view {
	int locations; /* how many entries are meant; the rest is none */
	int16_t store[LOCATIONS];
};

enum kind {
	READ = 1,
	WRITE = 2,
	UPDATE = READ | WRITE,
	FENCE = 4,
	NOTE = 8,    /* spawn, begin, end, join: has a place in its thread, and no more */
	CHOICE = 16, /* the same, but no step of the program */
};

struct event {
	const struct explore_site *site;
	uint64_t got, value;    /* read, written */
	struct clock seen;      /* what happens before it, itself included */
	struct clock gives;     /* what an acquire that reads from it gets to know */
	uint16_t index, time;   /* place in its thread, from 1; 0: there at the start */
	int16_t loc, from, pos; /* location; event read from; place in its order */
	uint8_t thread, kind;
	enum explore_order order;
};

struct location {
	uintptr_t at;
	size_t size;
	int stores;
	int16_t store[STORES]; /* in their order */
};

struct thread_view {
	struct clock now, acquirable, released; /* the last two are for fences */
	struct view view, acquirable_view, released_view;
	uint64_t read; /* hash of the values it has read */
	uint64_t steps;
	int marks, events;
	int16_t event[EVENTS];
};

/* What tells states apart: the graph itself, or only what can still make a difference
 * (README.md, "When two executions are one"). */
enum identity { BY_GRAPH, BY_EFFECT };

extern struct graph {
	enum identity identity;
	int events, locations, ordered, fences; /* ordered: number of seq_cst events */
	struct event event[EVENTS];
	struct view gives[EVENTS]; /* with event[].gives */
	struct location location[LOCATIONS];
	struct thread_view thread[EXPLORE_THREADS];
	int16_t sc[256];
	uint64_t hash[2]; /* of the events and the order of the stores */
} graph;

void graph_reset(void);

/* The location at `at`; -1 if it has never had a value. */
int graph_find(uintptr_t at);

/* Gives a location its first value, or a new one that is not atomic; `index` 0 stands for
 * a value from before the execution. */
int graph_init(int thread, const struct explore_site *s, uintptr_t at, size_t size,
               uint64_t v, bool before_all);

/* Stores that the thread may read from, newest first, as places in the order. With
 * `merge`, of several with the same value that would tell it nothing else only the
 * oldest, which leaves all later choices open. */
int graph_readable(int thread, int loc, enum explore_order o, bool merge, int16_t *pos);

/* Places in the order where the thread may put a store, last first: right behind the
 * store at pos[i]. For an update, those are what it reads from. */
int graph_writable(int thread, int loc, enum explore_order o, bool update, int16_t *pos);

struct event *graph_read(int thread, const struct explore_site *s, int loc,
                         enum explore_order o, int pos);
struct event *graph_write(int thread, const struct explore_site *s, int loc,
                          enum explore_order o, int pos, bool update, uint64_t value);
struct event *graph_fence(int thread, const struct explore_site *s, enum explore_order o);
/* `value` is what tells one note from another. */
struct event *graph_note(int thread, const struct explore_site *s, enum kind kind,
                         uint64_t value);

/* What a thread learns when it joins another. */
void graph_join(int thread, int other);

/* The thread has read this value of plain memory, and may act on it. */
void graph_remember(int thread, uint64_t value);

/* The thread's local state is `state` from here on, whatever it has read to get there. */
void graph_forget(int thread, uint64_t state);

/* Adds what tells this state from another to h. Of threads in `ended`, only
 * what thread 0 may learn by joining them counts. */
void graph_identify(uint64_t h[2], int threads, unsigned ended);

/* Spreads a number over 64 bits. */
uint64_t graph_mix(uint64_t x);

/* ---- among the parts of the graph ---- */

/* The newest store to a location in a view; -1 for none. */
int graph_newest(const struct view *v, int loc);

/* Adds an event to the hash. */
void graph_count_event(const struct event *e);

/* Adds a store and its predecessor in their order; with sign -1 takes them out again. */
void graph_count_pair(const struct location *l, int pos, int sign);

/* True if no cycle goes through the sequentially consistent events. */
bool graph_sc_holds(void);

static inline struct event *graph_store_at(int loc, int pos)
{
	return &graph.event[graph.location[loc].store[pos]];
}

static inline void clock_join(struct clock *a, const struct clock *b)
{
	for (int i = 0; i < EXPLORE_THREADS; i++)
		a->at[i] = a->at[i] > b->at[i] ? a->at[i] : b->at[i];
}

static inline bool clock_within(const struct clock *a, const struct clock *b)
{
	for (int i = 0; i < EXPLORE_THREADS; i++)
		if (a->at[i] > b->at[i])
			return false;
	return true;
}

#endif
