/* SPDX-License-Identifier: MIT */
/* filch top: shows what a running Filch program does. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cmd/filch.h"
#include "cmd/top/top.h"

#define PATIENCE_MS 10000 /* wait for an answer, where no view shows that it is late */

static const char help[] =
	"usage: filch top [OPTION...] [PID]\n"
	"\n"
	"Shows what a running program that uses Filch does: its workers and what they "
	"run, how\n"
	"busy they are, what they steal, and its strands by the name of their task. The "
	"program\n"
	"must have been started with FILCH_WATCH=on in its environment, by the same "
	"user.\n"
	"Without PID, lists the programs that can be looked at. The key q ends it.\n"
	"\n"
	"  --interval SECONDS  between two looks (1; 0.05 to 3600)\n"
	"  --once              prints what happens within one interval, and ends; as it "
	"does\n"
	"                      when its output is no terminal\n"
	"  --json              prints snapshots as they come, one JSON object a line\n"
	"  --help              this text\n"
	"\n"
	"examples:\n"
	"  FILCH_WATCH=on filch serve & filch top $!\n"
	"  filch top                                  # which programs are there?\n"
	"  filch top --once --interval 10 4711 >busy.txt\n"
	"  filch top --json --once 4711 | python3 -m json.tool\n";

struct top_options {
	unsigned interval_ms;
	bool once, json;
	pid_t pid; /* 0: no process was given */
};

enum top_option { INTERVAL = 256, ONCE, JSON, HELP };

static const struct option options[] = {
	{"interval", required_argument, NULL, INTERVAL},
	{"once", no_argument, NULL, ONCE},
	{"json", no_argument, NULL, JSON},
	{"help", no_argument, NULL, HELP},
	{0},
};

static int wrong(const char *what, const char *value)
{
	fprintf(stderr, "filch top: %s%s%s%s\nTry 'filch top --help'.\n", what,
	        value ? " '" : "", value ? value : "", value ? "'" : "");
	return 2;
}

/* ---- options ---- */

static bool parse_interval(const char *text, unsigned *ms)
{
	char *end;
	double seconds = strtod(text, &end);

	if (strspn(text, "0123456789.") != strlen(text) || end == text || *end ||
	    seconds < 0.05 || seconds > 3600)
		return false;
	*ms = (unsigned)(seconds * 1000 + 0.5);
	return true;
}

static bool parse_pid(const char *text, pid_t *pid)
{
	char *end;
	long value = strtol(text, &end, 10);

	if (*text < '0' || *text > '9' || *end || value < 1 || value > 1 << 30)
		return false;
	*pid = (pid_t)value;
	return true;
}

/* Returns the exit code, or -1 to continue. */
static int parse(struct top_options *o, int argc, char **argv)
{
	int option;

	opterr = 0;
	optind = 0;
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (option) {
		case INTERVAL:
			if (!parse_interval(optarg, &o->interval_ms))
				return wrong("--interval does not take", optarg);
			break;
		case ONCE:
			o->once = true;
			break;
		case JSON:
			o->json = true;
			break;
		case HELP:
			fputs(help, stdout);
			return 0;
		default:
			return wrong("unknown option, or an option without its value:",
			             argv[optind - 1]);
		}
	}
	if (argc - optind > 1)
		return wrong("one process at a time, please; also given:",
		             argv[optind + 1]);
	if (argc > optind && !parse_pid(argv[optind], &o->pid))
		return wrong("this is no process number:", argv[optind]);
	if (!o->pid && (o->once || o->json))
		return wrong("--once and --json need a process number", NULL);
	return -1;
}

/* ---- without a screen ---- */

static void pause_for(unsigned ms)
{
	struct timespec t = {ms / 1000, (long)(ms % 1000) * 1000000};

	fflush(stdout);
	while (clock_nanosleep(CLOCK_MONOTONIC, 0, &t, &t))
		;
}

static enum top_result next_line(struct top_link *l, const char **line)
{
	enum top_result r = link_ask(l);

	return r == TOP_OK ? link_receive(l, PATIENCE_MS, line) : r;
}

static enum top_result print_json(struct top_link *l, const struct top_options *o)
{
	for (;;) {
		const char *line;
		enum top_result r = next_line(l, &line);

		if (r != TOP_OK)
			return r;
		fputs(line, stdout);
		if (o->once || ferror(stdout))
			return TOP_OK;
		pause_for(o->interval_ms);
	}
}

static enum top_result next_snapshot(struct top_link *l, json_t **out)
{
	const char *line;
	enum top_result r = next_line(l, &line);

	if (r != TOP_OK)
		return r;
	*out = link_parse(line);
	return *out ? TOP_OK : TOP_WRONG;
}

/* Prints one page, or page after page. Each page needs two snapshots, for the rates. */
static enum top_result print_pages(struct top_link *l, const struct top_options *o)
{
	static const struct page_options whole = {0};
	json_t *now = NULL, *before = NULL;
	enum top_result r = next_snapshot(l, &before);
	bool more = true;

	while (r == TOP_OK && more) {
		pause_for(o->interval_ms);
		r = next_snapshot(l, &now);
		if (r != TOP_OK)
			break;
		page_write(stdout, now, before, &whole);
		json_decref(before);
		before = now;
		more = !o->once && !ferror(stdout);
		if (more)
			putchar('\n');
	}
	json_decref(before);
	return r;
}

/* ---- the whole ---- */

static enum top_result show(struct top_link *l, const struct top_options *o)
{
	if (o->json)
		return print_json(l, o);
	if (o->once || screen_open())
		return print_pages(l, o);
	return live_view(l, o->interval_ms);
}

static int tell(enum top_result r, pid_t pid)
{
	switch (r) {
	case TOP_ENDED:
		fprintf(stderr, "filch top: process %ld has ended\n", (long)pid);
		return 0;
	case TOP_SILENT:
		fprintf(stderr,
		        "filch top: process %ld does not answer; it may be stopped, or "
		        "in a debugger\n",
		        (long)pid);
		return 1;
	case TOP_CROWDED:
		fprintf(stderr,
		        "filch top: too many look at process %ld already; end one of "
		        "them\n",
		        (long)pid);
		return 1;
	case TOP_WRONG:
		fprintf(stderr,
		        "filch top: process %ld answers what this version of filch does "
		        "not understand\n",
		        (long)pid);
		return 1;
	default:
		return 0;
	}
}

int cmd_top(int argc, char **argv)
{
	struct top_options o = {.interval_ms = 1000};
	struct top_link l;
	enum top_result r;
	int code = parse(&o, argc, argv);

	if (code >= 0)
		return code;
	if (!o.pid)
		return list_programs();
	code = find_program(&l, o.pid);
	if (code)
		return code;
	o.once = o.once || (!o.json && !isatty(STDOUT_FILENO));
	r = show(&l, &o);
	link_close(&l);
	return tell(r, o.pid);
}
