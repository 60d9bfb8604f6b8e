/* SPDX-License-Identifier: MIT */
#include "trace/json.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/symbol.h"
#include "trace/trace.h"

struct writer {
	FILE *f;
	const struct filch__trace *trace;
	struct filch__history *history; /* of each worker */
	const struct filch__trace_clock *clock;
	bool first;                       /* nothing has been written so far */
	const struct filch__event **runs; /* all RUNs, sorted by id and time */
	size_t runs_n;
	uint64_t whole;            /* from this time on, nothing was overwritten */
	uint64_t end;              /* the time up to which events are written */
	unsigned long long number; /* of the last arrow or wait */
};

/* The slices that are open while a worker's events are written. */
struct track {
	uint32_t tid;
	bool in_state;  /* a slice for the worker's state is open */
	unsigned tasks; /* how many slices for tasks are open in it */
	const struct filch__event
		*theft; /* the steal of the work that runs next, or NULL */
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

/* Begins an event, up to its time, which is in microseconds in this format. */
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

/* The strand's address, which filch__probe_id() has packed into the event's id. */
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

/* ---- looking up events ---- */

static bool is_state(const struct filch__event *e)
{
	return e->kind < FILCH__EVENT_STATES;
}

static int by_id(const void *a, const void *b)
{
	const struct filch__event *x = *(const struct filch__event *const *)a;
	const struct filch__event *y = *(const struct filch__event *const *)b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return (x->ticks > y->ticks) - (x->ticks < y->ticks);
}

/* Finds all RUNs, and the time from which on the rings are complete. */
static int index_runs(struct writer *w)
{
	size_t most = 0;

	for (uint32_t i = 0; i < w->trace->workers; i++) {
		const struct filch__history *h = &w->history[i];

		most += h->n;
		if (h->lost && h->n && h->event[0].ticks > w->whole)
			w->whole = h->event[0].ticks;
	}
	w->runs = malloc(most * sizeof *w->runs + 1);
	if (!w->runs)
		return -ENOMEM;
	for (uint32_t i = 0; i < w->trace->workers; i++)
		for (size_t k = 0; k < w->history[i].n; k++)
			if (w->history[i].event[k].kind == FILCH__EVENT_RUN)
				w->runs[w->runs_n++] = &w->history[i].event[k];
	qsort(w->runs, w->runs_n, sizeof *w->runs, by_id);
	return 0;
}

/* Returns the RUN in which the strand that stopped here resumes, or NULL. */
static const struct filch__event *resumes(const struct writer *w,
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

/* Whether this worker's track has a slice at this time: it has one from its oldest event
 * on, until the worker is gone. */
static bool has_slice(const struct filch__history *h, uint64_t ticks)
{
	const struct filch__event *last = h->n ? &h->event[h->n - 1] : NULL;

	return last && h->event[0].ticks <= ticks &&
	       !(last->kind == FILCH__EVENT_GONE && last->ticks <= ticks);
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

/* Opens a slice for the oldest events, if the event that began their state was
 * overwritten. The next end of a task names the strand. */
static void open_rest(struct writer *w, struct track *t, const struct filch__history *h)
{
	const struct filch__event *e = h->event, *end = e + h->n;
	const bool runs = e->kind == FILCH__EVENT_TASK ||
	                  e->kind == FILCH__EVENT_TASK_END;
	const char *name = runs ? "..." : "searching";

	for (const struct filch__event *k = e; runs && k < end && !is_state(k); k++)
		if (k->kind == FILCH__EVENT_TASK_END) {
			name = k->name;
			break;
		}
	event(w, "B", t->tid, e->ticks);
	named(w, runs ? "strand" : "idle", name);
	putc('}', w->f);
	t->in_state = true;
}

/* Writes an arrow from the victim's slice to the slice of the thief that has just
 * begun. */
static void arrow(struct writer *w, const struct track *t, uint64_t ticks)
{
	const struct filch__event *e = t->theft;
	const char *name = e->kind == FILCH__EVENT_MUG ? "mug" : "steal";

	assert(e->about >= 0 && (uint32_t)e->about < w->trace->workers);
	if (!has_slice(&w->history[e->about], e->ticks))
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

/* A strand that waits is on no worker's track: it has a track of its own. If there is no
 * RUN that ends the wait, the strand waits until the end, unless that RUN may have been
 * overwritten. */
static void wait(struct writer *w, const struct track *t, const struct filch__event *e)
{
	const struct filch__event *on = resumes(w, e);
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

/* Writes an event within a state. A strand may have stopped in a task: the end of the
 * task then comes in another slice, and is skipped. */
static void write_within(struct writer *w, struct track *t, const struct filch__event *e)
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
		assert(e->kind == FILCH__EVENT_STEAL || e->kind == FILCH__EVENT_MUG);
		t->theft = e;
	}
}

static void write_track(struct writer *w, uint32_t worker)
{
	const struct filch__history *h = &w->history[worker];
	struct track t = {.tid = worker};

	metadata(w, worker, "thread_name", "worker", worker);
	if (h->n && !is_state(&h->event[0]))
		open_rest(w, &t, h);
	for (size_t i = 0; i < h->n; i++) {
		if (is_state(&h->event[i]))
			write_state(w, &t, &h->event[i]);
		else
			write_within(w, &t, &h->event[i]);
	}
	close_all(w, &t, w->end);
}

/* Copies the events of all workers up to one time: if an event refers to an event of
 * another worker, that one was added before it. */
static int copy_all(struct writer *w)
{
	int err = 0;

	w->end = filch__ticks();
	w->history = calloc(w->trace->workers, sizeof *w->history);
	if (!w->history)
		return -ENOMEM;
	for (uint32_t i = 0; i < w->trace->workers && !err; i++)
		err = filch__events_copy(&w->trace->ring[i], &w->history[i], w->end);
	return err;
}

/* Looks up the names of functions. */
static void name_functions(struct writer *w)
{
	for (uint32_t i = 0; i < w->trace->workers; i++)
		for (size_t k = 0; k < w->history[i].n; k++) {
			struct filch__event *e = &w->history[i].event[k];

			if (filch__is_function((uintptr_t)e->name))
				e->name = filch__trace_function((uintptr_t)e->name);
		}
}

static int64_t write_all(struct writer *w)
{
	uint64_t lost = 0;

	if (w->first)
		fputs("{\"traceEvents\":[\n", w->f);
	metadata(w, 0, "process_name", "pool", w->trace->pool);
	for (uint32_t i = 0; i < w->trace->workers; i++) {
		write_track(w, i);
		lost += w->history[i].lost;
	}
	return (int64_t)lost;
}

int64_t filch__trace_write(FILE *f, const struct filch__trace *t,
                           const struct filch__trace_clock *clock, bool first)
{
	struct writer w = {.f = f, .trace = t, .clock = clock, .first = first};
	int64_t result;

	w.number = (unsigned long long)t->pool << 32;
	result = copy_all(&w);
	if (!result)
		result = index_runs(&w);
	if (!result) {
		name_functions(&w);
		result = write_all(&w);
	}
	for (uint32_t i = 0; w.history && i < t->workers; i++)
		filch__history_free(&w.history[i]);
	free(w.history);
	free(w.runs);
	return result;
}
