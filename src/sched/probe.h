/* SPDX-License-Identifier: MIT */
/*
 * What the scheduler tells those who watch it: the trace of FILCH_TRACE (src/trace) and, in a
 * build with FILCH_USDT, debuggers and tracers that know of static probes (provider filch).
 * With nobody watching, each is a look at one word of the worker.
 */
#ifndef FILCH_SCHED_PROBE_H
#define FILCH_SCHED_PROBE_H

#include "sched/loose.h"
#include "sched/run.h"

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

/* One wait of a strand, or one strand that has not waited: what goes on has the number of what
 * stopped. The four low bits of the address are none, and 20 are left for the waits. */
static inline uint64_t filch__probe_id(const struct filch__strand *s)
{
	uint32_t waits = load_rlx(&s->state) >> FILCH__STATE_BITS; /* its runner's own */

	return (uint64_t)(uintptr_t)s << 16 | (waits & 0xfffff);
}

static inline const char *filch__probe_name(const struct filch__strand *s)
{
	return load_rlx(&s->runs)->name; /* its runner's own */
}

/* The traces' part. */
void filch__trace_run(struct filch__worker *w, const struct filch__strand *s);
void filch__trace_stop(struct filch__worker *w, const struct filch__strand *s,
                       struct filch__reason reason);
void filch__trace_task(struct filch__worker *w, const struct filch__record *r);
void filch__trace_task_end(struct filch__worker *w);
void filch__trace_steal(struct filch__worker *w, const struct filch__worker *victim,
                        const struct filch__job *job);
void filch__trace_other(struct filch__worker *w, enum filch__event_kind kind);

/* A strand begins, or goes on: run(worker, strand, name of the task). */
static inline void filch__probe_run(struct filch__worker *w,
                                    const struct filch__strand *s)
{
	FILCH__USDT3(run, w->index, s, filch__probe_name(s));
	if (FILCH_UNLIKELY(w->events))
		filch__trace_run(w, s);
}

/* It stops, ends or yields: stop(worker, strand, why). */
static inline void filch__probe_stop(struct filch__worker *w,
                                     const struct filch__strand *s,
                                     struct filch__reason reason)
{
	FILCH__USDT3(stop, w->index, s, filch__why_text(reason.why));
	if (FILCH_UNLIKELY(w->events))
		filch__trace_stop(w, s, reason);
}

/* A strand runs another task than the one it was begun for: task(worker, name), and when it
 * is done: task_end(worker). */
static inline void filch__probe_task(struct filch__worker *w,
                                     const struct filch__record *r)
{
	FILCH__USDT2(task, w->index, filch__users_task(r)->name);
	if (FILCH_UNLIKELY(w->events))
		filch__trace_task(w, r);
}

static inline void filch__probe_task_end(struct filch__worker *w)
{
	FILCH__USDT1(task_end, w ? w->index : 0);
	if (FILCH_UNLIKELY(w && w->events)) /* not in the child of a fork */
		filch__trace_task_end(w);
}

/* What is to be run next was another worker's: steal(worker, victim, it is a strand). */
static inline void filch__probe_steal(struct filch__worker *w,
                                      const struct filch__worker *victim,
                                      const struct filch__job *job)
{
	FILCH__USDT3(steal, w->index, victim->index, job->strand != NULL);
	if (FILCH_UNLIKELY(w->events))
		filch__trace_steal(w, victim, job);
}

/* It was in the inbox: inbox(worker). */
static inline void filch__probe_inbox(struct filch__worker *w)
{
	FILCH__USDT1(inbox, w->index);
	if (FILCH_UNLIKELY(w->events))
		filch__trace_other(w, FILCH__EVENT_INBOX);
}

/* The worker goes to sleep, or comes back and searches, or ends: idle(worker, state). */
static inline void filch__probe_idle(struct filch__worker *w, enum filch__event_kind kind)
{
	FILCH__USDT2(idle, w->index, (int)kind);
	if (FILCH_UNLIKELY(w->events))
		filch__trace_other(w, kind);
}

#endif
