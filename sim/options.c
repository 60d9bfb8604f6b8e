/* SPDX-License-Identifier: MIT */
#include "sim/options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "queue/queue.h"
#include "sched/victim.h"

static const struct sim_program *const programs[] = {
#define PROGRAM(name) &sim_##name,
	SIM_PROGRAMS(PROGRAM)
#undef PROGRAM
};
static const size_t programs_n = sizeof programs / sizeof *programs;

static const char help[] =
	"usage: filch sim PROGRAM [OPTION...]\n"
	"       filch sim --list\n"
	"       filch sim calibrate\n"
	"       filch sim bench SUITE\n"
	"\n"
	"Runs a program on Filch's own scheduler in virtual time, on a machine that is\n"
	"simulated: its cores, caches and kernel.\n"
	"\n"
	"  --cores N,...         machines to simulate, each of up to 1024 cores\n"
	"                        (1,2,8,64)\n"
	"  --size N, --grain N   of the program; --list says what they mean\n"
	"  --topology STRING     how the cores lie, as hwloc describes it\n"
	"                        (\"package:2 l3:4 core:8 pu:1\")\n"
	"  --cost NAME=NS        what something takes, in nanoseconds; --list names all\n"
	"  --seed N              another course of events; the same seed gives the same "
	"one\n"
	"  --policy NAME         whom a worker steals from, as FILCH_POLICY\n"
	"  --probabilistic on|off, --block-steal on|off, --ask signal|poll\n"
	"                        as the variables FILCH_PROBABILISTIC and so on\n"
	"  --bind auto|on|off    whether workers keep to the cores that they are "
	"numbered\n"
	"                        by, as FILCH_BIND\n"
	"  --queue KIND          every spawn in a queue of this kind: bwos_lifo,\n"
	"                        bwos_fifo, chase_lev, abp, locked or runq\n"
	"  --settle US           waits until all workers sleep, but no longer than\n"
	"                        this, before the program begins (100000)\n"
	"  --top N               how many places and lines are named (10)\n"
	"  --verbose             names them for each machine, not only for the largest\n"
	"  --trace FILE          a trace of the largest machine for Perfetto and Chrome\n"
	"  --json                one JSON object per machine instead of a table\n"
	"  --list                names programs and costs, and stops\n"
	"\n"
	"examples:\n"
	"  filch sim fib --cores 1,2,8,64,256\n"
	"  filch sim server --size 100000 --cores 64 --top 20\n"
	"  filch sim uts --cores 8 --trace uts.json\n"
	"  filch sim fib --cores 96 --topology \"package:2 l3:6 core:8 pu:1\"\n";

static int wrong(const char *what, const char *value)
{
	fprintf(stderr, "filch sim: %s%s%s%s\nTry 'filch sim --help'.\n", what,
	        value ? " '" : "", value ? value : "", value ? "'" : "");
	return 2;
}

static void list(void)
{
	puts("programs:");
	for (size_t i = 0; i < programs_n; i++) {
		const struct sim_program *p = programs[i];

		printf("  %-12s  %s\n", p->name, p->what);
		printf("  %-12s  --size: %s (%llu); --grain: %s (%llu)\n", "", p->size_is,
		       (unsigned long long)p->size, p->grain_is,
		       (unsigned long long)p->grain);
	}
	puts("\ncosts, in nanoseconds:");
#define COST(name, value, text) \
	printf("  %-12s  %9g  %s\n", #name, (double)(value), text);
	SIM_COSTS(COST)
#undef COST
}

enum sim_option {
	CORES = 256,
	SIZE,
	GRAIN,
	TOPOLOGY,
	COST,
	SEED,
	POLICY,
	PROBABILISTIC,
	BLOCK_STEAL,
	QUEUE,
	ASK,
	BIND,
	SETTLE,
	TOP,
	VERBOSE,
	TRACE,
	JSON,
	LIST,
	HELP,
};

static const struct option options[] = {
	{"cores", required_argument, NULL, CORES},
	{"size", required_argument, NULL, SIZE},
	{"grain", required_argument, NULL, GRAIN},
	{"topology", required_argument, NULL, TOPOLOGY},
	{"cost", required_argument, NULL, COST},
	{"seed", required_argument, NULL, SEED},
	{"policy", required_argument, NULL, POLICY},
	{"probabilistic", required_argument, NULL, PROBABILISTIC},
	{"block-steal", required_argument, NULL, BLOCK_STEAL},
	{"queue", required_argument, NULL, QUEUE},
	{"ask", required_argument, NULL, ASK},
	{"bind", required_argument, NULL, BIND},
	{"settle", required_argument, NULL, SETTLE},
	{"top", required_argument, NULL, TOP},
	{"verbose", no_argument, NULL, VERBOSE},
	{"trace", required_argument, NULL, TRACE},
	{"json", no_argument, NULL, JSON},
	{"list", no_argument, NULL, LIST},
	{"help", no_argument, NULL, HELP},
	{0},
};

static const char *option_name(int opt)
{
	for (const struct option *p = options; p->name; p++)
		if (p->val == opt)
			return p->name;
	return "?";
}

static bool parse_count(const char *s, uint64_t min, uint64_t max, uint64_t *out)
{
	char *end;
	unsigned long long v = strtoull(s, &end, 10);

	if (*s < '0' || *s > '9' || *end || v < min || v > max)
		return false;
	*out = v;
	return true;
}

/* Reads "1,2,8". */
static bool parse_cores(struct sim_options *o, const char *s)
{
	o->machines = 0;
	for (;;) {
		char *end;
		unsigned long n = strtoul(s, &end, 10);

		if (*s < '0' || *s > '9' || (*end && *end != ',') || n < 1 ||
		    n > SIM_CORES_MOST || o->machines == SIM_MACHINES_MOST)
			return false;
		o->cores[o->machines++] = (unsigned)n;
		if (!*end)
			return true;
		s = end + 1;
	}
}

static bool parse_switch(const char *s, enum filch_switch *out)
{
	*out = !strcmp(s, "on") ? FILCH_ON : FILCH_OFF;
	return !strcmp(s, "on") || !strcmp(s, "off");
}

static bool parse_name(const char *s, const char *const *names, const char **out)
{
	*out = s;
	while (*names && strcmp(s, *names))
		names++;
	return *names;
}

static const char *const queues[] = {"bwos_lifo", "bwos_fifo", "chase_lev", "abp",
                                     "locked",    "runq",      NULL};
static const char *const asks[] = {"signal", "poll", NULL};
static const char *const binds[] = {"auto", "on", "off", NULL};
static const char *const policies[] = {
#define POLICY_NAME(name, text) #name,
	FILCH_POLICIES(POLICY_NAME)
#undef POLICY_NAME
		NULL};

/* Takes one option. Returns false if its value is wrong. */
static bool take(struct sim_options *o, int opt, const char *arg)
{
	uint64_t n;

	switch (opt) {
	case CORES:
		return parse_cores(o, arg);
	case SIZE:
		return parse_count(arg, 1, UINT64_MAX / 2, &o->arguments.size);
	case GRAIN:
		return parse_count(arg, 1, UINT64_MAX / 2, &o->arguments.grain);
	case TOPOLOGY:
		o->topology = arg;
		return strlen(arg) < 256;
	case SEED:
		return parse_count(arg, 0, UINT64_MAX - 1, &o->arguments.seed);
	case POLICY:
		return parse_name(arg, policies, &o->pool.policy);
	case PROBABILISTIC:
		return parse_switch(arg, &o->pool.probabilistic);
	case BLOCK_STEAL:
		return parse_switch(arg, &o->pool.block_steal);
	case QUEUE:
		return parse_name(arg, queues, &o->queue);
	case ASK:
		return parse_name(arg, asks, &o->pool.ask);
	case BIND:
		return parse_name(arg, binds, &o->pool.bind);
	case SETTLE:
		return parse_count(arg, 0, 1000000, &o->settle);
	case TOP:
		if (!parse_count(arg, 0, SIM_TOP_MOST, &n))
			return false;
		o->top = (size_t)n;
		return true;
	case VERBOSE:
		return o->verbose = true;
	case TRACE:
		o->trace = arg;
		return *arg;
	case JSON:
		return o->json = true;
	default:
		return false;
	}
}

/* Finds the program, and fills in what it is not given. Returns -1, or 2 after a
 * message. */
static int choose_program(struct sim_options *o, const char *name)
{
	struct sim_arguments *a = &o->arguments;
	char text[256] = "";

	for (size_t i = 0; i < programs_n; i++) {
		size_t n = strlen(text);

		snprintf(text + n, sizeof text - n, "%s%s", i ? ", " : "",
		         programs[i]->name);
		if (name && !strcmp(name, programs[i]->name))
			o->program = programs[i];
	}
	if (!o->program) {
		fprintf(stderr,
		        "filch sim: %s%s%s there are %s\nTry 'filch sim --help'.\n",
		        name ? "there is no program '" : "which program?",
		        name ? name : "", name ? "';" : "", text);
		return 2;
	}
	a->size = a->size ? a->size : o->program->size;
	a->grain = a->grain ? a->grain : o->program->grain;
	if (a->size <= o->program->size_most && a->grain <= o->program->grain_most)
		return -1;
	snprintf(text, sizeof text, "%s takes a %s of up to %llu, not", o->program->name,
	         a->size > o->program->size_most ? "--size" : "--grain",
	         (unsigned long long)(a->size > o->program->size_most
	                                      ? o->program->size_most
	                                      : o->program->grain_most));
	snprintf(text + 128, sizeof text - 128, "%llu",
	         (unsigned long long)(a->size > o->program->size_most ? a->size
	                                                              : a->grain));
	return wrong(text, text + 128);
}

int sim_options_read(struct sim_options *o, int argc, char **argv)
{
	char text[96];
	int opt;

	*o = (struct sim_options){.cores = {1, 2, 8, 64},
	                          .machines = 4,
	                          .costs = sim_costs_default,
	                          .settle = 100000,
	                          .top = 10};
	opterr = 0;
	while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (opt == HELP || opt == LIST) {
			if (opt == HELP)
				fputs(help, stdout);
			else
				list();
			return 0;
		}
		if (opt == '?')
			return wrong("unknown option, or an option without its value:",
			             argv[optind - 1]);
		if (opt == COST) {
			if (!sim_costs_set(&o->costs, optarg))
				return 2;
		} else if (!take(o, opt, optarg)) {
			snprintf(text, sizeof text, "--%s does not take",
			         option_name(opt));
			return wrong(text, optarg);
		}
	}
	if (!o->queue && *SIM_QUEUE)
		o->queue = SIM_QUEUE;
#ifdef SIM_POLLED
	if (!o->pool.ask) /* no signal handler can fill its queue */
		o->pool.ask = "poll";
#endif
	if (optind < argc - 1)
		return wrong("one program at a time, please; also given:",
		             argv[optind + 1]);
	return choose_program(o, optind < argc ? argv[optind] : NULL);
}

size_t sim_options_largest(const struct sim_options *o)
{
	size_t largest = 0;

	for (size_t i = 1; i < o->machines; i++)
		if (o->cores[i] > o->cores[largest])
			largest = i;
	return largest;
}
