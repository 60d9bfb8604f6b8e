/* SPDX-License-Identifier: MIT */
#include "explore/search.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "explore/fiber.h"
#include "explore/graph.h"
#include "explore/plain.h"
#include "explore/seen.h"

#define CHOICES 8192
#define OUTCOMES 4096
#define COVERS 64
#define UNBOUNDED 1000000

enum status { UNUSED, READY, SLEEPING, JOINING, ENDED };

struct thread {
	struct fiber fiber;
	enum status status;
	const char *name;
	void *(*body)(void *);
	void *arg;
	bool woken; /* for no reason; once an execution */
	uintptr_t sleeps_on;
	const struct explore_site *sleeps_at;
	int joins; /* the thread it waits for */
};

struct choice {
	uint16_t of, at;
};

static struct {
	int preemptions, stale; /* bounds */
	bool exact;             /* tell all graphs apart */
	uint64_t limit;         /* executions */
	uint64_t sample;        /* so many at random, instead of all */
	const char *replay;     /* choices to follow */
	const char *weaken;     /* "file:line", or "file:line:op" */
	bool outcomes, sites, trace;
} option = {UNBOUNDED, UNBOUNDED, false, UINT64_MAX, 0, NULL, NULL, false, false, false};

static struct thread thread[EXPLORE_THREADS];
static struct fiber root;
static int threads, current, preempted, stale;

static struct choice choice[CHOICES];
static int choices, depth;
static uint64_t random_state = 1;

static uint64_t executions, runs, abandoned;
static bool restart;
static enum { RUNNING, COMPLETE, ABANDONED, KNOWN } verdict;

static uint64_t outcome, outcomes[OUTCOMES];
static char outcome_text[OUTCOMES][64], outcome_now[64];
static int outcome_count;

static struct cover {
	const char *what;
	uint64_t times;
} cover[COVERS];
static int covers;

static const struct explore_site *site_seen[1024];
static int sites;

static const struct explore_site here = {"", 0, "", ""};

int search_thread(void)
{
	return current;
}

const char *search_thread_name(int t)
{
	return thread[t].name;
}

int search_pid(void)
{
	return getpid();
}

/* ---- reports ---- */

static const char *order_name(enum explore_order o)
{
	static const char *const name[] = {"rlx", "acq", "rel", "acq_rel", "sc"};

	return name[o];
}

static void print_event(int i)
{
	const struct event *e = &graph.event[i];

	if (!e->index)
		return;
	printf("  %4d  %-8s", i, thread[e->thread].name);
	if (e->kind == NOTE) {
		printf("%s %llu\n", e->site->op, (unsigned long long)e->value);
		return;
	}
	printf("%-9s %-22s", e->site->op, e->site->what);
	if (e->kind & READ)
		printf(" = %#llx, of %d", (unsigned long long)e->got, e->from);
	if (e->kind & WRITE)
		printf(" <- %#llx", (unsigned long long)e->value);
	if (e->kind & WRITE && e->pos + 1 < graph.location[e->loc].stores)
		printf(", before %d", graph.location[e->loc].store[e->pos + 1]);
	if (e->loc >= 0)
		printf("  [%s]", plain_name(graph.location[e->loc].at));
	printf("  %s:%d", e->site->file, e->site->line);
	if (e->order != EXPLORE_RLX || strstr(e->site->op, "rlx") == NULL)
		printf(" (%s)", order_name(e->order));
	printf("\n");
}

static void print_trace(void)
{
	printf("\nThe execution: event, thread, access = value read, of which event, "
	       "<- value written\n");
	for (int i = 0; i < graph.events; i++)
		print_event(i);
}

/* The choices, run-length encoded: "3,0x12,1". */
static void print_seed(void)
{
	int last = depth;

	while (last > 0 && !choice[last - 1].at)
		last--;
	printf("seed: ");
	for (int i = 0; i < last;) {
		int n = 1;

		while (i + n < last && choice[i + n].at == choice[i].at)
			n++;
		printf(n > 1 ? "%s%dx%d" : "%s%d", i ? "," : "", choice[i].at, n);
		i += n;
	}
	printf("%s\n", last ? "" : "-");
}

_Noreturn void explore_fail(const char *file, int line, const char *fmt, ...)
{
	va_list args;

	printf("\n%s: FAILED after %llu executions: ", explore_name,
	       (unsigned long long)executions);
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	if (*file)
		printf("\n  at %s:%d, in %s", file, line, thread[current].name);
	printf("\n");
	print_trace();
	print_seed();
	printf("(to see it again: --replay SEED, with the same other options)\n");
	fflush(stdout);
	_exit(1);
}

_Noreturn void __assert_fail(const char *what, const char *file, unsigned line,
                             const char *function)
{
	explore_fail(file, (int)line, "assertion %s does not hold in %s()", what,
	             function);
}

/* ---- choices ---- */

_Noreturn static void leave(int why)
{
	verdict = why;
	fiber_switch(&thread[current].fiber, &root);
	abort();
}

/* A number below n. The first time here 0; when the search comes back, the next. */
static unsigned choose(unsigned n)
{
	unsigned at;

	if (n <= 1)
		return 0;
	if (depth < choices) {
		choice[depth].of = (uint16_t)n;
		at = choice[depth++].at;
		if (at >= n)
			explore_fail("", 0, "the seed does not fit this client");
		return at;
	}
	if (depth == CHOICES)
		explore_fail("", 0, "more than %d choices: does it end?", CHOICES);
	if (option.sample) {
		random_state ^= random_state >> 12;
		random_state ^= random_state << 25;
		random_state ^= random_state >> 27;
		/* Half of the time what an eager machine would do. */
		at = (unsigned)((random_state * 0x2545f4914f6cdd1du) >> 32) % (2 * n);
		at = at >= n ? 0 : at;
	} else {
		at = 0;
	}
	choice[depth] = (struct choice){(uint16_t)n, (uint16_t)at};
	choices = ++depth;
	return at;
}

/* Which of n stores to read from, or to come after; 0 is the newest. */
static unsigned choose_store(int n)
{
	unsigned at;

	if (!n)
		leave(ABANDONED);
	at = choose(stale < option.stale ? (unsigned)n : 1);
	stale += at > 0;
	return at;
}

uint64_t explore_choose(uint64_t n)
{
	static const struct explore_site s = {"", 0, "choice", ""};
	unsigned at = choose((unsigned)n);

	if (n > 1)
		graph_note(current, &s, at);
	return at;
}

void explore_kept(uint64_t v)
{
	const struct thread_view *t = &graph.thread[current];

	for (int i = t->events - 1; i >= 0; i--) {
		const struct event *e = &graph.event[t->event[i]];
		const struct location *l;

		if (e->kind != READ || e->got != v)
			continue;
		l = &graph.location[e->loc];
		for (int k = graph.event[e->from].pos + 1; k < l->stores; k++) {
			const struct event *w = &graph.event[l->store[k]];

			if (w > e && w->thread != current &&
			    w->seen.at[current] < e->time)
				explore_fail(e->site->file, e->site->line,
				             "%s keeps what it has read here, but %s:%d "
				             "could be seen as well",
				             thread[current].name, w->site->file,
				             w->site->line);
		}
		plain_used(current, l->at, e->time);
		return;
	}
}

void explore_assume(bool x)
{
	if (!x)
		leave(ABANDONED);
}

/* Moves on to the next choices, depth first. False when all were tried. */
static bool next_choices(void)
{
	while (choices > 0) {
		struct choice *c = &choice[choices - 1];

		if (++c->at < c->of)
			return true;
		choices--;
	}
	return false;
}

/* ---- threads ---- */

/* Fences give meaning to relaxed loads, and sequentially consistent loads hold for those
 * of other threads: then every load counts, and the search begins again. */
static void need_exact(void)
{
	if (option.exact)
		return;
	option.exact = restart = true;
	leave(ABANDONED);
}

static bool runnable(int t)
{
	if (thread[t].status == JOINING && thread[thread[t].joins].status == ENDED)
		thread[t].status = READY;
	return thread[t].status == READY;
}

_Noreturn static void deadlock(void)
{
	for (int t = 0; t < threads; t++)
		if (thread[t].status == SLEEPING)
			explore_fail(thread[t].sleeps_at->file, thread[t].sleeps_at->line,
			             "lost wake-up: %s sleeps for ever", thread[t].name);
	explore_fail("", 0, "deadlock");
}

/* False if a run has been here before and has gone on from here in every way: the same
 * graph, the same threads waiting, and as many preemptions left. */
static bool first_time_here(bool at_step)
{
	uint64_t more = at_step, h[2];
	unsigned ended = 0;

	/* While the run repeats an earlier one, it is where that one has been. */
	if (depth < choices || option.sample || option.replay)
		return true;
	for (int t = 0; t < threads; t++) {
		more = more << 3 | thread[t].status;
		ended |= (unsigned)(thread[t].status == ENDED) << t;
	}
	if (at_step || option.preemptions != UNBOUNDED)
		more = more << 4 | (uint64_t)current;
	if (option.preemptions != UNBOUNDED)
		more = more << 8 | (uint64_t)preempted;
	if (option.stale != UNBOUNDED)
		more = more << 8 | (uint64_t)stale;
	h[0] = graph_mix(more);
	h[1] = graph_mix(more + 1);
	plain_identify(h);
	graph_identify(h, threads, ended);
	return seen_add(h[0], h[1]);
}

/* Goes on with any thread that can; called after a write, when another thread might see
 * something new (README.md, "Where threads are switched"). */
static void schedule(void)
{
	int ready[EXPLORE_THREADS], n = 0, next, last = current;
	bool stays = runnable(current);

	if (stays)
		ready[n++] = current;
	for (int t = 0; t < threads; t++)
		if (t != current && runnable(t))
			ready[n++] = t;
	if (n != 1 && !first_time_here(false))
		leave(KNOWN);
	if (!n) {
		for (int t = 0; t < threads; t++)
			if (thread[t].status != ENDED)
				deadlock();
		leave(COMPLETE);
	}
	if (stays && preempted >= option.preemptions)
		n = 1;
	next = ready[choose((unsigned)n)];
	if (next == last)
		return;
	preempted += stays;
	current = next;
	fiber_switch(&thread[last].fiber, &thread[next].fiber);
}

void explore_step(const void *kept, size_t size)
{
	const unsigned char *p = kept;
	uint64_t state = kept ? 0 : plain_contents();

	for (size_t i = 0; i < size; i++)
		state = (state + p[i] + 1) * 0x9e3779b97f4a7c15u;
	if (graph.identity == BY_GRAPH)
		return;
	graph_forget(current, state);
	if (threads > 1 && !first_time_here(true))
		leave(KNOWN);
}

static void thread_main(void *arg)
{
	struct thread *t = arg;

	t->body(t->arg);
	t->status = ENDED;
	schedule();
	abort();
}

int explore_spawn(const char *name, void *(*body)(void *), void *arg)
{
	static const struct explore_site s = {"", 0, "spawn", ""};
	int t = threads;

	if (t == EXPLORE_THREADS)
		explore_fail("", 0, "more than %d threads", EXPLORE_THREADS);
	threads++;
	graph_note(current, &s, (uint64_t)t);
	graph.thread[t].now = graph.thread[current].now;
	graph.thread[t].view = graph.thread[current].view;
	thread[t].name = name;
	thread[t].body = body;
	thread[t].arg = arg;
	thread[t].status = READY;
	thread[t].woken = false;
	fiber_rewind(&thread[t].fiber);
	schedule();
	return t;
}

void explore_join(int t)
{
	static const struct explore_site s = {"", 0, "join", ""};

	if (current)
		need_exact(); /* what an ended thread leaves is kept for main only */
	if (thread[t].status != ENDED) {
		thread[current].status = JOINING;
		thread[current].joins = t;
		schedule();
	}
	graph_join(current, t);
	graph_note(current, &s, (uint64_t)t);
}

/* ---- accesses ---- */

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
	if (option.sites) {
		int i = 0;

		while (i < sites && site_seen[i] != s)
			i++;
		if (i == sites && sites < 1024)
			site_seen[sites++] = s;
	}
	if (o == EXPLORE_SC)
		need_exact();
	if (!option.weaken || !site_is(s, option.weaken))
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

	plain_atomic(s, current, at, size);
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
	if (graph.thread[current].now.at[first->thread] < first->time)
		explore_fail(s->file, s->line,
		             "data race: %s %s, unordered with its initialisation by %s "
		             "at %s:%d",
		             s->op, s->what, thread[first->thread].name,
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
	n = graph_readable(current, loc, o, !option.exact, pos);
	return graph_read(current, s, loc, o, pos[choose_store(n)])->got;
}

void explore_store(const struct explore_site *s, void *p, size_t size, uint64_t v,
                   enum explore_order o)
{
	int loc = location_of(s, p, size);
	int16_t pos[STORES];
	int n;

	o = order_of(s, o, WRITE);
	plain_overwritten(s, current, (uintptr_t)p);
	n = graph_writable(current, loc, o, false, pos);
	graph_write(current, s, loc, o, pos[choose_store(n)], false, cut(v, size));
	schedule();
}

static uint64_t apply(enum explore_rmw op, uint64_t old, uint64_t v)
{
	switch (op) {
	case EXPLORE_XCHG:
		return v;
	case EXPLORE_ADD:
		return old + v;
	case EXPLORE_OR:
		return old | v;
	case EXPLORE_AND:
		return old & v;
	}
	return v;
}

uint64_t explore_rmw(const struct explore_site *s, void *p, size_t size,
                     enum explore_rmw op, uint64_t v, enum explore_order o)
{
	int loc = location_of(s, p, size), at, n;
	int16_t pos[STORES];
	uint64_t old;

	o = order_of(s, o, UPDATE);
	n = graph_writable(current, loc, o, true, pos);
	at = pos[choose_store(n)];
	old = graph_store_at(loc, at)->value;
	graph_write(current, s, loc, o, at, true, cut(apply(op, old, v), size));
	schedule();
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
	reads = graph_readable(current, loc, fail, !option.exact, read);
	writes = graph_writable(current, loc, ok, true, write);
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
	at = pos[choose_store(n)];
	*old = graph_store_at(loc, at)->value;
	if (*old != expected) {
		graph_read(current, s, loc, fail, at);
		return false;
	}
	graph_write(current, s, loc, ok, at, true, cut(v, size));
	schedule();
	return true;
}

void explore_fence(const struct explore_site *s, enum explore_order o)
{
	need_exact();
	graph_fence(current, s, order_of(s, o, FENCE));
}

void explore_init(const struct explore_site *s, void *p, size_t size, uint64_t v)
{
	plain_atomic(s, current, (uintptr_t)p, size);
	graph_init(current, s, (uintptr_t)p, size, cut(v, size), false);
}

/* ---- sleeping ---- */

/* The kernel's lock on a futex: a word of its own, which each call takes in turn. */
static void futex_lock(const struct explore_site *s, uintptr_t at)
{
	uintptr_t lock = at | (uintptr_t)1 << 63;
	int loc = graph_find(lock);

	if (loc < 0)
		loc = graph_init(0, &here, lock, 4, 0, true);
	graph_write(current, s, loc, EXPLORE_ACQ_REL, graph.location[loc].stores - 1,
	            true, 0);
}

void explore_wait(const struct explore_site *s, const uint32_t *p, uint32_t expected)
{
	struct thread *t = &thread[current];

	futex_lock(s, (uintptr_t)p);
	if (explore_load(s, p, sizeof *p, EXPLORE_RLX) == expected) {
		if (!t->woken && explore_choose(2)) {
			t->woken = true;
			schedule();
			return;
		}
		t->status = SLEEPING;
		t->sleeps_on = (uintptr_t)p;
		t->sleeps_at = s;
	}
	schedule();
}

void explore_wake(const struct explore_site *s, const uint32_t *p, unsigned n)
{
	futex_lock(s, (uintptr_t)p);
	for (int t = 0; t < threads && n; t++)
		if (thread[t].status == SLEEPING && thread[t].sleeps_on == (uintptr_t)p) {
			thread[t].status = READY;
			n--;
		}
	schedule();
}

/* ---- what came of it ---- */

void explore_observe(uint64_t v)
{
	size_t n = strlen(outcome_now);

	outcome = (outcome + v + 1) * 0xd6e8feb86659fd93u;
	outcome ^= outcome >> 32;
	snprintf(outcome_now + n, sizeof outcome_now - n, "%s%llu", n ? " " : "",
	         (unsigned long long)v);
}

void explore_cover(const char *what, const char *file, int line)
{
	(void)file, (void)line;
	for (int i = 0; i < covers; i++)
		if (!strcmp(cover[i].what, what)) {
			cover[i].times++;
			return;
		}
	if (covers < COVERS)
		cover[covers++] = (struct cover){what, 1};
}

static void record_outcome(void)
{
	for (int i = 0; i < outcome_count; i++)
		if (outcomes[i] == outcome)
			return;
	if (outcome_count == OUTCOMES)
		return;
	outcomes[outcome_count] = outcome;
	memcpy(outcome_text[outcome_count++], outcome_now, sizeof outcome_now);
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
	graph.identity = option.exact ? BY_GRAPH : BY_EFFECT;
	graph_reset();
	plain_reset();
	threads = 1;
	current = preempted = stale = depth = 0;
	outcome = 0;
	outcome_now[0] = 0;
	thread[0].status = READY;
	thread[0].woken = false;
	for (int t = 1; t < EXPLORE_THREADS; t++)
		thread[t].status = UNUSED;
	fiber_rewind(&thread[0].fiber);
	verdict = RUNNING;
	fiber_switch(&root, &thread[0].fiber);
	runs++;
	if (verdict == COMPLETE) {
		executions++;
		record_outcome();
		if (option.trace)
			print_trace();
	}
	abandoned += verdict == ABANDONED;
}

static void search(void)
{
	do {
		run_once();
		if (restart) {
			restart = false;
			choices = 0;
			executions = runs = abandoned = 0;
			outcome_count = covers = 0;
			seen_clear();
			run_once();
		}
		if (option.sample)
			choices = 0;
		if (option.replay || executions >= option.limit ||
		    (option.sample && runs >= option.sample))
			return;
	} while (option.sample || next_choices());
}

static void parse_seed(const char *s)
{
	while (*s && *s != '-') {
		char *end;
		long at = strtol(s, &end, 10), n = 1;

		if (*end == 'x')
			n = strtol(end + 1, &end, 10);
		while (n-- > 0 && choices < CHOICES)
			choice[choices++].at = (uint16_t)at;
		s = *end ? end + 1 : end;
	}
}

static void usage(FILE *to)
{
	fprintf(to,
	        "usage: %s [OPTION...]: %s under the model checker\n"
	        "  --preemptions N     at most N switches away from a thread that could "
	        "go "
	        "on\n"
	        "  --stale N           at most N accesses that are not to the newest "
	        "store\n"
	        "  --limit N           stop after N executions\n"
	        "  --sample N[:SEED]   N executions at random instead of all\n"
	        "  --weaken FILE:LINE[:OP]  treat this access as relaxed (a seq_cst one "
	        "as "
	        "acquire, release)\n"
	        "  --replay SEED       run the one execution that a failure printed\n"
	        "  --trace             print every execution\n"
	        "  --exact             tell executions apart by their graphs\n"
	        "  --outcomes          print the distinct outcomes\n"
	        "  --sites             print the atomic accesses that were run\n",
	        explore_name, explore_name);
}

static const char *value_of(char **arg, int *i)
{
	if (!arg[*i + 1]) {
		fprintf(stderr, "%s: %s needs a value\n", explore_name, arg[*i]);
		exit(2);
	}
	return arg[++*i];
}

static uint64_t number_of(char **arg, int *i)
{
	const char *name = arg[*i], *s = value_of(arg, i);
	char *end;
	uint64_t n = strtoull(s, &end, 10);

	if (end == s || (*end && *end != ':') || *s == '-') {
		fprintf(stderr, "%s: %s needs a number, not '%s'\n", explore_name, name,
		        s);
		exit(2);
	}
	if (*end == ':')
		random_state = strtoull(end + 1, NULL, 10) | 1;
	return n;
}

static void parse(char **arg)
{
	for (int i = 1; arg[i]; i++) {
		if (!strcmp(arg[i], "--preemptions"))
			option.preemptions = (int)number_of(arg, &i);
		else if (!strcmp(arg[i], "--stale"))
			option.stale = (int)number_of(arg, &i);
		else if (!strcmp(arg[i], "--limit"))
			option.limit = number_of(arg, &i);
		else if (!strcmp(arg[i], "--sample"))
			option.sample = number_of(arg, &i);
		else if (!strcmp(arg[i], "--weaken"))
			option.weaken = value_of(arg, &i);
		else if (!strcmp(arg[i], "--replay"))
			option.replay = value_of(arg, &i);
		else if (!strcmp(arg[i], "--trace"))
			option.trace = true;
		else if (!strcmp(arg[i], "--exact"))
			option.exact = true;
		else if (!strcmp(arg[i], "--outcomes"))
			option.outcomes = true;
		else if (!strcmp(arg[i], "--sites"))
			option.sites = true;
		else if (!strcmp(arg[i], "--help")) {
			usage(stdout);
			exit(0);
		} else {
			fprintf(stderr, "%s: unknown option '%s'; --help lists them\n",
			        explore_name, arg[i]);
			exit(2);
		}
	}
	if (option.weaken && !strchr(option.weaken, ':')) {
		fprintf(stderr, "%s: --weaken needs FILE:LINE, not '%s'\n", explore_name,
		        option.weaken);
		exit(2);
	}
}

int main(int argc, char **arg)
{
	struct timespec from, to;
	double seconds;

	(void)argc;
	parse(arg);
	setvbuf(stdout, NULL, _IOFBF, 1 << 16);
	for (int t = 0; t < EXPLORE_THREADS; t++)
		fiber_make(&thread[t].fiber, thread_main, &thread[t]);
	thread[0].name = "main";
	thread[0].body = client_main;
	if (option.replay)
		parse_seed(option.replay);
	clock_gettime(CLOCK_MONOTONIC, &from);
	search();
	clock_gettime(CLOCK_MONOTONIC, &to);
	seconds = (double)(to.tv_sec - from.tv_sec) +
	          (double)(to.tv_nsec - from.tv_nsec) / 1e9;
	printf("%s: ok executions=%llu states=%llu runs=%llu abandoned=%llu outcomes=%d "
	       "seconds=%.2f%s\n",
	       explore_name, (unsigned long long)executions,
	       (unsigned long long)seen_count(), (unsigned long long)runs,
	       (unsigned long long)abandoned, outcome_count, seconds,
	       executions >= option.limit ? " incomplete" : "");
	for (int i = 0; i < covers; i++)
		printf("cover: %s %llu\n", cover[i].what,
		       (unsigned long long)cover[i].times);
	for (int i = 0; i < outcome_count && option.outcomes; i++)
		printf("outcome: %s\n", outcome_text[i]);
	for (int i = 0; i < sites; i++)
		printf("site: %s:%d:%s %s\n", site_seen[i]->file, site_seen[i]->line,
		       site_seen[i]->op, site_seen[i]->what);
	return executions >= option.limit ? 3 : 0;
}
