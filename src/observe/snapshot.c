/* SPDX-License-Identifier: MIT */
/*
 * The snapshot of what the pools of this process do at the moment. Everything is read
 * while it keeps changing, by relaxed loads, so numbers need not add up. No worker waits
 * for this, except for a moment for the locks of timers and stacks.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "pool/above.h"
#include "pool/pool.h"
#include "sched/hold.h"
#include "sched/own.h"
#include "strand/names.h"

/* ---- strands by task ---- */

#define SLOTS 512u            /* a power of two */
#define KINDS (SLOTS / 4 * 3) /* tasks that are told apart; others count as "..." */
#define STATES (1u << FILCH__STATE_BITS)

struct kind {
	uintptr_t title; /* 0: a free slot */
	size_t strands[STATES];
};

struct census {
	unsigned kinds;
	struct kind slot[SLOTS];
	struct kind others;
};

static struct kind *find_kind(struct census *c, uintptr_t title)
{
	unsigned i = (unsigned)(title / sizeof(struct filch__task));

	for (;; i++) {
		struct kind *k = &c->slot[i % SLOTS];

		if (k->title == title)
			return k;
		if (k->title)
			continue;
		if (c->kinds == KINDS)
			return &c->others;
		c->kinds++;
		k->title = title;
		return k;
	}
}

static void count_strand(struct filch__stack *stack, void *arg)
{
	struct filch__strand *s = filch__strand_of(stack);
	uintptr_t title = load_rlx(&s->runs); /* a look only */

	if (title)
		find_kind(arg, title)
			->strands[filch__strand_state(
				load_rlx(&s->state))]++; /* a look only */
}

static void add_kind(struct filch__text *out, const struct kind *k, const char *name,
                     bool *first)
{
	filch__text_add(out, "%s{\"task\":", *first ? "" : ",");
	filch__text_add_string(out, name);
	filch__text_add(out, ",\"active\":%zu,\"suspended\":%zu,\"resumable\":%zu}",
	                k->strands[FILCH__ACTIVE], k->strands[FILCH__SUSPENDED],
	                k->strands[FILCH__RESUMABLE] + k->strands[FILCH__MUGGABLE]);
	*first = false;
}

static void add_strands(struct filch__text *out, struct filch_pool *p)
{
	struct census c;
	bool first = true;

	memset(&c, 0, sizeof c);
	for (unsigned d = 0; d < FILCH__DEPTHS; d++)
		filch__stacks_each(&p->stacks[d], count_strand, &c);
	filch__text_add(out, "\"strands\":[");
	for (unsigned i = 0; i < SLOTS; i++) {
		struct filch__name name;

		if (!c.slot[i].title)
			continue;
		name = filch__title_name(c.slot[i].title);
		add_kind(out, &c.slot[i], name.text, &first);
	}
	for (unsigned i = 0; i < STATES; i++)
		if (c.others.strands[i]) {
			add_kind(out, &c.others, "...", &first);
			break;
		}
	filch__text_add(out, "]");
}

/* ---- workers ---- */

static const char *state_of(struct filch__pool_whole *p, uint32_t i)
{
	uint32_t parker = load_rlx(&p->parker[i].state); /* a look only */

	if (i >= p->started)
		return "absent";             /* the system has refused its thread */
	if (load_rlx(&p->pool.seat[i].busy)) /* a look only */
		return "running";
	return parker == FILCH__IDLE || parker == FILCH__WATCHING ? "parked"
	                                                          : "searching";
}

/* Processor time of the worker's thread: the kernel keeps it, so workers need not. */
static uint64_t cpu_ns(struct filch__pool_whole *p, uint32_t i)
{
	uint64_t ns;

	return i < p->started && filch__thread_time(&p->pool.seat[i].worker.thread, &ns)
	               ? ns
	               : 0;
}

static void add_worker(struct filch__text *out, struct filch__pool_whole *p, uint32_t i)
{
	struct filch__worker *w = &p->pool.seat[i].worker;
	uintptr_t title = load_rlx(&w->running); /* a look only */
	struct filch__deque *offered = filch__offered(w);
	struct filch_stats stats;

	filch__text_add(out, "%s{\"state\":\"%s\",\"task\":", i ? "," : "",
	                state_of(p, i));
	if (title) {
		struct filch__name name = filch__title_name(title);

		filch__text_add_string(out, name.text);
	} else {
		filch__text_add(out, "null");
	}
	filch__text_add(out, ",\"cpu_ns\":%" PRIu64 ",\"ready\":%zu,\"offered\":%zu",
	                cpu_ns(p, i), filch__own_size(w),
	                offered ? filch__deque_size(offered) : 0);
	filch_pool_stats(&p->pool, (int)i, &stats);
#define ADD(name, text) filch__text_add(out, ",\"" #name "\":%" PRIu64, stats.name);
	FILCH_COUNTERS(ADD)
#undef ADD
	filch__text_add(out, "}");
}

/* ---- pools ---- */

static size_t timers_of(struct filch_pool *p)
{
	size_t n = 0;

	for (uint32_t i = 0; i < p->rows; i++) {
		filch__lock(&p->timers[i].lock);
		n += p->timers[i].count;
		filch__unlock(&p->timers[i].lock);
	}
	return n;
}

static void add_stacks(struct filch__text *out, struct filch__stacks *s)
{
	size_t made = 0, idle = 0;

	for (unsigned d = 0; d < FILCH__DEPTHS; d++) {
		pthread_mutex_lock(&s[d].lock);
		made += s[d].made;
		idle += load_rlx(&s[d].spare) + s[d].trimmed_count; /* under the lock */
		pthread_mutex_unlock(&s[d].lock);
	}
	filch__text_add(out, "\"stacks\":{\"size\":%zu,\"made\":%zu,\"idle\":%zu}",
	                s[FILCH__DEEP].size, made, idle);
}

struct pools {
	struct filch__text *out;
	bool first;
};

static void add_pool(struct filch__pool_whole *whole, void *arg)
{
	struct filch_pool *p = &whole->pool;
	struct pools *pools = arg;
	struct filch__text *out = pools->out;

	filch__text_add(out, "%s{\"made_ns\":%" PRIu64 ",\"workers\":[",
	                pools->first ? "" : ",", whole->made_ns);
	for (uint32_t i = 0; i < p->workers; i++)
		add_worker(out, whole, i);
	filch__text_add(out, "],\"live\":%" PRIu64 ",\"inbox\":%s,\"timers\":%zu,",
	                filch__pool_holds(p),
	                filch__inbox_empty(&p->inbox) ? "false" : "true", timers_of(p));
	add_stacks(out, p->stacks);
	filch__text_add(out, ",");
	add_strands(out, p);
	filch__text_add(out, "}");
	pools->first = false;
}

static size_t resident(void)
{
	FILE *f = fopen("/proc/self/statm", "re");
	size_t pages = 0;

	if (f) {
		if (fscanf(f, "%*s %zu", &pages) != 1)
			pages = 0;
		fclose(f);
	}
	return pages * (size_t)sysconf(_SC_PAGESIZE);
}

void filch__snapshot(struct filch__text *out)
{
	struct pools pools = {out, true};

	filch__text_add(out, "{\"pid\":%ld,\"program\":", (long)getpid());
	filch__text_add_string(out, program_invocation_short_name);
	filch__text_add(out, ",\"now_ns\":%" PRIu64 ",\"resident\":%zu,\"pools\":[",
	                filch__now_ns(), resident());
	filch__pools_each(add_pool, &pools);
	filch__text_add(out, "]}");
}
