/* SPDX-License-Identifier: MIT */
/*
 * From what a user asks of a pool to what it does: an option beats an environment
 * variable, which beats the default. filch/pool.h says what each setting means.
 */
#ifndef FILCH_SCHED_OPTIONS_H
#define FILCH_SCHED_OPTIONS_H

#include <filch/pool.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/quota.h"
#include "queue/queue.h"
#include "sched/victim.h"

/* X(field of struct filch_pool_options, environment variable). The last two are no options of
 * a pool: there is one trace of a process. */
#define FILCH__SETTINGS(X)                      \
	X(workers, "FILCH_WORKERS")             \
	X(stack_size, "FILCH_STACK_SIZE")       \
	X(policy, "FILCH_POLICY")               \
	X(probabilistic, "FILCH_PROBABILISTIC") \
	X(block_steal, "FILCH_BLOCK_STEAL")     \
	X(ask, "FILCH_ASK")                     \
	X(signal, "FILCH_SIGNAL")               \
	X(queue, "FILCH_QUEUE")                 \
	X(block_size, "FILCH_BLOCK_SIZE")       \
	X(topology, "FILCH_TOPOLOGY")           \
	X(io, "FILCH_IO")                       \
	X(helpers, "FILCH_HELPERS")             \
	X(trace, "FILCH_TRACE")                 \
	X(trace_events, "FILCH_TRACE_EVENTS")

enum filch__setting {
#define FILCH__SETTING(name, env) filch__setting_##name,
	FILCH__SETTINGS(FILCH__SETTING)
#undef FILCH__SETTING
		filch__setting_count,
};

enum filch__source { FILCH__FROM_DEFAULT, FILCH__FROM_ENVIRONMENT, FILCH__FROM_OPTION };

/* How thieves ask a worker to expose tasks. */
enum filch__ask { FILCH__ASK_SIGNAL, FILCH__ASK_POLL };

/* What src/io uses. URING and EPOLL insist on it. */
enum filch__io { FILCH__IO_AUTO, FILCH__IO_URING, FILCH__IO_EPOLL };

enum filch__queue_kind {
#define FILCH__QUEUE_KIND(kind, order, text) filch__queue_##kind,
	FILCH_QUEUE_KINDS(FILCH__QUEUE_KIND)
#undef FILCH__QUEUE_KIND
		filch__queue_count,
};

#define FILCH__WORKERS_MAX 1024
#define FILCH__HELPERS_MAX 1024
#define FILCH__STACK_SIZE_MIN ((size_t)16 << 10)
#define FILCH__STACK_SIZE_MAX ((size_t)1 << 30)

/* Everything decided, and where it came from. */
struct filch__settings {
	unsigned workers;
	char why_workers[640]; /* "2: affinity (2 of 2 online), no quota" */
	size_t stack_size;
	enum filch_policy policy;
	bool probabilistic;
	bool block_steal;
	enum filch__ask ask; /* POLL whenever the queue is no bwos_lifo */
	int signal;          /* 0: to be chosen */
	enum filch__queue_kind queue;
	size_t block_size;
	const char
		*topology; /* the user's or the environment's text; NULL: this machine */
	enum filch__io io;
	unsigned helpers;    /* threads for blocking calls, at most */
	const char *trace;   /* the file's name as it was given; NULL: none */
	size_t trace_events; /* of each worker, at most */
	enum filch__source from[filch__setting_count];
};

/* Errors: -EINVAL, and `why` says what was given where, and what is allowed. An
 * environment variable that an option overrides is not looked at. Whether hwloc can read
 * the topology is for the pool to find out. `in` may be NULL. */
int filch__settings_resolve(struct filch__settings *out,
                            const struct filch_pool_options *in, char *why,
                            size_t why_size);

/* How many workers these processors are for, and a text that says why. */
unsigned filch__workers_for(const struct filch__cpus *c, char *why, size_t why_size);

/* "workers", and "FILCH_WORKERS". */
const char *filch__setting_name(enum filch__setting s);
const char *filch__setting_env(enum filch__setting s);

/* What it must be: "a number from 1 to 1024". */
const char *filch__setting_allowed(enum filch__setting s);

const char *filch__ask_name(enum filch__ask a);
const char *filch__io_name(enum filch__io io);
const char *filch__queue_name(enum filch__queue_kind k);

/* "SIGURG" or "RTMIN+3", into `out`; the number for what has no such name. */
void filch__signal_name(int signal, char *out, size_t size);

#endif
