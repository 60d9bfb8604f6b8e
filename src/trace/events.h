/* SPDX-License-Identifier: MIT */
/*
 * Events of one worker, the newest so many of them. See src/trace/README.md.
 */
#ifndef FILCH_TRACE_EVENTS_H
#define FILCH_TRACE_EVENTS_H

#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/atomic.h"
#include "base/cpu.h"

/* Why a strand stops. X(name, text) */
#define FILCH__WHYS(X)               \
	X(other, "something")        \
	X(ended, "its end")          \
	X(yield, "its turn")         \
	X(join, "a join")            \
	X(group, "a group")          \
	X(future, "a future")        \
	X(mutex, "a mutex")          \
	X(condition, "a condition")  \
	X(semaphore, "a semaphore")  \
	X(event, "an event")         \
	X(rwlock, "a rwlock")        \
	X(channel, "a channel")      \
	X(select, "select")          \
	X(sleep, "sleep")            \
	X(input, "input")            \
	X(output, "output")          \
	X(file, "a file")            \
	X(helper, "a helper thread") \
	X(pipeline, "pipeline stages")

enum filch__why {
#define FILCH__WHY(name, text) filch__why_##name,
	FILCH__WHYS(FILCH__WHY)
#undef FILCH__WHY
};

const char *filch__why_text(enum filch__why why);

/* What a strand waits for. */
struct filch__reason {
	enum filch__why why;
	int32_t fd; /* of input and output */
};

#define FILCH__BECAUSE(name) ((struct filch__reason){filch__why_##name, 0})

/* The first of these are states: a worker is in one from its first event on, until the next
 * such event. */
enum filch__event_kind {
	FILCH__EVENT_SEARCH,  /* looks for work */
	FILCH__EVENT_NAP,     /* sleeps, for a while: it begs */
	FILCH__EVENT_LOOKOUT, /* sleeps, and waits for what happens outside */
	FILCH__EVENT_PARK,    /* sleeps until it is called */
	FILCH__EVENT_RUN,     /* runs the strand `id`, begun for the task `name` */
	FILCH__EVENT_STOP,    /* leaves it, see `why` and `about`, and looks for work */
	FILCH__EVENT_GONE,    /* has ended */
	FILCH__EVENT_STATES,
	FILCH__EVENT_TASK = FILCH__EVENT_STATES, /* in its strand, calls `name` ... */
	FILCH__EVENT_TASK_END, /* ... and is back; `name`: the strand's */
	FILCH__EVENT_STEAL,    /* has stolen from `about` what it runs next: a task, */
	FILCH__EVENT_MUG,      /* or a strand */
	FILCH__EVENT_INBOX,    /* has found in the inbox what it runs next */
};

/* As it is read. */
struct filch__event {
	uint64_t ticks;
	const char *name;
	uint64_t id;
	int32_t about; /* a worker, or a descriptor */
	uint16_t kind;
	uint16_t why;
};

/* As it is kept: ticks, name, id, and the rest in the last word. The worker writes, anybody
 * reads; who renames changes the name. */
struct filch__event_slot {
	_Atomic(uint64_t) word[4];
};

_Static_assert(sizeof(struct filch__event_slot) == 32, "two in a line");

struct filch__events {
	alignas(FILCH_LINE) _Atomic(uint64_t) added; /* events so far; the worker's */
	uint64_t size;                  /* of them are kept; a power of two; constant */
	struct filch__event_slot *slot; /* event i is at i % size; constant */
};

/* Errors: -ENOMEM. */
int filch__events_init(struct filch__events *r, size_t size);
void filch__events_destroy(struct filch__events *r);

/* Adds an event, now. Caller: the worker; no signal handler. */
void filch__events_add(struct filch__events *r, enum filch__event_kind kind,
                       enum filch__why why, int32_t about, const char *name, uint64_t id);

/* Events that have the name get the other one. Caller: no such event is added any more, and
 * nobody else renames. Returns whether there were any. */
bool filch__events_rename(struct filch__events *r, const char *name, const char *to);

/* What a ring had at some time, the oldest first. */
struct filch__history {
	struct filch__event *event;
	size_t n;
	uint64_t lost; /* how many were overwritten before */
};

/* Copies what there is; the worker may go on. Events after the time `until` are left out.
 * Errors: -ENOMEM. */
int filch__events_copy(const struct filch__events *r, struct filch__history *out,
                       uint64_t until);
void filch__history_free(struct filch__history *h);

#endif
