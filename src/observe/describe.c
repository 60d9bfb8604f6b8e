/* SPDX-License-Identifier: MIT */
/*
 * The description of what a pool would be like in this process, and why: a JSON object.
 * `filch info` shows it. man/filch_pool_describe.3 lists its members, and must be changed
 * with them.
 */
#include <assert.h>
#include <errno.h>
#include <filch/version.h>
#include <stdio.h>
#include <string.h>

#include "base/quota.h"
#include "fiber/switch.h"
#include "observe/above.h"
#include "pool/bind.h"
#include "watch/text.h"

#if FILCH_UCONTEXT
#define SWITCH "ucontext"
#elif defined(__x86_64__)
#define SWITCH "x86_64"
#else
#define SWITCH "aarch64"
#endif

#ifdef NDEBUG
#define ASSERTIONS false
#else
#define ASSERTIONS true
#endif

static const char *bool_text(bool b)
{
	return b ? "true" : "false";
}

/* Adds a string, or null for NULL. */
static void add_string(struct filch__text *out, const char *s)
{
	if (s)
		filch__text_add_string(out, s);
	else
		filch__text_add(out, "null");
}

/* ---- what is here ---- */

static void add_processors(struct filch__text *out)
{
	struct filch__cpus c;
	int err = filch__cpus_read(&c, "");

	assert(!err); /* the root is short enough */
	(void)err;
	filch__text_add(out, "{\"online\":%u,\"affinity\":%u,\"quota\":", c.online,
	                c.affinity);
	if (c.quota)
		filch__text_add(out, "%u", c.quota);
	else
		filch__text_add(out, "null");
	filch__text_add(out, ",\"quota_from\":");
	add_string(out, c.quota ? c.quota_from : NULL);
	filch__text_add(out, "}");
}

/* Makes one stack of this size, and returns what guards it. */
static const char *find_guard(size_t stack_size)
{
	static const char *const names[] = {
		[FILCH__GUARD_MARKER] = "marker",
		[FILCH__GUARD_PROTECTED] = "protected",
		[FILCH__GUARD_NONE] = "none",
	};
	struct filch__stacks stacks;
	struct filch__stack_cache cache = {0};
	struct filch__stack *stack;
	const char *name = "unknown";

	if (filch__stacks_init(&stacks, stack_size))
		return name;
	stack = filch__stack_take(&stacks, &cache);
	if (stack) {
		name = names[stack->guard];
		filch__stack_give(&stacks, &cache, stack);
	}
	filch__stack_cache_flush(&stacks, &cache);
	filch__stacks_destroy(&stacks);
	return name;
}

/* ---- settings ---- */

static void add_value(struct filch__text *out, const struct filch__settings *s,
                      enum filch__setting at)
{
	char signal[32];

	switch (at) {
	case filch__setting_workers:
		filch__text_add(out, "%u", s->workers);
		break;
	case filch__setting_stack_size:
		filch__text_add(out, "%zu", s->stack_size);
		break;
	case filch__setting_policy:
		add_string(out, filch__policy_name(s->policy));
		break;
	case filch__setting_probabilistic:
		filch__text_add(out, "%s", bool_text(s->probabilistic));
		break;
	case filch__setting_block_steal:
		filch__text_add(out, "%s", bool_text(s->block_steal));
		break;
	case filch__setting_ask:
		add_string(out, filch__ask_name(s->ask));
		break;
	case filch__setting_signal:
		filch__signal_name(s->signal, signal, sizeof signal);
		add_string(out, s->signal ? signal : NULL);
		break;
	case filch__setting_block_size:
		filch__text_add(out, "%zu", s->block_size);
		break;
	case filch__setting_bind:
		add_string(out, filch__bind_name(s->bind));
		break;
	case filch__setting_io:
		add_string(out, filch__io_name(s->io));
		break;
	case filch__setting_helpers:
		filch__text_add(out, "%u", s->helpers);
		break;
	case filch__setting_deadlocks:
		filch__text_add(out, "%s", bool_text(s->deadlocks));
		break;
	case filch__setting_trace:
		add_string(out, s->trace);
		break;
	case filch__setting_trace_events:
		filch__text_add(out, "%zu", s->trace_events);
		break;
	default:
		add_string(out, s->topology);
	}
}

static const char *source_text(const struct filch__settings *s, enum filch__setting at)
{
	return s->from[at] == FILCH__FROM_DEFAULT  ? "default"
	       : s->from[at] == FILCH__FROM_OPTION ? "option"
	                                           : filch__setting_env(at);
}

/* Returns how files will be read and written, and why not by io_uring, or NULL if there
 * is nothing to say. */
static const char *io_text(enum filch__io io, char *text, size_t size)
{
	char why[128];

	if (io == FILCH__IO_EPOLL)
		return NULL;
	if (!filch__uring_probe(why, sizeof why))
		return io == FILCH__IO_AUTO ? "uring, which the kernel allows" : NULL;
	snprintf(text, size,
	         io == FILCH__IO_AUTO
	                 ? "helper threads for files, since io_uring is refused: %s"
	                 : "io_uring is refused, calls will fail: %s",
	         why);
	return text;
}

/* Returns what there is to say of a setting, or NULL. */
static const char *reason_text(const struct filch__settings *s,
                               const struct filch__topology *t, enum filch__setting at,
                               char *text, size_t size)
{
	if (at == filch__setting_io)
		return io_text(s->io, text, size);
	if (at == filch__setting_bind) {
		filch__bind_describe(s, t, text, size);
		return text;
	}
	if (s->from[at] != FILCH__FROM_DEFAULT)
		return NULL;
	switch (at) {
	case filch__setting_workers:
		return strchr(s->why_workers, ' ') + 1; /* after "2: " */
	case filch__setting_ask:
		return FILCH__TSAN ? "ThreadSanitizer holds signals back" : NULL;
	case filch__setting_signal:
		return s->ask == FILCH__ASK_SIGNAL
		               ? "URG, or the first from RTMIN+8 up, that nobody handles"
		               : NULL;
	default:
		return NULL;
	}
}

static void add_settings(struct filch__text *out, const struct filch__settings *s,
                         const struct filch__topology *t)
{
	for (int n = 0; n < filch__setting_count; n++) {
		enum filch__setting at = (enum filch__setting)n;
		char text[192];
		const char *reason = reason_text(s, t, at, text, sizeof text);

		filch__text_add(out, "%s\"%s\":{\"value\":", n ? "," : "",
		                filch__setting_name(at));
		add_value(out, s, at);
		filch__text_add(out, ",\"from\":\"%s\"", source_text(s, at));
		if (reason) {
			filch__text_add(out, ",\"why\":");
			add_string(out, reason);
		}
		filch__text_add(out, "}");
	}
}

/* ---- all of it ---- */

static void add_all(struct filch__text *out, const struct filch__settings *s,
                    const struct filch__topology *t)
{
	filch__text_add(out,
	                "{\"version\":\"%s\",\"build\":{\"switch\":\"%s\","
	                "\"sanitizer\":",
	                FILCH_VERSION, SWITCH);
	add_string(out, FILCH__ASAN ? "address" : FILCH__TSAN ? "thread" : NULL);
	filch__text_add(out,
	                ",\"assertions\":%s},\"processors\":", bool_text(ASSERTIONS));
	add_processors(out);
	filch__text_add(
		out,
		",\"topology\":{\"packages\":%d,\"numa_nodes\":%d,\"cores\":%d,"
		"\"processing_units\":%zu},\"stack_guards\":\"%s\",\"settings\":{",
		t->packages, t->numa, t->cores, t->pus, find_guard(s->stack_size));
	add_settings(out, s, t);
	filch__text_add(out, "}}");
}

int filch_pool_describe(char **text, const struct filch_pool_options *o, const char **why)
{
	struct filch__settings settings;
	struct filch__topology topology;
	struct filch__text out = {0};
	char said[256];
	int err = filch__settings_resolve(&settings, o, said, sizeof said);

	if (err)
		return filch__pool_fail(err, why, said);
	err = filch__pool_topology(&topology, &settings, why);
	if (err)
		return err;
	add_all(&out, &settings, &topology);
	filch__topology_destroy(&topology);
	if (out.failed) {
		filch__text_free(&out);
		return filch__pool_fail(-ENOMEM, why, "no memory for the description");
	}
	*text = out.at;
	return 0;
}
