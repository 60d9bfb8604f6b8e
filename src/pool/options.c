/* SPDX-License-Identifier: MIT */
/*
 * Every setting becomes text first, even one that an option gives as a number: so there
 * is one way to read it, one to check it, and one sentence to refuse it.
 */
#include "pool/options.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fiber/switch.h"
#include "pool/depth.h"
#include "queue/queue.h"
#include "strand/names.h"
#include "trace/trace.h"

/* ThreadSanitizer holds signals back until the thread calls the C library. */
#define ASK_DEFAULT (FILCH__TSAN ? FILCH__ASK_POLL : FILCH__ASK_SIGNAL)

/* Deadlocks are looked for in what is being debugged: a library with assertions, or a
 * program that was compiled with FILCH_DEBUG. */
#ifdef NDEBUG
#define DEADLOCKS_DEFAULT filch__program_debugs()
#else
#define DEADLOCKS_DEFAULT true
#endif

/* Names */

static const char *const setting_names[][2] = {
#define SETTING(name, env) {#name, env},
	FILCH__SETTINGS(SETTING)
#undef SETTING
};

#define POLICY_TOO(name, text) " " #name

static const char *const setting_values[] = {
	[filch__setting_workers] = "a number from 1 to 1024",
	[filch__setting_stack_size] = "a size from 16K to 1G, in bytes or with K, M or G",
	[filch__setting_policy] = "one of:" FILCH_POLICIES(POLICY_TOO),
	[filch__setting_probabilistic] = "on or off",
	[filch__setting_block_steal] = "on or off",
	[filch__setting_ask] = "signal or poll",
	[filch__setting_signal] =
		"a signal that programs may use, by number or name (SIGURG, RTMIN+3)",
	[filch__setting_block_size] = "a power of two from 1 to 32768",
	[filch__setting_topology] = "a topology that hwloc can read (numa:2 core:2 pu:1)",
	[filch__setting_bind] = "auto, on or off",
	[filch__setting_io] = "auto, uring or epoll",
	[filch__setting_helpers] = "a number from 1 to 1024",
	[filch__setting_deadlocks] = "on or off",
	[filch__setting_trace] = "the name of a file, in which %p is the process",
	[filch__setting_trace_events] = "a power of two from 64 to 16777216",
};

static const char *const ask_names[] = {"signal", "poll"};
static const char *const io_names[] = {"auto", "uring", "epoll"};
static const char *const bind_names[] = {"auto", "on", "off"};

const char *filch__setting_name(enum filch__setting s)
{
	return setting_names[s][0];
}

const char *filch__setting_env(enum filch__setting s)
{
	return setting_names[s][1];
}

const char *filch_pool_variable(unsigned i, const char **allowed)
{
	if (i >= filch__setting_count)
		return NULL;
	*allowed = setting_values[i];
	return setting_names[i][1];
}

const char *filch__ask_name(enum filch__ask a)
{
	return ask_names[a];
}

const char *filch__io_name(enum filch__io io)
{
	return io_names[io];
}

const char *filch__bind_name(enum filch__bind b)
{
	return bind_names[b];
}

/* ---- the values that were given ---- */

struct resolver {
	struct filch__settings s;
	enum filch__setting at; /* the setting in question */
	const char *text;       /* what was given for it; NULL: nothing */
	char number[24];        /* an option's number as text */
	char *why;
	size_t why_size;
};

/* Finds the text that was given for a setting; `option` is NULL if there is no option.
 * Returns false if nothing was given. An empty variable counts as none, and so does every
 * variable of a program with more rights than the user that has set it: FILCH_TRACE
 * replaces a file. */
static bool given(struct resolver *r, enum filch__setting at, const char *option)
{
	const char *env = secure_getenv(filch__setting_env(at));

	if (env && !*env)
		env = NULL;
	r->at = at;
	r->text = option ? option : env;
	r->s.from[at] = option ? FILCH__FROM_OPTION
	                : env  ? FILCH__FROM_ENVIRONMENT
	                       : FILCH__FROM_DEFAULT;
	return r->text;
}

/* Does the same for an option that is a number; 0 is no option. */
static bool given_number(struct resolver *r, enum filch__setting at, uint64_t option)
{
	snprintf(r->number, sizeof r->number, "%llu", (unsigned long long)option);
	return given(r, at, option ? r->number : NULL);
}

static const char *source_name(const struct filch__settings *s, enum filch__setting at)
{
	return s->from[at] == FILCH__FROM_OPTION ? filch__setting_name(at)
	                                         : filch__setting_env(at);
}

int filch__setting_refuse(const struct filch__settings *s, enum filch__setting at,
                          const char *value, char *why, size_t why_size)
{
	snprintf(why, why_size, "%s%s is '%s', but must be %s",
	         s->from[at] == FILCH__FROM_OPTION ? "option " : "", source_name(s, at),
	         value, setting_values[at]);
	return -EINVAL;
}

static int refuse(struct resolver *r)
{
	return filch__setting_refuse(&r->s, r->at, r->text, r->why, r->why_size);
}

/* Readers of text */

/* Reads digits, and nothing before them; *end is the text that follows. A number that
 * does not fit becomes the largest one, which is more than any setting may be. */
static bool parse_digits(const char *s, uint64_t *out, const char **end)
{
	char *stop;

	if (*s < '0' || *s > '9')
		return false;
	*out = strtoull(s, &stop, 10);
	*end = stop;
	return true;
}

static bool parse_number(const char *s, uint64_t min, uint64_t max, uint64_t *out)
{
	const char *end;

	return parse_digits(s, out, &end) && !*end && *out >= min && *out <= max;
}

/* Reads a number of bytes, or of K, M or G. */
static bool parse_size(const char *s, size_t min, size_t max, size_t *out)
{
	static const char suffixes[] = "KMG";
	const char *end, *suffix;
	uint64_t n;

	if (!parse_digits(s, &n, &end) || n > max)
		return false;
	if (*end) {
		suffix = strchr(suffixes, *end);
		if (!suffix || end[1])
			return false;
		n <<= 10 * (suffix - suffixes + 1); /* at most 2^30 * 2^30 */
	}
	*out = (size_t)n;
	return n >= min && n <= max;
}

/* Returns which of n names this is, or -1 if it is none. */
static int find_name(const char *s, const char *const *names, int n)
{
	for (int i = 0; i < n; i++)
		if (!strcmp(s, names[i]))
			return i;
	return -1;
}

/* Signals */

/* The signals that can be caught and are not raised by faults. */
static const struct {
	const char *name;
	int number;
} signals[] = {
	{"HUP", SIGHUP},       {"INT", SIGINT},   {"QUIT", SIGQUIT}, {"USR1", SIGUSR1},
	{"USR2", SIGUSR2},     {"PIPE", SIGPIPE}, {"ALRM", SIGALRM}, {"TERM", SIGTERM},
	{"CHLD", SIGCHLD},     {"CONT", SIGCONT}, {"TSTP", SIGTSTP}, {"TTIN", SIGTTIN},
	{"TTOU", SIGTTOU},     {"URG", SIGURG},   {"XCPU", SIGXCPU}, {"XFSZ", SIGXFSZ},
	{"VTALRM", SIGVTALRM}, {"PROF", SIGPROF}, {"IO", SIGIO},     {"PWR", SIGPWR},
	{"WINCH", SIGWINCH},
};
static const size_t signals_n = sizeof signals / sizeof *signals;

static bool usable_signal(uint64_t n)
{
	if (n >= (uint64_t)SIGRTMIN && n <= (uint64_t)SIGRTMAX)
		return true;
	for (size_t i = 0; i < signals_n; i++)
		if (n == (uint64_t)signals[i].number)
			return true;
	return false;
}

/* Reads a real-time signal: "RTMIN", "RTMIN+3", "RTMAX-2". Returns -1 if it is none. */
static int parse_real_time(const char *s)
{
	bool up = !strncmp(s, "RTMIN", 5);
	uint64_t n = 0, most = (uint64_t)(SIGRTMAX - SIGRTMIN);

	if (!up && strncmp(s, "RTMAX", 5))
		return -1;
	if (s[5] && (s[5] != (up ? '+' : '-') || !parse_number(s + 6, 0, most, &n)))
		return -1;
	return up ? SIGRTMIN + (int)n : SIGRTMAX - (int)n;
}

/* Reads a number, or a name with or without SIG. Returns -1 if it is neither, or if the
 * signal may not be used. */
static int parse_signal(const char *s)
{
	uint64_t n;

	if (parse_number(s, 1, INT32_MAX, &n))
		return usable_signal(n) ? (int)n : -1;
	if (!strncmp(s, "SIG", 3))
		s += 3;
	for (size_t i = 0; i < signals_n; i++)
		if (!strcmp(s, signals[i].name))
			return signals[i].number;
	return parse_real_time(s);
}

void filch__signal_name(int signal, char *out, size_t size)
{
	if (signal >= SIGRTMIN && signal <= SIGRTMAX) {
		snprintf(out, size, "RTMIN+%d", signal - SIGRTMIN);
		return;
	}
	snprintf(out, size, "%d", signal);
	for (size_t i = 0; i < signals_n; i++)
		if (signals[i].number == signal)
			snprintf(out, size, "SIG%s", signals[i].name);
}

/* Workers */

unsigned filch__workers_for(const struct filch__cpus *c, char *why, size_t why_size)
{
	unsigned usable = filch__cpus_usable(c);
	unsigned n = usable < FILCH__WORKERS_MAX ? usable : FILCH__WORKERS_MAX;
	const char *cap = n < usable ? "the most that a pool has, below " : "";

	if (!c->quota)
		snprintf(why, why_size, "%u: %saffinity (%u of %u online), no quota", n,
		         cap, c->affinity, c->online);
	else if (c->quota < c->affinity)
		snprintf(why, why_size,
		         "%u: %squota (%s), less than affinity (%u of %u online)", n, cap,
		         c->quota_from, c->affinity, c->online);
	else
		snprintf(why, why_size,
		         "%u: %saffinity (%u of %u online), within the quota of %u (%s)",
		         n, cap, c->affinity, c->online, c->quota, c->quota_from);
	return n;
}

static int resolve_workers(struct resolver *r, unsigned option)
{
	struct filch__settings *s = &r->s;
	struct filch__cpus cpus;
	uint64_t n;

	if (!given_number(r, filch__setting_workers, option)) {
		int err = filch__cpus_read(&cpus, "");

		assert(!err); /* the root is short enough */
		(void)err;
		s->workers =
			filch__workers_for(&cpus, s->why_workers, sizeof s->why_workers);
		return 0;
	}
	if (!parse_number(r->text, 1, FILCH__WORKERS_MAX, &n))
		return refuse(r);
	s->workers = (unsigned)n;
	snprintf(s->why_workers, sizeof s->why_workers, "%u: %s%s", s->workers,
	         option ? "option " : "", source_name(s, filch__setting_workers));
	return 0;
}

/* The others, one by one */

static int resolve_stack_size(struct resolver *r, size_t option)
{
	struct filch__limits limits;

	if (!given_number(r, filch__setting_stack_size, option)) {
		filch__limits_read(&limits);
		r->s.stack_size = filch__stack_size_for(&limits);
		r->s.future_size = FILCH__STACK_SHALLOW;
		return 0;
	}
	if (!parse_size(r->text, FILCH__STACK_SIZE_MIN, FILCH__STACK_SIZE_MAX,
	                &r->s.stack_size))
		return refuse(r);
	r->s.future_size = r->s.stack_size;
	return 0;
}

static int resolve_policy(struct resolver *r, const char *option)
{
	int found = filch_policy_nearest;

	if (given(r, filch__setting_policy, option))
		found = filch__policy_find(r->text);
	if (found < 0)
		return refuse(r);
	r->s.policy = (enum filch_policy)found;
	return 0;
}

static int resolve_switch(struct resolver *r, enum filch__setting at,
                          enum filch_switch option, bool otherwise, bool *out)
{
	static const char *const names[] = {"off", "on"};
	int found = otherwise;
	bool any;

	if (option == FILCH_ON || option == FILCH_OFF)
		any = given(r, at, names[option == FILCH_ON]);
	else
		any = given_number(r, at, (unsigned)option);
	if (any)
		found = find_name(r->text, names, 2);
	if (found < 0)
		return refuse(r);
	*out = found;
	return 0;
}

/* Finds which of n names was given; *out is the default, and is set to the number of the
 * name. */
static int resolve_name(struct resolver *r, enum filch__setting at, const char *option,
                        const char *const *names, int n, int *out)
{
	int found = *out;

	if (given(r, at, option))
		found = find_name(r->text, names, n);
	if (found < 0)
		return refuse(r);
	*out = found;
	return 0;
}

static int resolve_ask(struct resolver *r, const char *option)
{
	int found = ASK_DEFAULT;
	int err = resolve_name(r, filch__setting_ask, option, ask_names, 2, &found);

	r->s.ask = (enum filch__ask)found;
	return err;
}

static int resolve_signal(struct resolver *r, int option)
{
	int found = 0;

	snprintf(r->number, sizeof r->number, "%d", option);
	if (given(r, filch__setting_signal, option ? r->number : NULL))
		found = parse_signal(r->text);
	if (found < 0)
		return refuse(r);
	r->s.signal = found;
	return 0;
}

static int resolve_block_size(struct resolver *r, size_t option)
{
	uint64_t n = 64;

	if (given_number(r, filch__setting_block_size, option) &&
	    (!parse_number(r->text, 1, FILCH_BLOCK_SIZE_MAX, &n) || n & (n - 1)))
		return refuse(r);
	r->s.block_size = (size_t)n;
	return 0;
}

static int resolve_topology(struct resolver *r, const char *option)
{
	given(r, filch__setting_topology, option);
	r->s.topology = r->text;
	return 0;
}

static int resolve_io(struct resolver *r, const char *option)
{
	int found = FILCH__IO_AUTO;
	int err = resolve_name(r, filch__setting_io, option, io_names, 3, &found);

	r->s.io = (enum filch__io)found;
	return err;
}

static int resolve_bind(struct resolver *r, const char *option)
{
	int found = FILCH__BIND_AUTO;
	int err = resolve_name(r, filch__setting_bind, option, bind_names, 3, &found);

	r->s.bind = (enum filch__bind)found;
	return err;
}

static int resolve_helpers(struct resolver *r, unsigned option)
{
	uint64_t n = 64;

	if (given_number(r, filch__setting_helpers, option) &&
	    !parse_number(r->text, 1, FILCH__HELPERS_MAX, &n))
		return refuse(r);
	r->s.helpers = (unsigned)n;
	return 0;
}

static int resolve_trace(struct resolver *r)
{
	uint64_t n = 65536;

	given(r, filch__setting_trace, NULL);
	r->s.trace = r->text;
	if (given(r, filch__setting_trace_events, NULL) &&
	    (!parse_number(r->text, FILCH__TRACE_EVENTS_MIN, FILCH__TRACE_EVENTS_MAX,
	                   &n) ||
	     n & (n - 1)))
		return refuse(r);
	r->s.trace_events = (size_t)n;
	return 0;
}

int filch__settings_resolve(struct filch__settings *out,
                            const struct filch_pool_options *in, char *why,
                            size_t why_size)
{
	static const struct filch_pool_options none;
	struct resolver r = {.why = why, .why_size = why_size};
	int err;

	if (!in)
		in = &none;
	if ((err = resolve_workers(&r, in->workers)) ||
	    (err = resolve_stack_size(&r, in->stack_size)) ||
	    (err = resolve_policy(&r, in->policy)) ||
	    (err = resolve_switch(&r, filch__setting_probabilistic, in->probabilistic,
	                          false, &r.s.probabilistic)) ||
	    (err = resolve_switch(&r, filch__setting_block_steal, in->block_steal, false,
	                          &r.s.block_steal)) ||
	    (err = resolve_ask(&r, in->ask)) || (err = resolve_signal(&r, in->signal)) ||
	    (err = resolve_block_size(&r, in->block_size)) ||
	    (err = resolve_topology(&r, in->topology)) ||
	    (err = resolve_bind(&r, in->bind)) || (err = resolve_io(&r, in->io)) ||
	    (err = resolve_helpers(&r, in->helpers)) ||
	    (err = resolve_switch(&r, filch__setting_deadlocks, in->deadlocks,
	                          DEADLOCKS_DEFAULT, &r.s.deadlocks)) ||
	    (err = resolve_trace(&r)))
		return err;
	*out = r.s;
	return 0;
}
