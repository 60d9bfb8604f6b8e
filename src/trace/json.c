/* SPDX-License-Identifier: MIT */
/*
 * Events as slices, arrows and waits, in the Trace Event Format that Chrome and Perfetto
 * read. A pool is a process there, a worker a thread.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/clock.h"
#include "trace/trace.h"

struct writer {
	FILE *f;
	struct filch__trace *trace;
	const struct filch__trace_clock *clock;
	bool first;                 /* nothing was written so far */
	struct filch__event **runs; /* all RUNs, by their ids and times */
	size_t runs_n;
	uint64_t whole;            /* from this time on, nothing was overwritten */
	uint64_t end;              /* now */
	unsigned long long number; /* of the last arrow or wait */
};

/* What is open while a worker's events are written. */
struct track {
	struct filch__events *ring;
	uint32_t tid;
	bool in_state;              /* a slice for its state is open ... */
	unsigned tasks;             /* ... and so many for tasks in it */
	struct filch__event *theft; /* that what runs next comes from, or NULL */
};

/* ---- pieces of JSON ---- */

static void string(struct writer *w, const char *s)
{
	for (; *s; s++)
		if ((unsigned char)*s < ' ' || *s == '"' || *s == '\\')
			fprintf(w->f, "\\u%04x", (unsigned)*s);
		else
			putc(*s, w->f);
}

/* A new event, up to its time, which is given in microseconds. */
static void event(struct writer *w, const char *phase, uint32_t tid, uint64_t ticks)
{
	const struct filch__trace_clock *c = w->clock;
	uint64_t since = ticks > c->ticks ? ticks - c->ticks : 0;
	unsigned long long ns = (unsigned long long)((double)since * c->ns);

	fprintf(w->f, "%s{\"ph\":\"%s\",\"pid\":%u,\"tid\":%u,\"ts\":%llu.%03llu",
	        w->first ? "" : ",\n", phase, w->trace->pool, tid, ns / 1000, ns % 1000);
	w->first = false;
}

static void named(struct writer *w, const char *category, const char *name)
{
	fprintf(w->f, ",\"cat\":\"%s\",\"name\":\"", category);
	string(w, name);
	putc('"', w->f);
}

/* Its address, of what filch__probe_id() has made of it. */
static unsigned long long strand_number(const struct filch__event *e)
{
	return e->id >> 20 << 4;
}

static void metadata(struct writer *w, uint32_t tid, const char *what, const char *name,
                     unsigned number)
{
	fprintf(w->f,
	        "%s{\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"name\":\"%s\","
	        "\"args\":{\"name\":\"%s %u\"}}",
	        w->first ? "" : ",\n", w->trace->pool, tid, what, name, number);
	w->first = false;
}

/* ---- looking around in the events ---- */

static bool is_state(const struct filch__event *e)
{
	return e->kind < FILCH__EVENT_STATES;
}

static int by_id(const void *a, const void *b)
{
	const struct filch__event *x = *(struct filch__event *const *)a;
	const struct filch__event *y = *(struct filch__event *const *)b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return (x->ticks > y->ticks) - (x->ticks < y->ticks);
}

/* Finds all RUNs, and since when the rings are whole. */
static int index_runs(struct writer *w)
{
	size_t most = 0;

	for (uint32_t i = 0; i < w->trace->workers; i++) {
		struct filch__events *r = &w->trace->ring[i];
		uint64_t first = filch__events_first(r);

		most += (size_t)(r->added - first);
		if (first && filch__events_at(r, first)->ticks > w->whole)
			w->whole = filch__events_at(r, first)->ticks;
	}
	w->runs = malloc(most * sizeof *w->runs + 1);
	if (!w->runs)
		return -ENOMEM;
	for (uint32_t i = 0; i < w->trace->workers; i++) {
		struct filch__events *r = &w->trace->ring[i];

		for (uint64_t k = filch__events_first(r); k < r->added; k++)
			if (filch__events_at(r, k)->kind == FILCH__EVENT_RUN)
				w->runs[w->runs_n++] = filch__events_at(r, k);
	}
	qsort(w->runs, w->runs_n, sizeof *w->runs, by_id);
	return 0;
}

/* Where the strand that has stopped here goes on, or NULL. */
static const struct filch__event *goes_on(const struct writer *w,
                                          const struct filch__event *stop)
{
	size_t lo = 0, hi = w->runs_n;

	while (lo < hi) {
		size_t middle = lo + (hi - lo) / 2;

		if (by_id(&w->runs[middle], &stop) < 0)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo < w->runs_n && w->runs[lo]->id == stop->id ? w->runs[lo] : NULL;
}

/* Whether this worker's track has a slice at this time: the last state before it. */
static bool has_slice(const struct filch__events *r, uint64_t ticks)
{
	uint64_t lo = filch__events_first(r), hi = r->added, first = lo;

	while (lo < hi) {
		uint64_t middle = lo + (hi - lo) / 2;

		if (filch__events_at(r, middle)->ticks <= ticks)
			lo = middle + 1;
		else
			hi = middle;
	}
	while (lo > first && !is_state(filch__events_at(r, lo - 1)))
		lo--;
	return lo > first && filch__events_at(r, lo - 1)->kind != FILCH__EVENT_GONE;
}

/* ---- slices, arrows, waits ---- */

static void close_all(struct writer *w, struct track *t, uint64_t ticks)
{
	for (unsigned n = t->tasks + t->in_state; n; n--) {
		event(w, "E", t->tid, ticks);
		putc('}', w->f);
	}
	t->tasks = 0;
	t->in_state = false;
}

static void open_state(struct writer *w, struct track *t, const struct filch__event *e)
{
	static const char *const idle[] = {
		[FILCH__EVENT_SEARCH] = "searching", [FILCH__EVENT_NAP] = "nap",
		[FILCH__EVENT_LOOKOUT] = "lookout",  [FILCH__EVENT_PARK] = "parked",
		[FILCH__EVENT_STOP] = "searching",
	};

	event(w, "B", t->tid, e->ticks);
	if (e->kind == FILCH__EVENT_RUN) {
		named(w, "strand", e->name);
		fprintf(w->f, ",\"args\":{\"strand\":\"%llx\"}", strand_number(e));
	} else {
		named(w, "idle", idle[e->kind]);
	}
	putc('}', w->f);
	t->in_state = true;
}

/* From the slice of the victim to the one that what was stolen begins. */
static void arrow(struct writer *w, const struct track *t, uint64_t ticks)
{
	const struct filch__event *e = t->theft;
	const char *name = e->kind == FILCH__EVENT_MUG ? "mug" : "steal";

	if (!has_slice(&w->trace->ring[e->about], e->ticks))
		return;
	w->number++;
	event(w, "s", (uint32_t)e->about, e->ticks);
	named(w, "steal", name);
	fprintf(w->f, ",\"id\":%llu}", w->number);
	event(w, "f", t->tid, ticks);
	named(w, "steal", name);
	fprintf(w->f, ",\"id\":%llu,\"bp\":\"e\"}", w->number);
}

static void wait_edge(struct writer *w, const struct track *t,
                      const struct filch__event *e, const char *phase, uint64_t ticks)
{
	event(w, phase, t->tid, ticks);
	fputs(",\"cat\":\"wait\",\"name\":\"", w->f);
	string(w, e->name);
	fprintf(w->f, ": %s\",\"id\":%llu", filch__why_text((enum filch__why)e->why),
	        w->number);
}

/* A strand that waits is on no worker's track: it has one of its own. One that does not go
 * on waits to the end, unless that it did may have been overwritten. */
static void wait(struct writer *w, const struct track *t, const struct filch__event *e)
{
	const struct filch__event *on = goes_on(w, e);
	const bool is_fd = e->why == filch__why_input || e->why == filch__why_output;

	if (!on && e->ticks < w->whole)
		return;
	w->number++;
	wait_edge(w, t, e, "b", e->ticks);
	fprintf(w->f, ",\"args\":{\"strand\":\"%llx\"", strand_number(e));
	if (is_fd)
		fprintf(w->f, ",\"fd\":%d", e->about);
	fputs(on ? "}}" : ",\"unfinished\":true}}", w->f);
	wait_edge(w, t, e, "e", on ? on->ticks : w->end);
	putc('}', w->f);
}

static void write_state(struct writer *w, struct track *t, const struct filch__event *e)
{
	close_all(w, t, e->ticks);
	if (e->kind != FILCH__EVENT_GONE)
		open_state(w, t, e);
	if (e->kind == FILCH__EVENT_RUN && t->theft)
		arrow(w, t, e->ticks);
	t->theft = NULL;
	if (e->kind == FILCH__EVENT_STOP && e->why != filch__why_ended &&
	    e->why != filch__why_yield)
		wait(w, t, e);
}

/* What a strand does: it may have stopped in a task, whose end then comes in another slice,
 * and is passed over. */
static void write_within(struct writer *w, struct track *t, struct filch__event *e)
{
	switch (e->kind) {
	case FILCH__EVENT_TASK:
		event(w, "B", t->tid, e->ticks);
		named(w, "task", e->name);
		putc('}', w->f);
		t->tasks++;
		break;
	case FILCH__EVENT_TASK_END:
		if (!t->tasks)
			break;
		event(w, "E", t->tid, e->ticks);
		putc('}', w->f);
		t->tasks--;
		break;
	case FILCH__EVENT_INBOX:
		event(w, "i", t->tid, e->ticks);
		named(w, "inbox", "from the inbox");
		fputs(",\"s\":\"t\"}", w->f);
		break;
	default:
		t->theft = e;
	}
}

static void write_track(struct writer *w, uint32_t worker)
{
	struct track t = {.ring = &w->trace->ring[worker], .tid = worker};

	metadata(w, worker, "thread_name", "worker", worker);
	for (uint64_t i = filch__events_first(t.ring); i < t.ring->added; i++) {
		struct filch__event *e = filch__events_at(t.ring, i);

		if (is_state(e))
			write_state(w, &t, e);
		else if (t.in_state)
			write_within(w, &t, e);
	}
	close_all(w, &t, w->end);
}

int64_t filch__trace_write(FILE *f, struct filch__trace *t,
                           const struct filch__trace_clock *clock, bool first)
{
	struct writer w = {.f = f, .trace = t, .clock = clock, .first = first};
	int64_t result;

	w.number = (unsigned long long)t->pool << 32;
	/* All at once: no event is there whose cause is not. */
	for (uint32_t i = 0; i < t->workers; i++)
		pthread_mutex_lock(&t->ring[i].lock);
	w.end = filch__ticks();
	result = index_runs(&w);
	if (!result) {
		if (first)
			fputs("{\"traceEvents\":[\n", f);
		metadata(&w, 0, "process_name", "pool", t->pool);
		for (uint32_t i = 0; i < t->workers; i++) {
			write_track(&w, i);
			result += (int64_t)filch__events_first(&t->ring[i]);
		}
	}
	free(w.runs);
	for (uint32_t i = 0; i < t->workers; i++)
		pthread_mutex_unlock(&t->ring[i].lock);
	return result;
}
