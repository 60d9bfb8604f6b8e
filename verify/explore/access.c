/* SPDX-License-Identifier: MIT */
/*
 * Each atomic access of the client, as an event of the graph.
 */
#include <stdlib.h>
#include <string.h>

#include "explore/graph.h"
#include "explore/plain.h"
#include "explore/search.h"

static const struct explore_site here = {"", 0, "", ""};

static bool site_is(const struct explore_site *s, const char *name)
{
	const char *colon = strchr(name, ':');
	size_t n = (size_t)(colon - name), file = strlen(s->file);
	char *end;

	if (file < n || memcmp(s->file + file - n, name, n) ||
	    strtol(colon + 1, &end, 10) != s->line)
		return false;
	return *end != ':' || !strcmp(end + 1, s->op);
}

/* The order of an access, unless this run is to weaken it: sequentially consistent to
 * acquire and release, all others to relaxed. */
static enum explore_order order_of(const struct explore_site *s, enum explore_order o,
                                   enum kind kind)
{
	if (o == EXPLORE_SC)
		search_need_exact();
	if (!search.option.weaken || !site_is(s, search.option.weaken))
		return o;
	if (o != EXPLORE_SC)
		return EXPLORE_RLX;
	return kind == READ ? EXPLORE_ACQ : kind == WRITE ? EXPLORE_REL : EXPLORE_ACQ_REL;
}

/* The location of an access, whose value must have been set in a way that this thread
 * knows of. */
static int location_of(const struct explore_site *s, const void *p, size_t size)
{
	uintptr_t at = (uintptr_t)p;
	int loc = graph_find(at);
	struct event *first;

	plain_atomic(s, search.current, at, size);
	if (loc < 0) {
		if (!plain_static(at))
			explore_fail(s->file, s->line, "%s %s: it was never initialised",
			             s->op, s->what);
		loc = graph_init(0, &here, at, size, 0, true);
	}
	if (graph.location[loc].size != size)
		explore_fail(s->file, s->line, "%s %s: accessed with %zu bytes and %zu",
		             s->op, s->what, graph.location[loc].size, size);
	first = graph_store_at(loc, 0);
	if (graph.thread[search.current].now.at[first->thread] < first->time)
		explore_fail(s->file, s->line,
		             "data race: %s %s, unordered with its initialisation by %s "
		             "at %s:%d",
		             s->op, s->what, search.thread[first->thread].name,
		             first->site->file, first->site->line);
	return loc;
}

static uint64_t cut(uint64_t v, size_t size)
{
	return size == 8 ? v : v & (((uint64_t)1 << 8 * size) - 1);
}

uint64_t explore_load(const struct explore_site *s, const void *p, size_t size,
                      enum explore_order o)
{
	int loc = location_of(s, p, size);
	int16_t pos[STORES];
	int n;

	o = order_of(s, o, READ);
	n = graph_readable(search.current, loc, o, !search.option.exact, pos);
	return graph_read(search.current, s, loc, o,
	                  search_choose_store(loc, pos, n, true))
	        ->got;
}

void explore_store(const struct explore_site *s, void *p, size_t size, uint64_t v,
                   enum explore_order o)
{
	int loc = location_of(s, p, size);
	int16_t pos[STORES];
	int n;

	o = order_of(s, o, WRITE);
	plain_overwritten(s, search.current, (uintptr_t)p);
	n = graph_writable(search.current, loc, o, false, pos);
	graph_write(search.current, s, loc, o, search_choose_store(loc, pos, n, false),
	            false, cut(v, size));
	search_schedule();
}

uint64_t explore_rmw(const struct explore_site *s, void *p, size_t size,
                     enum explore_rmw op, uint64_t v, enum explore_order o)
{
	int loc = location_of(s, p, size), at, n;
	int16_t pos[STORES];
	uint64_t old;

	o = order_of(s, o, UPDATE);
	n = graph_writable(search.current, loc, o, true, pos);
	at = search_choose_store(loc, pos, n, false);
	plain_overwritten(s, search.current, (uintptr_t)p);
	old = graph_store_at(loc, at)->value;
	graph_write(search.current, s, loc, o, at, true,
	            cut(op == EXPLORE_ADD ? old + v : v, size));
	search_schedule();
	return old;
}

bool explore_cas(const struct explore_site *s, void *p, size_t size, uint64_t *old,
                 uint64_t v, enum explore_order ok, enum explore_order fail)
{
	int loc = location_of(s, p, size), n = 0, reads, writes, at;
	int16_t read[STORES], write[STORES], pos[STORES];
	uint64_t expected = cut(*old, size);

	ok = order_of(s, ok, UPDATE);
	fail = order_of(s, fail, READ);
	reads = graph_readable(search.current, loc, fail, !search.option.exact, read);
	writes = graph_writable(search.current, loc, ok, true, write);
	/* Newest first, whether that is success or failure. */
	for (int r = 0, w = 0; r < reads || w < writes;) {
		if (w < writes && (r == reads || write[w] >= read[r])) {
			if (graph_store_at(loc, write[w])->value == expected)
				pos[n++] = write[w];
			w++;
		} else {
			if (graph_store_at(loc, read[r])->value != expected)
				pos[n++] = read[r];
			r++;
		}
	}
	at = search_choose_store(loc, pos, n, true);
	*old = graph_store_at(loc, at)->value;
	if (*old != expected) {
		graph_read(search.current, s, loc, fail, at);
		return false;
	}
	plain_overwritten(s, search.current, (uintptr_t)p);
	graph_write(search.current, s, loc, ok, at, true, cut(v, size));
	search_schedule();
	return true;
}

void explore_fence(const struct explore_site *s, enum explore_order o)
{
	search_need_exact();
	graph_fence(search.current, s, order_of(s, o, FENCE));
}

void explore_init(const struct explore_site *s, void *p, size_t size, uint64_t v)
{
	if (graph_find((uintptr_t)p) >= 0)
		plain_untouched(s->op, search.current, (uintptr_t)p, size);
	plain_atomic(s, search.current, (uintptr_t)p, size);
	graph_init(search.current, s, (uintptr_t)p, size, cut(v, size), false);
}

void explore_kept(uint64_t v)
{
	const struct thread_view *t = &graph.thread[search.current];

	for (int i = t->events - 1; i >= 0; i--) {
		const struct event *e = &graph.event[t->event[i]];
		const struct location *l;

		if (e->kind != READ || e->got != v)
			continue;
		l = &graph.location[e->loc];
		for (int k = graph.event[e->from].pos + 1; k < l->stores; k++) {
			const struct event *w = &graph.event[l->store[k]];

			if (w > e && w->thread != search.current &&
			    w->seen.at[search.current] < e->time)
				explore_fail(e->site->file, e->site->line,
				             "%s keeps what it has read here, but %s:%d "
				             "could be seen as well",
				             search.thread[search.current].name,
				             w->site->file, w->site->line);
		}
		plain_used(search.current, l->at, e->time);
		return;
	}
}

/* ---- sleeping ---- */

/* The kernel's lock on a futex: a word of its own, which each call takes in turn. */
static void futex_lock(const struct explore_site *s, uintptr_t at)
{
	uintptr_t lock = at | (uintptr_t)1 << 63;
	int loc = graph_find(lock);

	if (loc < 0)
		loc = graph_init(0, &here, lock, 4, 0, true);
	graph_write(search.current, s, loc, EXPLORE_ACQ_REL,
	            graph.location[loc].stores - 1, true, 0);
}

void explore_wait(const struct explore_site *s, const uint32_t *p, uint32_t expected)
{
	struct thread *t = &search.thread[search.current];

	futex_lock(s, (uintptr_t)p);
	if (explore_load(s, p, sizeof *p, EXPLORE_RLX) == expected) {
		if (!t->woken && explore_choose(2)) {
			t->woken = true;
			search_schedule();
			return;
		}
		t->status = SLEEPING;
		t->sleeps_on = (uintptr_t)p;
		t->sleeps_at = s;
	}
	search_schedule();
}

void explore_wake(const struct explore_site *s, const uint32_t *p, unsigned n)
{
	futex_lock(s, (uintptr_t)p);
	while (n-- > 0) {
		int sleeper[EXPLORE_THREADS], k = 0;

		for (int t = 0; t < search.threads; t++)
			if (search.thread[t].status == SLEEPING &&
			    search.thread[t].sleeps_on == (uintptr_t)p)
				sleeper[k++] = t;
		if (!k)
			break;
		search.thread[sleeper[explore_choose((uint64_t)k)]].status = READY;
	}
	search_schedule();
}
