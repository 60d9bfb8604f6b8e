/* SPDX-License-Identifier: MIT */
#include "explore/search.h"

#include <stdlib.h>

#include "explore/graph.h"
#include "explore/plain.h"
#include "explore/report.h"
#include "explore/seen.h"

struct search search;

static struct fiber root;
static int preempted, stale; /* of the bounds, in this run */
static bool restart;
static enum verdict { RUNNING, COMPLETE, ABANDONED, KNOWN } verdict;

/* ---- choices ---- */

_Noreturn static void leave(enum verdict why)
{
	verdict = why;
	fiber_switch(&search.thread[search.current].fiber, &root);
	abort();
}

_Noreturn void search_abandon(void)
{
	leave(ABANDONED);
}

/* A number below n. The first time here 0; when the search comes back, the next. */
static unsigned choose(unsigned n)
{
	unsigned at;

	if (n <= 1)
		return 0;
	if (search.depth < search.choices) {
		search.choice[search.depth].of = (uint16_t)n;
		at = search.choice[search.depth++].at;
		if (at >= n)
			explore_fail("", 0, "the seed does not fit this client");
		return at;
	}
	if (search.depth == CHOICES)
		explore_fail("", 0, "more than %d choices: does it end?", CHOICES);
	search.choice[search.depth] = (struct choice){(uint16_t)n, 0};
	search.choices = ++search.depth;
	return 0;
}

static bool is_stale(int loc, int pos, bool load)
{
	int last = graph.location[loc].stores - 1;

	/* Where loads of one value are alike, the value counts. */
	if (!load || search.option.exact)
		return pos != last;
	return graph_store_at(loc, pos)->value != graph_store_at(loc, last)->value;
}

int search_choose_store(int loc, int16_t *pos, int n, bool load)
{
	int at, fresh = 0;

	if (stale >= search.option.stale) {
		for (int i = 0; i < n; i++)
			if (!is_stale(loc, pos[i], load))
				pos[fresh++] = pos[i];
		n = fresh ? fresh : n > 0;
	}
	if (!n)
		search_abandon();
	at = pos[choose((unsigned)n)];
	stale += is_stale(loc, at, load);
	return at;
}

uint64_t explore_choose(uint64_t n)
{
	static const struct explore_site s = {"", 0, "choice", ""};
	unsigned at = choose((unsigned)n);

	if (n > 1)
		graph_note(search.current, &s, CHOICE, at);
	return at;
}

void explore_assume(bool x)
{
	if (!x)
		search_abandon();
}

/* Moves on to the next choices, depth first. False when all were tried. */
static bool next_choices(void)
{
	while (search.choices > 0) {
		struct choice *c = &search.choice[search.choices - 1];

		if (++c->at < c->of)
			return true;
		search.choices--;
	}
	return false;
}

/* ---- threads ---- */

void search_need_exact(void)
{
	if (search.option.exact)
		return;
	search.option.exact = restart = true;
	search_abandon();
}

static bool runnable(int t)
{
	if (search.thread[t].status == JOINING &&
	    search.thread[search.thread[t].joins].status == ENDED)
		search.thread[t].status = READY;
	return search.thread[t].status == READY;
}

_Noreturn static void deadlock(void)
{
	for (int t = 0; t < search.threads; t++)
		if (search.thread[t].status == SLEEPING)
			explore_fail(search.thread[t].sleeps_at->file,
			             search.thread[t].sleeps_at->line,
			             "lost wake-up: %s sleeps for ever",
			             search.thread[t].name);
	explore_fail("", 0, "deadlock");
}

/* False if a run has been here before and has gone on from here in every way: the same
 * state of graph and memory, the same threads waiting, and as much left of the bounds. */
static bool first_time_here(bool at_step)
{
	uint64_t more = at_step, h[2];
	unsigned ended = 0;

	/* While the run repeats an earlier one, it is where that one has been. */
	if (search.depth < search.choices || search.option.replay)
		return true;
	for (int t = 0; t < search.threads; t++) {
		more = more << 4 | (uint64_t)search.thread[t].woken << 3 |
		       search.thread[t].status;
		ended |= (unsigned)(search.thread[t].status == ENDED) << t;
	}
	if (at_step || search.option.preemptions != UNBOUNDED)
		more = more << 4 | (uint64_t)search.current;
	if (search.option.preemptions != UNBOUNDED)
		more = more << 8 | (uint64_t)preempted;
	if (search.option.stale != UNBOUNDED)
		more = more << 8 | (uint64_t)stale;
	h[0] = graph_mix(more);
	h[1] = graph_mix(more + 1);
	plain_identify(h);
	graph_identify(h, search.threads, ended);
	return seen_add(h[0], h[1]);
}

void search_schedule(void)
{
	int ready[EXPLORE_THREADS], n = 0, next, last = search.current;
	bool stays = runnable(search.current);

	if (stays)
		ready[n++] = search.current;
	for (int t = 0; t < search.threads; t++)
		if (t != search.current && runnable(t))
			ready[n++] = t;
	if (n != 1 && !first_time_here(false))
		leave(KNOWN);
	if (!n) {
		for (int t = 0; t < search.threads; t++)
			if (search.thread[t].status != ENDED)
				deadlock();
		leave(COMPLETE);
	}
	if (stays && preempted >= search.option.preemptions)
		n = 1;
	next = ready[choose((unsigned)n)];
	if (next == last)
		return;
	preempted += stays;
	search.current = next;
	fiber_switch(&search.thread[last].fiber, &search.thread[next].fiber);
}

void explore_step(const void *kept, size_t size)
{
	const unsigned char *p = kept;
	uint64_t state = 0;

	if (graph.identity == BY_GRAPH)
		return;
	if (!kept)
		state = plain_contents();
	for (size_t i = 0; i < size; i++)
		state = (state + p[i] + 1) * 0x9e3779b97f4a7c15u;
	graph_forget(search.current, state);
	if (search.threads > 1 && !first_time_here(true))
		leave(KNOWN);
}

static void thread_main(void *arg)
{
	static const struct explore_site begin = {"", 0, "begin", ""};
	static const struct explore_site end = {"", 0, "end", ""};
	struct thread *t = arg;

	/* So that a spawn comes before all of the thread, and all of it before a join,
	 * in the order of sequentially consistent events as well. */
	graph_note(search.current, &begin, NOTE, 0);
	t->body(t->arg);
	graph_note(search.current, &end, NOTE, 0);
	t->status = ENDED;
	search_schedule();
	abort();
}

int explore_spawn(const char *name, void *(*body)(void *), void *arg)
{
	static const struct explore_site s = {"", 0, "spawn", ""};
	int t = search.threads;

	if (t == EXPLORE_THREADS)
		explore_fail("", 0, "more than %d threads", EXPLORE_THREADS);
	search.threads++;
	graph_note(search.current, &s, NOTE, (uint64_t)t);
	graph.thread[t].now = graph.thread[search.current].now;
	graph.thread[t].view = graph.thread[search.current].view;
	search.thread[t].name = name;
	search.thread[t].body = body;
	search.thread[t].arg = arg;
	search.thread[t].status = READY;
	search.thread[t].woken = false;
	fiber_rewind(&search.thread[t].fiber);
	search_schedule();
	return t;
}

void explore_join(int t)
{
	static const struct explore_site s = {"", 0, "join", ""};

	if (search.current)
		search_need_exact(); /* what an ended thread leaves is kept for main only */
	if (search.thread[t].status != ENDED) {
		search.thread[search.current].status = JOINING;
		search.thread[search.current].joins = t;
		search_schedule();
	}
	graph_join(search.current, t);
	graph_note(search.current, &s, NOTE, (uint64_t)t);
}

/* ---- the search ---- */

static void *client_main(void *arg)
{
	explore_client();
	plain_done();
	return arg;
}

static void run_once(void)
{
	graph.identity = search.option.exact ? BY_GRAPH : BY_EFFECT;
	graph_reset();
	plain_reset();
	search.threads = 1;
	search.current = preempted = stale = search.depth = 0;
	report_begin();
	search.thread[0].status = READY;
	search.thread[0].woken = false;
	for (int t = 1; t < EXPLORE_THREADS; t++)
		search.thread[t].status = UNUSED;
	fiber_rewind(&search.thread[0].fiber);
	verdict = RUNNING;
	fiber_switch(&root, &search.thread[0].fiber);
	search.runs++;
	if (verdict == COMPLETE) {
		search.executions++;
		report_outcome();
		if (search.option.trace)
			report_trace();
	}
	search.abandoned += verdict == ABANDONED;
}

void search_all(void)
{
	for (int t = 0; t < EXPLORE_THREADS; t++)
		fiber_make(&search.thread[t].fiber, thread_main, &search.thread[t]);
	search.thread[0].name = "main";
	search.thread[0].body = client_main;
	do {
		run_once();
		if (restart) {
			restart = false;
			search.choices = 0;
			search.executions = search.runs = search.abandoned = 0;
			report_clear();
			seen_clear();
			run_once();
		}
	} while (!search.option.replay && search.executions < search.option.limit &&
	         next_choices());
}
