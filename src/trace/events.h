/* SPDX-License-Identifier: MIT */
/*
 * Events of one worker, the newest so many of them. See src/trace/README.md.
 */
#ifndef FILCH_TRACE_EVENTS_H
#define FILCH_TRACE_EVENTS_H

#include <pthread.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>

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
	FILCH__EVENT_TASK_END,                   /* ... and is back */
	FILCH__EVENT_STEAL, /* has stolen from `about` what it runs next: a task, */
	FILCH__EVENT_MUG,   /* or a strand */
	FILCH__EVENT_INBOX, /* has found in the inbox what it runs next */
};

struct filch__event {
	uint64_t ticks;
	const char *name;
	uint64_t id;
	int32_t about; /* a worker, or a descriptor */
	uint16_t kind;
	uint16_t why;
};

_Static_assert(sizeof(struct filch__event) == 32, "two in a line");

/* Its worker adds, under the lock; who writes the file reads, under it, too. */
struct filch__events {
	alignas(FILCH_LINE) pthread_mutex_t lock;
	uint64_t added;             /* events so far */
	uint64_t size;              /* of them are kept; a power of two; constant */
	struct filch__event *event; /* event i is at i % size; constant */
};

/* Errors: -ENOMEM. */
int filch__events_init(struct filch__events *r, size_t size);
void filch__events_destroy(struct filch__events *r);

/* Adds an event, now. Field by field: a struct would be stored in parts and copied as a whole,
 * which took longer than all the rest. Caller: no signal handler. */
void filch__events_add(struct filch__events *r, enum filch__event_kind kind,
                       enum filch__why why, int32_t about, const char *name, uint64_t id);

/* The oldest event that is still there; the one that comes next. Caller: has the lock. */
static inline uint64_t filch__events_first(const struct filch__events *r)
{
	return r->added > r->size ? r->added - r->size : 0;
}

static inline struct filch__event *filch__events_at(const struct filch__events *r,
                                                    uint64_t i)
{
	return &r->event[i & (r->size - 1)];
}

#endif
