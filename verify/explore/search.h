/* SPDX-License-Identifier: MIT */
/*
 * The search: runs the client once for every choice there is of thread, of value and of
 * place in a location's order. See README.md, "The search".
 */
#ifndef VERIFY_EXPLORE_SEARCH_H
#define VERIFY_EXPLORE_SEARCH_H

#include "explore/explore.h"
#include "explore/fiber.h"

#define CHOICES 8192
#define UNBOUNDED 1000000

struct search_option {
	int preemptions, stale; /* bounds */
	bool exact;             /* tell all graphs apart */
	uint64_t limit;         /* executions */
	bool replay;            /* only the choices that are set */
	const char *weaken;     /* "file:line", or "file:line:op" */
	bool outcomes, trace;
};

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

/* One that was made: `at`, of so many. */
struct choice {
	uint16_t of, at;
};

extern struct search {
	struct search_option option;
	struct thread thread[EXPLORE_THREADS];
	int threads, current; /* how many there are; the one that runs */
	struct choice choice[CHOICES];
	int choices, depth; /* how many are set; how many this run has made */
	uint64_t executions, runs, abandoned;
} search;

/* Runs the client until all choices, or all that the options ask for, were tried. */
void search_all(void);

/* Ends this run without a verdict. */
_Noreturn void search_abandon(void);

/* Begins again, telling all graphs apart, unless that is so already. Fences give meaning
 * to relaxed loads, and sequentially consistent loads bind those of other threads: then
 * every load counts. */
void search_need_exact(void);

/* Which of the n stores at pos[] to read from, or to come after. Only so many may be
 * stale: a load that does not find the value of the newest store, a store or an update
 * that does not come last. */
int search_choose_store(int loc, int16_t *pos, int n, bool load);

/* Goes on with any thread that can; called after a write, when another thread might see
 * something new (README.md, "Where threads are switched"). */
void search_schedule(void);

#endif
