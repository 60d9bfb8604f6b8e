/* SPDX-License-Identifier: MIT */
/*
 * Probes report what strands and workers do: to the trace of FILCH_TRACE (src/trace) and,
 * in a build with FILCH_USDT, to debuggers and tracers that know static probes (provider
 * filch). While nobody watches, each probe is a look at one word of the worker.
 */
#ifndef FILCH_STRAND_PROBE_H
#define FILCH_STRAND_PROBE_H

#include "strand/loose.h"
#include "strand/worker.h"

#ifdef FILCH_USDT
#include <sys/sdt.h>
#define FILCH__USDT1(name, a) DTRACE_PROBE1(filch, name, a)
#define FILCH__USDT2(name, a, b) DTRACE_PROBE2(filch, name, a, b)
#define FILCH__USDT3(name, a, b, c) DTRACE_PROBE3(filch, name, a, b, c)
#else
#define FILCH__USDT1(name, a) ((void)0)
#define FILCH__USDT2(name, a, b) ((void)0)
#define FILCH__USDT3(name, a, b, c) ((void)0)
#endif

/* A number for one wait of a strand: a strand that resumes has the number with which it
 * stopped. The four low bits of the address are zero, so 20 bits are left for the
 * waits. */
static inline uint64_t filch__probe_id(const struct filch__strand *s)
{
	uint32_t waits = load_rlx(&s->state) >> FILCH__STATE_BITS; /* its runner's own */

	return (uint64_t)(uintptr_t)s << 16 | (waits & 0xfffff);
}

/* The name of a title as events keep it: that of a task, or a function, whose name is
 * looked up when the trace is written. */
static inline const char *filch__probe_name(uintptr_t title)
{
	if (filch__is_function(title))
		return (const char *)title;
	return ((const struct filch__task *)title)->name;
}

static inline const char *filch__probe_strand(const struct filch__strand *s)
{
	return filch__probe_name(load_rlx(&s->runs)); /* its runner's own */
}

/* These add an event to the worker's trace. */
void filch__trace_run(struct filch__worker *w, const struct filch__strand *s);
void filch__trace_stop(struct filch__worker *w, const struct filch__strand *s,
                       struct filch__reason reason);
void filch__trace_task(struct filch__worker *w, const struct filch__record *r);
void filch__trace_task_end(struct filch__worker *w);
void filch__trace_steal(struct filch__worker *w, const struct filch__worker *victim,
                        bool strand);
void filch__trace_other(struct filch__worker *w, enum filch__event_kind kind);

/* A strand begins or resumes: run(worker, strand, name of the task). A function that
 * stands for a task has its address there, with the highest bit set. */
static inline void filch__probe_run(struct filch__worker *w,
                                    const struct filch__strand *s)
{
	FILCH__USDT3(run, w->index, s, filch__probe_strand(s));
	if (FILCH_UNLIKELY(w->events))
		filch__trace_run(w, s);
}

/* A strand stops, ends or yields: stop(worker, strand, why). */
static inline void filch__probe_stop(struct filch__worker *w,
                                     const struct filch__strand *s,
                                     struct filch__reason reason)
{
	FILCH__USDT3(stop, w->index, s, filch__why_text(reason.why));
	if (FILCH_UNLIKELY(w->events))
		filch__trace_stop(w, s, reason);
}

/* A strand runs another task than the one it was begun for: task(worker, name); and when
 * that task is done: task_end(worker). */
static inline void filch__probe_task(struct filch__worker *w,
                                     const struct filch__record *r)
{
	FILCH__USDT2(task, w->index, filch__probe_name(filch__title(r)));
	if (FILCH_UNLIKELY(w->events))
		filch__trace_task(w, r);
}

static inline void filch__probe_task_end(struct filch__worker *w)
{
	FILCH__USDT1(task_end, w ? w->index : 0);
	if (FILCH_UNLIKELY(w && w->events)) /* w is NULL in the child of a fork */
		filch__trace_task_end(w);
}

/* The worker has stolen what it runs next: steal(worker, victim, whether it is a
 * strand). */
static inline void filch__probe_steal(struct filch__worker *w,
                                      const struct filch__worker *victim, bool strand)
{
	FILCH__USDT3(steal, w->index, victim->index, strand);
	if (FILCH_UNLIKELY(w->events))
		filch__trace_steal(w, victim, strand);
}

/* The worker has found in the inbox what it runs next: inbox(worker). */
static inline void filch__probe_inbox(struct filch__worker *w)
{
	FILCH__USDT1(inbox, w->index);
	if (FILCH_UNLIKELY(w->events))
		filch__trace_other(w, FILCH__EVENT_INBOX);
}

/* The worker falls asleep, or wakes up and searches, or ends: idle(worker, state). */
static inline void filch__probe_idle(struct filch__worker *w, enum filch__event_kind kind)
{
	FILCH__USDT2(idle, w->index, (int)kind);
	if (FILCH_UNLIKELY(w->events))
		filch__trace_other(w, kind);
}

#endif
