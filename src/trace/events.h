/* SPDX-License-Identifier: MIT */
/*
 * The newest events of one worker, in a ring. See README.md.
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

/* The reason for which a strand waits. */
struct filch__reason {
	enum filch__why why;
	int32_t fd; /* for input and output */
};

#define FILCH__BECAUSE(name) ((struct filch__reason){filch__why_##name, 0})

/* The first kinds are states: a worker is in a state from such an event until the next
 * one. */
enum filch__event_kind {
	FILCH__EVENT_SEARCH,  /* the worker looks for work */
	FILCH__EVENT_NAP,     /* it sleeps for a while, and begs */
	FILCH__EVENT_LOOKOUT, /* it sleeps, and waits for events outside the pool */
	FILCH__EVENT_PARK,    /* it sleeps until it is called */
	FILCH__EVENT_RUN,     /* it runs the strand `id`, begun for the task `name` */
	FILCH__EVENT_STOP,    /* it leaves the strand, see `why`, and looks for work */
	FILCH__EVENT_GONE,    /* it has ended */
	FILCH__EVENT_STATES,
	FILCH__EVENT_TASK = FILCH__EVENT_STATES, /* the strand calls the task `name` */
	FILCH__EVENT_TASK_END, /* that task returns; `name` is the strand's */
	FILCH__EVENT_STEAL,    /* the worker runs next a task stolen from `about` */
	FILCH__EVENT_MUG,      /* the worker runs next a strand stolen from `about` */
	FILCH__EVENT_INBOX,    /* the worker runs next something from the inbox */
};

/* An event as it is read. The name of a function that has none at hand is its address, with
 * FILCH__FUNCTION set (base/symbol.h). */
struct filch__event {
	uint64_t ticks;
	const char *name;
	uint64_t id;
	int32_t about; /* a worker, or a descriptor */
	uint16_t kind;
	uint16_t why;
};

/* An event as it is kept: ticks, name, id, and the rest in the last word. The worker
 * writes it, and any thread reads it; filch__events_rename() changes the name. */
struct filch__event_slot {
	_Atomic(uint64_t) word[4];
};

_Static_assert(sizeof(struct filch__event_slot) == 32, "two in a line");

struct filch__events {
	alignas(FILCH_LINE) _Atomic(uint64_t)
		added;                  /* events so far; written by the worker */
	uint64_t size;                  /* how many are kept; a power of two; constant */
	struct filch__event_slot *slot; /* event i is at i % size; constant */
};

/* Errors: -ENOMEM. */
int filch__events_init(struct filch__events *r, size_t size);
void filch__events_destroy(struct filch__events *r);

/* Adds an event with the current time. Caller: the worker, in no signal handler. */
void filch__events_add(struct filch__events *r, enum filch__event_kind kind,
                       enum filch__why why, int32_t about, const char *name, uint64_t id);

/* Calls `change` for each event whose name is the address of a function, and gives the
 * event the name that it returns. Caller: as below. */
void filch__events_rename_functions(struct filch__events *r,
                                    const char *(*change)(uintptr_t function));

/* Gives events that have this name the name `to`. Returns whether there were any. Caller:
 * makes sure that no event with the old name is added from now on, and that no other
 * thread renames. */
bool filch__events_rename(struct filch__events *r, const char *name, const char *to);

/* The events that a ring had at some time, the oldest first. */
struct filch__history {
	struct filch__event *event;
	size_t n;
	uint64_t lost; /* how many older events were overwritten */
};

/* Copies the events up to the time `until`, while the worker may add others.
 * Errors: -ENOMEM. */
int filch__events_copy(const struct filch__events *r, struct filch__history *out,
                       uint64_t until);
void filch__history_free(struct filch__history *h);

#endif
