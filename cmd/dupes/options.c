/* SPDX-License-Identifier: MIT */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/dupes/dupes.h"

static const char help[] =
	"usage: filch dupes [OPTION...] DIR...\n"
	"\n"
	"Finds files with the same contents below the directories. Changes nothing.\n"
	"\n"
	"  --min-size SIZE     leave out files below SIZE bytes, or with K, M, G, T (1)\n"
	"  --exclude PATTERN   leave out what has such a name, and all below it; with a\n"
	"                      slash in the pattern: such a path. May be repeated\n"
	"  --follow            follow symbolic links\n"
	"  --one-file-system   stay on the file systems of the directories given\n"
	"  --trust-hash        files with the same hash (128 bits) are the same\n"
	"  --summary           only how much was found\n"
	"  --json              as JSON\n"
	"  --null              names end with a zero byte, sets with an empty name\n"
	"  --workers N         worker threads (as many as there are processors)\n"
	"  --quiet             no progress, and no messages about what cannot be read\n"
	"  --help\n"
	"\n"
	"Names of one file (hard links) are no duplicates of each other: only the first\n"
	"is shown. Progress is shown on a terminal.\n"
	"\n"
	"Exit code: 0; 1 if something could not be read, or the result not be written;\n"
	"2 for a wrong call.\n"
	"\n"
	"Examples:\n"
	"  filch dupes ~/Pictures\n"
	"  filch dupes --summary --min-size 1M --exclude .git ~/src /srv/src\n"
	"  filch dupes --json . | python3 -c 'import json, sys;\n"
	"      print(sum(len(s[\"files\"]) for s in json.load(sys.stdin)[\"sets\"]))'\n"
	"  filch dupes --null . | tr '\\n\\0' '?\\n'\n";

enum option_code {
	MIN_SIZE = 256,
	EXCLUDE,
	FOLLOW,
	ONE_FILE_SYSTEM,
	TRUST_HASH,
	SUMMARY,
	JSON,
	NUL,
	WORKERS,
	QUIET,
	HELP
};

static const struct option options[] = {
	{"min-size", required_argument, NULL, MIN_SIZE},
	{"exclude", required_argument, NULL, EXCLUDE},
	{"follow", no_argument, NULL, FOLLOW},
	{"one-file-system", no_argument, NULL, ONE_FILE_SYSTEM},
	{"trust-hash", no_argument, NULL, TRUST_HASH},
	{"summary", no_argument, NULL, SUMMARY},
	{"json", no_argument, NULL, JSON},
	{"null", no_argument, NULL, NUL},
	{"workers", required_argument, NULL, WORKERS},
	{"quiet", no_argument, NULL, QUIET},
	{"help", no_argument, NULL, HELP},
	{0},
};

static bool wrong(const char *what, const char *value, int *code)
{
	fprintf(stderr, "filch dupes: %s%s%s%s\nTry 'filch dupes --help'.\n", what,
	        value ? " '" : "", value ? value : "", value ? "'" : "");
	*code = 2;
	return false;
}

/* Parses a number, which may have K, M, G or T after it. */
static bool parse_size(const char *s, uint64_t *out)
{
	static const char units[] = "KMGT";
	char *end;
	unsigned long long v = strtoull(s, &end, 10);
	const char *unit = *end ? strchr(units, *end) : NULL;
	unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;

	if (*s < '0' || *s > '9' || (*end && (!unit || end[1])) ||
	    v > (UINT64_MAX >> 1) >> shift)
		return false;
	*out = v << shift;
	return true;
}

static bool parse_workers(const char *s, unsigned *out)
{
	char *end;
	unsigned long v = strtoul(s, &end, 10);

	if (*s < '0' || *s > '9' || *end || v < 1 || v > 1024)
		return false;
	*out = (unsigned)v;
	return true;
}

/* Takes one option. Returns false if its value is wrong. */
static bool take(struct dupes_options *o, int code, const char *value)
{
	switch (code) {
	case MIN_SIZE:
		return parse_size(value, &o->min_size);
	case EXCLUDE:
		o->exclude[o->excludes++] = value;
		return *value;
	case FOLLOW:
		return o->follow = true;
	case ONE_FILE_SYSTEM:
		return o->one_file_system = true;
	case TRUST_HASH:
		return o->trust_hash = true;
	case SUMMARY:
		return o->summary = true;
	case JSON:
		o->output = DUPES_JSON;
		return true;
	case NUL:
		o->output = DUPES_NULL;
		return true;
	case WORKERS:
		return parse_workers(value, &o->workers);
	default:
		return o->quiet = true;
	}
}

static const char *option_name(int code)
{
	const struct option *p = options;

	while (p->val != code)
		p++;
	return p->name;
}

static bool parse(struct dupes_options *o, int argc, char **argv, int *code)
{
	char text[96];
	bool given[HELP - MIN_SIZE + 1] = {0};
	int c;

	opterr = 0;
	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (c == HELP) {
			fputs(help, stdout);
			*code = fflush(stdout) ? 1 : 0;
			return false;
		}
		if (c == '?' && optopt && optopt < MIN_SIZE) {
			snprintf(text, sizeof text, "-%c", optopt);
			return wrong("unknown option:", text, code);
		}
		if (c == '?')
			return wrong("unknown option, or an option without its value:",
			             argv[optind - 1], code);
		given[c - MIN_SIZE] = true;
		if (!take(o, c, optarg)) {
			snprintf(text, sizeof text, "--%s does not take", option_name(c));
			return wrong(text, optarg, code);
		}
	}
	if (given[JSON - MIN_SIZE] && given[NUL - MIN_SIZE])
		return wrong("--json and --null: one or the other, please", NULL, code);
	if (given[SUMMARY - MIN_SIZE] && given[NUL - MIN_SIZE])
		return wrong("--summary has no names, and --null is about names", NULL,
		             code);
	if (optind == argc)
		return wrong("which directory?", NULL, code);
	return true;
}

bool dupes_options_parse(struct dupes_options *o, int argc, char **argv, int *code)
{
	*o = (struct dupes_options){.min_size = 1};
	o->exclude = calloc((size_t)argc, sizeof *o->exclude);
	if (!o->exclude)
		dupes_no_memory();
	if (!parse(o, argc, argv, code)) {
		free(o->exclude);
		return false;
	}
	o->root = argv + optind;
	o->roots = (size_t)(argc - optind);
	return true;
}
