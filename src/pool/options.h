/* SPDX-License-Identifier: MIT */
/*
 * The settings of a pool: an option beats an environment variable, which beats the
 * default. filch/pool.h says what each setting means.
 */
#ifndef FILCH_POOL_OPTIONS_H
#define FILCH_POOL_OPTIONS_H

#include <filch/pool.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/quota.h"
#include "sched/victim.h"

/* X(field of struct filch_pool_options, environment variable). The last two are no
 * options of a pool: a process has one trace. */
#define FILCH__SETTINGS(X)                      \
	X(workers, "FILCH_WORKERS")             \
	X(stack_size, "FILCH_STACK_SIZE")       \
	X(policy, "FILCH_POLICY")               \
	X(probabilistic, "FILCH_PROBABILISTIC") \
	X(block_steal, "FILCH_BLOCK_STEAL")     \
	X(ask, "FILCH_ASK")                     \
	X(signal, "FILCH_SIGNAL")               \
	X(block_size, "FILCH_BLOCK_SIZE")       \
	X(topology, "FILCH_TOPOLOGY")           \
	X(bind, "FILCH_BIND")                   \
	X(io, "FILCH_IO")                       \
	X(helpers, "FILCH_HELPERS")             \
	X(deadlocks, "FILCH_DEADLOCKS")         \
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

/* How files are read and written (src/io). URING and EPOLL allow no other way. */
enum filch__io { FILCH__IO_AUTO, FILCH__IO_URING, FILCH__IO_EPOLL };

/* Whether workers keep to processors (bind.h). */
enum filch__bind { FILCH__BIND_AUTO, FILCH__BIND_ON, FILCH__BIND_OFF };

#define FILCH__WORKERS_MAX 1024
#define FILCH__HELPERS_MAX 1024
#define FILCH__STACK_SIZE_MIN ((size_t)16 << 10)
#define FILCH__STACK_SIZE_MAX ((size_t)1 << 30)

/* All settings of a pool, and where each came from. */
struct filch__settings {
	unsigned workers;
	char why_workers[640]; /* "2: affinity (2 of 2 online), no quota" */
	size_t stack_size;     /* of what computes */
	size_t future_size;    /* of the stacks of futures: the same, if it was given */
	enum filch_policy policy;
	bool probabilistic;
	bool block_steal;
	enum filch__ask ask;
	int signal; /* 0: to be chosen */
	size_t block_size;
	const char
		*topology; /* the user's or the environment's text; NULL: this machine */
	enum filch__bind bind;
	enum filch__io io;
	unsigned helpers;    /* threads for blocking calls, at most */
	bool deadlocks;      /* are looked for and reported */
	const char *trace;   /* the file's name as it was given; NULL: none */
	size_t trace_events; /* of each worker, at most */
	enum filch__source from[filch__setting_count];
};

/* Decides all settings. `in` may be NULL. An environment variable that an option
 * overrides is not looked at. Whether hwloc can read the topology is for the pool to find
 * out.
 * Errors: -EINVAL, and `why` says what was given where, and what is allowed. */
int filch__settings_resolve(struct filch__settings *out,
                            const struct filch_pool_options *in, char *why,
                            size_t why_size);

/* Returns how many workers a pool has on these processors; the text in `why` says why. */
unsigned filch__workers_for(const struct filch__cpus *c, char *why, size_t why_size);

/* The names of a setting: "workers", and "FILCH_WORKERS". */
const char *filch__setting_name(enum filch__setting s);
const char *filch__setting_env(enum filch__setting s);

/* Says in `why` that a setting may not have the value that was given, and what it must
 * be. Returns -EINVAL. */
int filch__setting_refuse(const struct filch__settings *s, enum filch__setting at,
                          const char *value, char *why, size_t why_size);

const char *filch__ask_name(enum filch__ask a);
const char *filch__io_name(enum filch__io io);
const char *filch__bind_name(enum filch__bind b);

/* Writes a name such as "SIGURG" or "RTMIN+3" to `out`, or the number of a signal that
 * has none. */
void filch__signal_name(int signal, char *out, size_t size);

#endif
