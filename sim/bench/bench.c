/* SPDX-License-Identifier: MIT */
#include "sim/bench/bench.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "sim/engine.h"
#include "sim/options.h"

static const struct bench_suite *const suites[] = {&bench_queue_suite, &bench_pool_suite,
                                                   &bench_sched_suite};

static const char help[] =
	"usage: filch sim bench queue|pool|sched [OPTION...]\n"
	"\n"
	"Runs benchmarks of 'filch bench' on a simulated machine, and prints the rows\n"
	"that these would print there.\n"
	"\n"
	"  --cores N             of the machine (2)\n"
	"  --topology STRING     how they lie, as hwloc describes it; 'pool' chooses\n"
	"                        its victims by it\n"
	"  --cost NAME=NS        what something takes; 'filch sim --list' names all\n"
	"  --seed N              another course of events\n"
	"  --filter REGEX, --list, --json, --quick, --rounds N, --slice-ms N,\n"
	"  --thieves N, --stolen PERCENT, --workers N, --balance PERCENT\n"
	"                        as for 'filch bench'; one round of 1 ms, and two\n"
	"                        workers, unless given\n"
	"\n"
	"examples:\n"
	"  filch sim bench queue --filter 'owner|stolen10 abp'\n"
	"  filch sim bench pool --workers 8 --cores 8 --balance 100\n";

struct run {
	const struct bench_suite *suite;
	struct bench_options bench;
	struct sim_machine machine;
	int code;
};

enum bench_option {
	CORES = 256,
	TOPOLOGY,
	COST,
	SEED,
	FILTER,
	LIST,
	JSON,
	QUICK,
	ROUNDS,
	SLICE_MS,
	THIEVES,
	STOLEN,
	WORKERS,
	BALANCE,
	HELP,
};

static const struct option options[] = {
	{"cores", required_argument, NULL, CORES},
	{"topology", required_argument, NULL, TOPOLOGY},
	{"cost", required_argument, NULL, COST},
	{"seed", required_argument, NULL, SEED},
	{"filter", required_argument, NULL, FILTER},
	{"list", no_argument, NULL, LIST},
	{"json", no_argument, NULL, JSON},
	{"quick", no_argument, NULL, QUICK},
	{"rounds", required_argument, NULL, ROUNDS},
	{"slice-ms", required_argument, NULL, SLICE_MS},
	{"thieves", required_argument, NULL, THIEVES},
	{"stolen", required_argument, NULL, STOLEN},
	{"workers", required_argument, NULL, WORKERS},
	{"balance", required_argument, NULL, BALANCE},
	{"help", no_argument, NULL, HELP},
	{0},
};

static int wrong(const char *what, const char *value)
{
	fprintf(stderr, "filch sim bench: %s '%s'\nTry 'filch sim bench --help'.\n", what,
	        value);
	return 2;
}

static bool parse_count(const char *s, size_t min, size_t max, size_t *out)
{
	char *end;
	unsigned long long v = strtoull(s, &end, 10);

	*out = (size_t)v;
	return *s >= '0' && *s <= '9' && !*end && v >= min && v <= max;
}

static bool parse_per_cent(const char *s, double *out)
{
	char *end;

	*out = strtod(s, &end);
	return *s && !*end && *out >= 0 && *out <= 1000;
}

/* Takes one option. Returns false if its value is wrong. */
static bool take(struct run *r, int opt, const char *arg)
{
	struct bench_options *o = &r->bench;
	size_t n;
	bool ok;

	switch (opt) {
	case CORES:
		ok = parse_count(arg, 1, SIM_CORES_MOST, &n);
		r->machine.cores = (unsigned)n;
		return ok;
	case TOPOLOGY:
		o->topology = arg;
		return true;
	case COST:
		return sim_costs_set(&r->machine.costs, arg);
	case SEED:
		ok = parse_count(arg, 0, SIZE_MAX - 1, &n);
		sim_seed = n;
		return ok;
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
		return parse_count(arg, 1, 1000, &o->slice_ms);
	case THIEVES:
		return parse_count(arg, 1, 64, &o->thieves);
	case STOLEN:
		return parse_per_cent(arg, &o->stolen);
	case WORKERS:
		return parse_count(arg, 2, 256, &o->workers);
	case BALANCE:
		return parse_per_cent(arg, &o->balance);
	default:
		return false;
	}
}

/* Returns -1 if there is something to run, else the exit code. */
static int read_options(struct run *r, int argc, char **argv)
{
	int opt;

	opterr = 0;
	while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (opt == HELP) {
			fputs(help, stdout);
			return 0;
		}
		if (opt == '?' || !take(r, opt, optarg))
			return wrong("unknown, or without a value that it takes:",
			             argv[optind - 1]);
	}
	for (size_t i = 0; optind == argc - 1 && i < 3; i++)
		if (!strcmp(argv[optind], suites[i]->name))
			r->suite = suites[i];
	if (!r->suite)
		return wrong("name one of queue, pool and sched, not",
		             optind < argc ? argv[argc - 1] : "");
	return -1;
}

static void *run_suite(void *arg)
{
	struct run *r = arg;

	r->code = r->suite->run(&r->bench);
	return NULL;
}

int sim_bench(int argc, char **argv)
{
	static struct run r = {.bench = {.stolen = -1,
	                                 .balance = -1,
	                                 .rounds = 1,
	                                 .slice_ms = 1,
	                                 .workers = 2},
	                       .machine = {.cores = 2}};

	r.machine.costs = sim_costs_default;
	r.code = read_options(&r, argc, argv);
	if (r.code >= 0)
		return r.code;
	if (!sim_machine_init(&r.machine, r.machine.cores, r.bench.topology))
		return 2;
	sim_run(&r.machine, run_suite, &r);
	bench_finish(&r.bench);
	if (!r.code && !bench_matched)
		return wrong("nothing matches the filter; try", "--list");
	return ferror(stdout) || fflush(stdout) ? 1 : r.code;
}
