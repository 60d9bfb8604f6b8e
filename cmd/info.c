/* SPDX-License-Identifier: MIT */
/* filch info: shows what a pool would be like in this environment, and why. */
#include <errno.h>
#include <filch/pool.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/filch.h"

static const char help[] =
	"usage: filch info [--json]\n"
	"\n"
	"Shows the processors that Filch may use, how it was built, and the\n"
	"settings of a pool that has no options of its own, each with where it\n"
	"comes from. Environment variables change them:\n"
	"\n";

static const char *on_off(bool on)
{
	return on ? "on" : "off";
}

/* Returns a text that says what this guard means. */
static const char *guard_text(const char *guard)
{
	return !strcmp(guard, "marker") ? "one a stack, by MADV_GUARD_INSTALL"
	       : !strcmp(guard, "protected")
	               ? "one a stack, by mprotect(): two mappings each"
	       : !strcmp(guard, "none") ? "overflows go unnoticed"
	                                : "no stack of this size can be had";
}

/* ---- settings ---- */

static const json_t *value_of(const json_t *settings, const char *name)
{
	return json_object_get(json_object_get(settings, name), "value");
}

static const char *null_text(const json_t *settings, const char *name)
{
	if (!strcmp(name, "topology"))
		return "this machine";
	if (!strcmp(name, "signal") &&
	    !strcmp(json_string_value(value_of(settings, "ask")), "signal"))
		return "first free";
	return "none";
}

/* Writes a number; bytes get the largest unit that leaves no remainder. */
static void number_text(json_int_t n, bool bytes, char *out, size_t size)
{
	static const char *const units[] = {"", "K", "M", "G"};
	int unit = 0;

	for (; bytes && unit < 3 && n && !(n & 1023); unit++)
		n >>= 10;
	snprintf(out, size, "%" JSON_INTEGER_FORMAT "%s", n, units[unit]);
}

static void print_setting(const json_t *settings, const char *name, const json_t *setting)
{
	const json_t *value = value_of(settings, name);
	const char *why = json_string_value(json_object_get(setting, "why"));
	const char *text;
	char number[32];

	number_text(json_integer_value(value), !strcmp(name, "stack_size"), number,
	            sizeof number);
	text = json_is_string(value)    ? json_string_value(value)
	       : json_is_boolean(value) ? on_off(json_is_true(value))
	       : json_is_null(value)    ? null_text(settings, name)
	                                : number;
	printf("%-14s %-14s %s%s%s\n", name, text,
	       json_string_value(json_object_get(setting, "from")), why ? ": " : "",
	       why ? why : "");
}

/* ---- all of it ---- */

static int print_all(json_t *info, json_error_t *error)
{
	const char *version, *fiber_switch, *guard, *name;
	json_t *sanitizer, *quota, *quota_from, *settings, *setting;
	int asserts, online, affinity, packages, numa, cores, units;

	if (json_unpack_ex(info, error, 0,
	                   "{s:s, s:{s:s, s:o, s:b}, s:{s:i, s:i, s:o, s:o}, "
	                   "s:{s:i, s:i, s:i, s:i}, s:s, s:o}",
	                   "version", &version, "build", "switch", &fiber_switch,
	                   "sanitizer", &sanitizer, "assertions", &asserts, "processors",
	                   "online", &online, "affinity", &affinity, "quota", &quota,
	                   "quota_from", &quota_from, "topology", "packages", &packages,
	                   "numa_nodes", &numa, "cores", &cores, "processing_units",
	                   &units, "stack_guards", &guard, "settings", &settings))
		return -1;
	printf("filch %s\n\n", version);
	printf("build          %s switch, %s sanitizer, assertions %s\n", fiber_switch,
	       json_is_string(sanitizer) ? json_string_value(sanitizer) : "no",
	       on_off(asserts));
	printf("processors     %d online, %d by affinity, ", online, affinity);
	if (json_is_integer(quota))
		printf("%d by quota (%s)\n", (int)json_integer_value(quota),
		       json_string_value(quota_from));
	else
		puts("no quota");
	printf("topology       packages %d, NUMA nodes %d, cores %d, processing units "
	       "%d%s\n",
	       packages, numa, cores, units,
	       json_is_string(value_of(settings, "topology")) ? " (synthetic)" : "");
	printf("stack guards   %s (%s)\n\n", guard, guard_text(guard));
	json_object_foreach(settings, name, setting)
		print_setting(settings, name, setting);
	return 0;
}

/* Prints the description for people. Returns the exit code. */
static int print_text(const char *text)
{
	json_error_t error;
	json_t *info = json_loads(text, 0, &error);
	int err = info ? print_all(info, &error) : -1;

	if (err)
		fprintf(stderr, "filch info: %s\n", error.text);
	json_decref(info);
	return err ? 1 : 0;
}

static void print_help(void)
{
	const char *name, *allowed;

	fputs(help, stdout);
	for (unsigned i = 0; (name = filch_pool_variable(i, &allowed)); i++)
		printf("  %-20s %s\n", name, allowed);
}

static int wrong(const char *what)
{
	fprintf(stderr, "filch info: it does not take '%s'\nTry 'filch info --help'.\n",
	        what);
	return 2;
}

int cmd_info(int argc, char **argv)
{
	const char *why;
	bool json = false;
	char *text;
	int err, code = 0;

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--help")) {
			print_help();
			return 0;
		}
		if (strcmp(argv[i], "--json"))
			return wrong(argv[i]);
		json = true;
	}
	err = filch_pool_describe(&text, NULL, &why);
	if (err) {
		fprintf(stderr, "filch info: %s\n", why);
		return err == -EINVAL ? 2 : 1;
	}
	if (json)
		puts(text);
	else
		code = print_text(text);
	free(text);
	return code;
}
