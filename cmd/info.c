/* SPDX-License-Identifier: MIT */
/* filch info: what a pool of this environment would be, and why. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#ifndef FILCH_NO_HWLOC
#include <hwloc.h>
#endif

#include "base/quota.h"
#include "base/topology.h"
#include "cmd/filch.h"
#include "fiber/stack.h"
#include "fiber/switch.h"
#include "io/op.h"
#include "sched/options.h"

static const char help[] =
	"usage: filch info [--json]\n"
	"\n"
	"Shows the processors that Filch may use, how it was built, and the\n"
	"settings of a pool that has no options of its own, each with where it\n"
	"comes from. Environment variables change them:\n"
	"\n";

/* Objects of the topology; 0 where there are none or nobody can tell. */
struct tree {
	int packages, numa, cores, pus;
};

struct info {
	struct filch__cpus cpus;
	struct filch__settings settings;
	struct tree tree;
	const char *guard;
};

/* How this was built */

static const char *build_switch(void)
{
	if (FILCH_UCONTEXT)
		return "ucontext";
#if defined(__x86_64__)
	return "x86_64";
#else
	return "aarch64";
#endif
}

static const char *build_sanitizer(void)
{
	return FILCH__ASAN ? "address" : FILCH__TSAN ? "thread" : NULL;
}

static bool build_asserts(void)
{
#ifdef NDEBUG
	return false;
#else
	return true;
#endif
}

/* What is here */

/* What guards the stacks of a pool with stacks of this size: makes one, and looks. */
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

/* For people: what this means. */
static const char *guard_text(const char *guard)
{
	return !strcmp(guard, "marker") ? "one a stack, by MADV_GUARD_INSTALL"
	       : !strcmp(guard, "protected")
	               ? "one a stack, by mprotect(): two mappings each"
	       : !strcmp(guard, "none") ? "overflows go unnoticed"
	                                : "no stack of this size can be had";
}

/* Errors: -EINVAL for a description that hwloc refuses, -ENOMEM. */
#ifdef FILCH_NO_HWLOC
static int find_tree(struct tree *t, const char *synthetic)
{
	struct filch__topology topology;
	int err = filch__topology_init(&topology, synthetic);

	if (err)
		return err;
	*t = (struct tree){.pus = (int)topology.pus};
	filch__topology_destroy(&topology);
	return 0;
}
#else
static int find_tree(struct tree *t, const char *synthetic)
{
	hwloc_topology_t h;
	int err = 0;

	if (hwloc_topology_init(&h))
		return -ENOMEM;
	if ((synthetic && hwloc_topology_set_synthetic(h, synthetic)) ||
	    hwloc_topology_load(h)) {
		err = -EINVAL;
		goto destroy_hwloc;
	}
	t->packages = hwloc_get_nbobjs_by_type(h, HWLOC_OBJ_PACKAGE);
	t->numa = hwloc_get_nbobjs_by_type(h, HWLOC_OBJ_NUMANODE);
	t->cores = hwloc_get_nbobjs_by_type(h, HWLOC_OBJ_CORE);
	t->pus = hwloc_get_nbobjs_by_type(h, HWLOC_OBJ_PU);
destroy_hwloc:
	hwloc_topology_destroy(h);
	return err;
}
#endif

/* 0, or an exit code after saying what is wrong. */
static int find(struct info *i)
{
	char why[512];
	const char *synthetic;

	if (filch__settings_resolve(&i->settings, NULL, why, sizeof why)) {
		fprintf(stderr, "filch info: %s\n", why);
		return 2;
	}
	synthetic = i->settings.topology;
	if (find_tree(&i->tree, synthetic)) {
		if (synthetic)
			fprintf(stderr,
			        "filch info: FILCH_TOPOLOGY is '%s', but must be %s\n",
			        synthetic,
			        filch__setting_allowed(filch__setting_topology));
		else
			fputs("filch info: hwloc cannot read this machine's topology\n",
			      stderr);
		return synthetic ? 2 : 1;
	}
	if (filch__cpus_read(&i->cpus, ""))
		return 1;
	i->guard = find_guard(i->settings.stack_size);
	return 0;
}

/* Settings as text */

static const char *on_off(bool on)
{
	return on ? "on" : "off";
}

/* Bytes, in the largest unit that leaves nothing over. */
static void size_text(size_t n, char *out, size_t size)
{
	static const char units[] = " KMG";
	int unit = 0;

	for (; unit < 3 && n && !(n & 1023); unit++)
		n >>= 10;
	snprintf(out, size, unit ? "%zu%c" : "%zu", n, units[unit]);
}

static void signal_text(const struct filch__settings *s, char *out, size_t size)
{
	if (s->signal)
		filch__signal_name(s->signal, out, size);
	else
		snprintf(out, size, "%s",
		         s->ask == FILCH__ASK_SIGNAL ? "first free" : "none");
}

static void value_text(const struct filch__settings *s, enum filch__setting at, char *out,
                       size_t size)
{
	switch (at) {
	case filch__setting_workers:
		snprintf(out, size, "%u", s->workers);
		break;
	case filch__setting_stack_size:
		size_text(s->stack_size, out, size);
		break;
	case filch__setting_policy:
		snprintf(out, size, "%s", filch__policy_name(s->policy));
		break;
	case filch__setting_probabilistic:
		snprintf(out, size, "%s", on_off(s->probabilistic));
		break;
	case filch__setting_block_steal:
		snprintf(out, size, "%s", on_off(s->block_steal));
		break;
	case filch__setting_ask:
		snprintf(out, size, "%s", filch__ask_name(s->ask));
		break;
	case filch__setting_signal:
		signal_text(s, out, size);
		break;
	case filch__setting_queue:
		snprintf(out, size, "%s", filch__queue_name(s->queue));
		break;
	case filch__setting_block_size:
		snprintf(out, size, "%zu", s->block_size);
		break;
	case filch__setting_io:
		snprintf(out, size, "%s", filch__io_name(s->io));
		break;
	case filch__setting_helpers:
		snprintf(out, size, "%u", s->helpers);
		break;
	case filch__setting_trace:
		snprintf(out, size, "%s", s->trace ? s->trace : "none");
		break;
	case filch__setting_trace_events:
		snprintf(out, size, "%zu", s->trace_events);
		break;
	default:
		snprintf(out, size, "%s", s->topology ? s->topology : "this machine");
	}
}

static const char *source_text(const struct filch__settings *s, enum filch__setting at)
{
	return s->from[at] == FILCH__FROM_DEFAULT ? "default" : filch__setting_env(at);
}

/* What will be used, and why not io_uring. */
static const char *io_text(enum filch__io io)
{
	static char text[192];
	char why[128];

	if (io == FILCH__IO_EPOLL)
		return NULL;
	if (!filch__uring_probe(why, sizeof why))
		return io == FILCH__IO_AUTO ? "uring, which the kernel allows" : NULL;
	snprintf(text, sizeof text,
	         io == FILCH__IO_AUTO ? "epoll, since io_uring is refused: %s"
	                              : "io_uring is refused, calls will fail: %s",
	         why);
	return text;
}

/* What there is to say of a setting, or NULL. */
static const char *reason_text(const struct filch__settings *s, enum filch__setting at)
{
	if (at == filch__setting_ask && s->queue != filch__queue_bwos_lifo)
		return "only a bwos_lifo can be filled by a signal handler";
	if (at == filch__setting_io)
		return io_text(s->io);
	if (s->from[at] != FILCH__FROM_DEFAULT)
		return NULL;
	switch (at) {
	case filch__setting_workers:
		return strchr(s->why_workers, ' ') + 1; /* after "2: " */
	case filch__setting_ask:
		return FILCH__TSAN ? "ThreadSanitizer holds signals back" : NULL;
	case filch__setting_signal:
		return s->ask == FILCH__ASK_SIGNAL
		               ? "the first from RTMIN+8 up that nobody handles"
		               : NULL;
	default:
		return NULL;
	}
}

/* For people */

static void print_text(const struct info *i)
{
	const struct filch__settings *s = &i->settings;
	const struct tree *t = &i->tree;
	const char *sanitizer = build_sanitizer();

	printf("filch %s\n\n", FILCH_VERSION);
	printf("build          %s switch, %s sanitizer, assertions %s\n", build_switch(),
	       sanitizer ? sanitizer : "no", on_off(build_asserts()));
	printf("processors     %u online, %u by affinity, ", i->cpus.online,
	       i->cpus.affinity);
	if (i->cpus.quota)
		printf("%u by quota (%s)\n", i->cpus.quota, i->cpus.quota_from);
	else
		puts("no quota");
	printf("topology       packages %d, NUMA nodes %d, cores %d, processing units "
	       "%d%s\n",
	       t->packages, t->numa, t->cores, t->pus, s->topology ? " (synthetic)" : "");
	printf("stack guards   %s (%s)\n\n", i->guard, guard_text(i->guard));
	for (int n = 0; n < filch__setting_count; n++) {
		enum filch__setting at = (enum filch__setting)n;
		const char *reason = reason_text(s, at);
		char value[256];

		value_text(s, at, value, sizeof value);
		printf("%-14s %-14s %s%s%s\n", filch__setting_name(at), value,
		       source_text(s, at), reason ? ": " : "", reason ? reason : "");
	}
}

/* For programs */

/* A JSON string; null for NULL. */
static void json_string(const char *s)
{
	if (!s) {
		fputs("null", stdout);
		return;
	}
	putchar('"');
	for (; *s; s++)
		if ((unsigned char)*s < ' ' || *s == '"' || *s == '\\')
			printf("\\u%04x", (unsigned)*s);
		else
			putchar(*s);
	putchar('"');
}

static void json_value(const struct filch__settings *s, enum filch__setting at)
{
	char text[256];

	value_text(s, at, text, sizeof text);
	switch (at) {
	case filch__setting_workers:
	case filch__setting_block_size:
	case filch__setting_helpers:
	case filch__setting_trace_events:
		fputs(text, stdout);
		break;
	case filch__setting_stack_size:
		printf("%zu", s->stack_size);
		break;
	case filch__setting_probabilistic:
	case filch__setting_block_steal:
		fputs(strcmp(text, "on") ? "false" : "true", stdout);
		break;
	case filch__setting_signal:
		json_string(s->signal ? text : NULL);
		break;
	case filch__setting_trace:
		json_string(s->trace);
		break;
	case filch__setting_topology:
		json_string(s->topology);
		break;
	default:
		json_string(text);
	}
}

static void json_settings(const struct filch__settings *s)
{
	for (int n = 0; n < filch__setting_count; n++) {
		enum filch__setting at = (enum filch__setting)n;

		printf("%s\"%s\":{\"value\":", n ? "," : "", filch__setting_name(at));
		json_value(s, at);
		printf(",\"from\":\"%s\"", source_text(s, at));
		if (reason_text(s, at)) {
			fputs(",\"why\":", stdout);
			json_string(reason_text(s, at));
		}
		putchar('}');
	}
}

static void print_json(const struct info *i)
{
	const struct filch__cpus *c = &i->cpus;
	const struct tree *t = &i->tree;

	printf("{\"version\":\"%s\",\"build\":{\"switch\":\"%s\",\"sanitizer\":",
	       FILCH_VERSION, build_switch());
	json_string(build_sanitizer());
	printf(",\"assertions\":%s}", build_asserts() ? "true" : "false");
	printf(",\"processors\":{\"online\":%u,\"affinity\":%u,\"quota\":", c->online,
	       c->affinity);
	if (c->quota)
		printf("%u", c->quota);
	else
		fputs("null", stdout);
	fputs(",\"quota_from\":", stdout);
	json_string(c->quota ? c->quota_from : NULL);
	printf("},\"topology\":{\"packages\":%d,\"numa_nodes\":%d,\"cores\":%d,"
	       "\"processing_units\":%d},\"stack_guards\":",
	       t->packages, t->numa, t->cores, t->pus);
	json_string(i->guard);
	fputs(",\"settings\":{", stdout);
	json_settings(&i->settings);
	puts("}}");
}

static void print_help(void)
{
	fputs(help, stdout);
	for (int n = 0; n < filch__setting_count; n++)
		printf("  %-20s %s\n", filch__setting_env((enum filch__setting)n),
		       filch__setting_allowed((enum filch__setting)n));
}

static int wrong(const char *what)
{
	fprintf(stderr, "filch info: it does not take '%s'\nTry 'filch info --help'.\n",
	        what);
	return 2;
}

int cmd_info(int argc, char **argv)
{
	struct info info;
	bool json = false;
	int code;

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--help")) {
			print_help();
			return 0;
		}
		if (strcmp(argv[i], "--json"))
			return wrong(argv[i]);
		json = true;
	}
	code = find(&info);
	if (code)
		return code;
	if (json)
		print_json(&info);
	else
		print_text(&info);
	return 0;
}
