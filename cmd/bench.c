/* SPDX-License-Identifier: MIT */
/* filch bench: parses the options and runs a suite. */
#include "bench/bench.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/envelope/run.h"
#include "bench/io/client.h"
#include "cmd/filch.h"

static const struct bench_suite *const suites[] = {
	&bench_queue_suite, &bench_pool_suite,    &bench_sched_suite,
	&bench_app_suite,   &bench_latency_suite, &bench_io_suite,
	&bench_algo_suite,  &bench_gc_suite,      &bench_json_suite,
	&bench_dupes_suite, &bench_serve_suite,   &bench_envelope_suite};
static const size_t suites_n = sizeof suites / sizeof *suites;

static const char help[] =
	"usage: filch bench SUITE [OPTION...]\n"
	"       filch bench --list\n"
	"       filch bench report\n"
	"\n"
	"  --filter REGEX      only what matches \"BENCH IMPL\" (extended regular "
	"expression)\n"
	"  --list              name everything that would run, and stop\n"
	"  --json              one JSON object a line instead of a table\n"
	"  --quick             fewer and shorter rounds\n"
	"  --rounds N          rounds of interleaved runs (1 to 101)\n"
	"  --slice-ms N        milliseconds an implementation runs in a round\n"
	"\n"
	"queue:\n"
	"  --capacity N        entries (8192); --blocks N (8); --block-size N (capacity "
	"/ blocks)\n"
	"  --thieves N         stealing threads (1)\n"
	"  --stolen PERCENT    part of the entries to be stolen (1, 10 and 20)\n"
	"  --steal-hz N        steals a second and thief, instead of --stolen\n"
	"  --batch N           entries a steal takes at most (1, more where that falls "
	"short)\n"
	"\n"
	"pool:\n"
	"  --workers N         threads, each with a queue (8)\n"
	"  --balance PERCENT   attempts to steal a turn, by its capacity (0, 10 and "
	"100)\n"
	"  --topology STRING   synthetic hwloc topology (\"numa:2 l3:2 core:2 pu:1\")\n"
	"  --capacity, --blocks, --block-size as for queue\n"
	"\n"
	"app:\n"
	"  --workers N         workers of Filch and of its peers (2)\n"
	"  --stats             also the counters of each pool, a run\n"
	"  --scaling           Filch with 1, 2, 4 ... workers, up to all processors (or\n"
	"                      to --workers), and the programs of filch sim as well\n"
	"\n"
	"algo:\n"
	"  --workers N         workers of Filch and threads of its peers (2)\n"
	"\n"
	"envelope:\n"
	"  --workers N         workers of Filch and threads of its peers (one a "
	"processor)\n"
	"\n"
	"gc, json, dupes, serve: see filch bench SUITE --help\n"
	"report: a page with what the papers plot; see filch bench report --help\n"
	"\n"
	"Times on a shared machine mean little: read the ratios, which are medians over "
	"rounds\n"
	"in which the implementations ran one after the other.\n";

static int wrong(const char *what, const char *value)
{
	fprintf(stderr, "filch bench: %s%s%s%s\nTry 'filch bench --help'.\n", what,
	        value ? " '" : "", value ? value : "", value ? "'" : "");
	return 2;
}

static bool parse_count(const char *s, size_t min, size_t max, size_t *out)
{
	char *end;
	unsigned long long v = strtoull(s, &end, 10);

	if (*s < '0' || *s > '9' || *end || v < min || v > max)
		return false;
	*out = (size_t)v;
	return true;
}

static bool parse_number(const char *s, double min, double max, double *out)
{
	char *end;
	double v = strtod(s, &end);

	if (!*s || *end || !(v >= min && v <= max))
		return false;
	*out = v;
	return true;
}

enum bench_option {
	FILTER = 256,
	LIST,
	JSON,
	QUICK,
	ROUNDS,
	SLICE_MS,
	CAPACITY,
	BLOCKS,
	BLOCK_SIZE,
	THIEVES,
	STOLEN,
	STEAL_HZ,
	BATCH,
	WORKERS,
	BALANCE,
	TOPOLOGY,
	STATS,
	SCALING,
	HELP,
};

static const struct option options[] = {
	{"filter", required_argument, NULL, FILTER},
	{"list", no_argument, NULL, LIST},
	{"json", no_argument, NULL, JSON},
	{"quick", no_argument, NULL, QUICK},
	{"rounds", required_argument, NULL, ROUNDS},
	{"slice-ms", required_argument, NULL, SLICE_MS},
	{"capacity", required_argument, NULL, CAPACITY},
	{"blocks", required_argument, NULL, BLOCKS},
	{"block-size", required_argument, NULL, BLOCK_SIZE},
	{"thieves", required_argument, NULL, THIEVES},
	{"stolen", required_argument, NULL, STOLEN},
	{"steal-hz", required_argument, NULL, STEAL_HZ},
	{"batch", required_argument, NULL, BATCH},
	{"workers", required_argument, NULL, WORKERS},
	{"balance", required_argument, NULL, BALANCE},
	{"topology", required_argument, NULL, TOPOLOGY},
	{"stats", no_argument, NULL, STATS},
	{"scaling", no_argument, NULL, SCALING},
	{"help", no_argument, NULL, HELP},
	{0},
};

/* Takes one option. Returns false if its value is wrong. */
static bool take(struct bench_options *o, int opt, const char *arg)
{
	const size_t entries = (size_t)1 << 24;

	switch (opt) {
	case FILTER:
		o->has_filter = !regcomp(&o->filter, arg, REG_EXTENDED | REG_NOSUB);
		return o->has_filter;
	case LIST:
		return o->list = true;
	case JSON:
		return o->json = true;
	case QUICK:
		return o->quick = true;
	case ROUNDS:
		return parse_count(arg, 1, BENCH_ROUNDS_MOST, &o->rounds);
	case SLICE_MS:
		return parse_count(arg, 1, 60000, &o->slice_ms);
	case CAPACITY:
		return parse_count(arg, 2, entries, &o->capacity);
	case BLOCKS:
		return parse_count(arg, 2, entries, &o->blocks);
	case BLOCK_SIZE:
		return parse_count(arg, 1, entries, &o->block_size);
	case THIEVES:
		return parse_count(arg, 1, 1024, &o->thieves);
	case STOLEN:
		return parse_number(arg, 0.001, 100, &o->stolen);
	case STEAL_HZ:
		return parse_number(arg, 1, 1e9, &o->steal_hz);
	case BATCH:
		return parse_count(arg, 1, 65536, &o->batch);
	case WORKERS:
		return parse_count(arg, 1, 256, &o->workers);
	case BALANCE:
		return parse_number(arg, 0, 1000, &o->balance);
	case TOPOLOGY:
		o->topology = arg;
		return true;
	case STATS:
		return o->stats = true;
	case SCALING:
		return o->scaling = true;
	default:
		return false;
	}
}

/* Options that only some suites take. */
#define SUITES_MOST 5

static const struct {
	int option; /* an enum bench_option */
	const char *suite[SUITES_MOST];
} only_for[] = {
	{THIEVES, {"queue"}},
	{STOLEN, {"queue"}},
	{STEAL_HZ, {"queue"}},
	{BATCH, {"queue"}},
	{WORKERS, {"pool", "app", "algo", "gc", "envelope"}},
	{BALANCE, {"pool"}},
	{TOPOLOGY, {"pool"}},
	{STATS, {"app"}},
	{SCALING, {"app"}},
};

static const char *option_name(int opt)
{
	for (const struct option *p = options; p->name; p++)
		if (p->val == opt)
			return p->name;
	return "?";
}

/* Returns true if the suite is one of the names; appends all names to the text. */
static bool belongs(const char *const names[SUITES_MOST], const char *suite, char *text,
                    size_t size)
{
	bool found = false;

	for (size_t i = 0; i < SUITES_MOST && names[i]; i++) {
		size_t n = strlen(text);

		snprintf(text + n, size - n, "%s%s", i ? " and to " : "", names[i]);
		found |= !strcmp(suite, names[i]);
	}
	return found;
}

/* Returns 0, or 2 after a message that names the options that the suite does not take. */
static int check_given(const struct bench_options *o, uint32_t given, const char *suite)
{
	char text[128];

	for (size_t i = 0; i < sizeof only_for / sizeof *only_for; i++) {
		int option = only_for[i].option;

		snprintf(text, sizeof text, "--%s belongs to the suite ",
		         option_name(option));
		if (!belongs(only_for[i].suite, suite, text, sizeof text - 8) &&
		    given >> (option - FILTER) & 1)
			return wrong(strcat(text, ", not to"), suite);
	}
	if (o->workers == 1 && strcmp(suite, "app"))
		return wrong("for all suites but app, --workers does not take", "1");
	if (given >> (STOLEN - FILTER) & given >> (STEAL_HZ - FILTER) & 1)
		return wrong("--stolen and --steal-hz: one or the other, please", NULL);
	return 0;
}

/* Prints a message with the names of all suites between these texts, and returns 2. */
static int wrong_suite(const char *before, const char *after, const char *suite)
{
	char text[256] = "";

	for (size_t i = 0; i < suites_n; i++) {
		size_t n = strlen(text);

		snprintf(text + n, sizeof text - n, "%s%s", i ? ", " : before,
		         suites[i]->name);
	}
	strncat(text, after, sizeof text - strlen(text) - 1);
	return wrong(text, suite);
}

/* Returns the help of the suite that is named before --help, or the general help. */
static const char *help_for(int argc, char **argv)
{
	for (int a = 1; a < argc; a++)
		for (size_t i = 0; i < suites_n; i++)
			if (!strcmp(argv[a], suites[i]->name) && suites[i]->help)
				return suites[i]->help;
	return help;
}

int cmd_bench(int argc, char **argv)
{
	struct bench_options o = {.stolen = -1, .balance = -1};
	const char *suite;
	uint32_t given = 0;
	bool found = false;
	int opt, code = 0;

	/* The suites `io` and `envelope` start these themselves. */
	if (argc > 1 && !strcmp(argv[1], "--echo-client"))
		return io_client(argc - 1, argv + 1);
	if (argc > 1 && !strcmp(argv[1], "--envelope-turns"))
		return envelope_turns(argc - 1, argv + 1);
	if (argc > 1 && !strcmp(argv[1], "report"))
		return bench_report(argc - 1, argv + 1);
	opterr = 0;
	while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1) {
		char text[96];

		if (opt == HELP) {
			fputs(help_for(argc, argv), stdout);
			return 0;
		}
		if (opt == '?')
			return wrong("unknown option, or an option without its value:",
			             argv[optind - 1]);
		if (!take(&o, opt, optarg)) {
			snprintf(text, sizeof text, "--%s does not take",
			         option_name(opt));
			return wrong(text, optarg);
		}
		given |= (uint32_t)1 << (opt - FILTER);
	}
	if (optind < argc - 1)
		return wrong("one suite at a time, please; also given:",
		             argv[optind + 1]);
	suite = optind < argc ? argv[optind] : NULL;
	if (!suite && !o.list)
		return wrong_suite("which suite? There are: ", "", NULL);
	if (suite && check_given(&o, given, suite))
		return 2;
	for (size_t i = 0; i < suites_n && !code; i++)
		if (!suite || !strcmp(suite, suites[i]->name)) {
			found = true;
			code = suites[i]->run(&o);
		}
	bench_finish(&o);
	if (o.has_filter)
		regfree(&o.filter);
	if (!found)
		return wrong_suite("there are the suites ", ", but not", suite);
	if (!code && !bench_matched)
		return wrong("nothing matches the filter; --list names everything", NULL);
	return code;
}
