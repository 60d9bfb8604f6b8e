/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/report/report.h"

static const char help[] =
	"usage: filch bench report [OPTION...]\n"
	"\n"
	"Runs the suites and writes one page with what the papers on work stealing "
	"plot,\n"
	"measured here: plots, numbers, the papers' own headlines, machine and "
	"commands.\n"
	"\n"
	"  --quick         small sizes, some minutes (the default)\n"
	"  --full          the suites' own sizes, three times over, some hours\n"
	"  --only FIGURE   only this figure ('001-5.3') or this paper's ('001'); may be\n"
	"                  given several times\n"
	"  --output FILE   the page (filch-report.html)\n"
	"  --rows FILE     also keep what was measured, one JSON object a line\n"
	"  --words FILE    also write what the page says in words, as Markdown\n"
	"  --from FILE     measure nothing, and draw what --rows has kept; of several\n"
	"                  files, which must be of one machine and commit, the median "
	"counts\n"
	"  --list          name the figures, their commands and the time they take\n"
	"  --help          this text\n"
	"\n"
	"Ctrl-C ends it; the page then has what was measured until then. What fails is\n"
	"named in the page, and the exit code is 1. Peers that are not installed are "
	"left\n"
	"out ('make peers' installs them); table 2 needs the sources, and 'make "
	"verify'.\n"
	"\n"
	"Examples:\n"
	"  filch bench report\n"
	"  filch bench report --full --rows rows.json --output report.html\n"
	"  filch bench report --only 000-10 --only 004\n"
	"  filch bench report --from rows.json --words results.md\n";

struct arguments {
	struct report_choice choice;
	int set;
	bool set_given, list;
	const char *output, *rows, *words;
	const char *from[32];
	size_t from_n;
};

static int wrong(const char *what, const char *value)
{
	fprintf(stderr,
	        "filch bench report: %s%s%s%s\nTry 'filch bench report --help'.\n", what,
	        value ? " '" : "", value ? value : "", value ? "'" : "");
	return 2;
}

static bool append(const char **list, size_t *n, size_t room, const char *value)
{
	if (*n == room)
		return false;
	list[(*n)++] = value;
	return true;
}

/* True if some figure is called so, or is of a paper that is. */
static bool exists(const char *only)
{
	const struct report_choice one = {{only}, 1};

	for (size_t p = 0; p < report_papers_n && *only; p++)
		for (size_t i = 0; i < report_papers[p].n; i++)
			if (report_chosen(&one, &report_papers[p].figure[i]))
				return true;
	return false;
}

enum { QUICK = 256, FULL, ONLY, OUTPUT, ROWS, WORDS, FROM, LIST, HELP };

static const struct option options[] = {
	{"quick", no_argument, NULL, QUICK},
	{"full", no_argument, NULL, FULL},
	{"only", required_argument, NULL, ONLY},
	{"output", required_argument, NULL, OUTPUT},
	{"rows", required_argument, NULL, ROWS},
	{"words", required_argument, NULL, WORDS},
	{"from", required_argument, NULL, FROM},
	{"list", no_argument, NULL, LIST},
	{"help", no_argument, NULL, HELP},
	{0},
};

/* 0, or 2 after a message. */
static int take(struct arguments *a, int option, const char *value)
{
	switch (option) {
	case QUICK:
	case FULL:
		if (a->set_given && a->set != option - QUICK)
			return wrong("--quick and --full: one or the other, please",
			             NULL);
		a->set = option - QUICK;
		a->set_given = true;
		return 0;
	case ONLY:
		if (!exists(value))
			return wrong("--list names the figures; there is no", value);
		if (!append(a->choice.only, &a->choice.n, 32, value))
			return wrong("--only: 32 at most, please", NULL);
		return 0;
	case OUTPUT:
		a->output = value;
		return 0;
	case ROWS:
		a->rows = value;
		return 0;
	case WORDS:
		a->words = value;
		return 0;
	case FROM:
		if (!append(a->from, &a->from_n, 32, value))
			return wrong("--from: 32 files at most, please", NULL);
		return 0;
	default:
		a->list = true;
		return 0;
	}
}

static void list_figure(const struct report_figure *f, int set, bool *listed,
                        double *seconds)
{
	printf("%s  %s: %s\n", f->id, f->name, f->title);
	for (size_t i = 0; i < report_runs_n; i++) {
		const struct report_run *run = &report_runs[i];
		char text[512];

		if (!report_uses(f, run->id))
			continue;
		report_command(run, set, text, sizeof text);
		printf("    %4u s  %s\n", run->seconds[set], text);
		*seconds += listed[i] ? 0 : run->seconds[set]; /* others may use it too */
		listed[i] = true;
	}
}

static int list(const struct arguments *a)
{
	bool *listed = calloc(report_runs_n, sizeof *listed);
	int passes = a->set == REPORT_FULL ? 3 : 1;
	double seconds = 0;

	if (!listed)
		return wrong("out of memory", NULL);
	for (size_t p = 0; p < report_papers_n; p++)
		for (size_t i = 0; i < report_papers[p].n; i++)
			if (report_chosen(&a->choice, &report_papers[p].figure[i]))
				list_figure(&report_papers[p].figure[i], a->set, listed,
				            &seconds);
	printf("about %.0f minutes in all%s\n", passes * seconds / 60 + 0.5,
	       passes > 1 ? ", each command three times" : "");
	free(listed);
	return 0;
}

/* A file beside the one that is to be there in the end, so that this one stays as it is
 * until then. NULL after a message. */
static FILE *open_beside(const char *path, char *beside, size_t size)
{
	FILE *file = NULL;
	int fd = -1;

	if ((size_t)snprintf(beside, size, "%s.XXXXXX", path) < size)
		fd = mkstemp(beside);
	if (fd >= 0) {
		(void)fchmod(fd, 0644);
		file = fdopen(fd, "w");
	}
	if (!file)
		fprintf(stderr, "filch bench report: cannot write %s: %s\n", path,
		        strerror(errno));
	return file;
}

/* 0, or 1 after a message. */
static int put_in_place(FILE *file, const char *beside, const char *path)
{
	bool bad = ferror(file);

	if (fclose(file) || bad || rename(beside, path)) {
		fprintf(stderr, "filch bench report: cannot write %s: %s\n", path,
		        strerror(errno));
		unlink(beside);
		return 1;
	}
	return 0;
}

static int write_out(const char *path, const struct arguments *a,
                     const struct report_rows *rows,
                     void (*write)(FILE *, const struct report_choice *,
                                   const struct report_rows *))
{
	char beside[4096];
	FILE *file = open_beside(path, beside, sizeof beside);

	if (!file)
		return 1;
	write(file, &a->choice, rows);
	return put_in_place(file, beside, path);
}

/* Before hours of measuring: can it be written at all? 0, or 2 after a message. */
static int check_writable(const char *path)
{
	char beside[4096];
	FILE *file = path ? open_beside(path, beside, sizeof beside) : NULL;

	if (path && !file)
		return 2;
	if (file) {
		fclose(file);
		unlink(beside);
	}
	return 0;
}

static int measure(const struct arguments *a, struct report_rows *rows)
{
	int code;

	if (a->rows)
		rows->keep = fopen(a->rows, "we");
	if (a->rows && !rows->keep) {
		fprintf(stderr, "filch bench report: cannot write %s: %s\n", a->rows,
		        strerror(errno));
		return 2;
	}
	report_machine(&rows->machine, a->set);
	report_rows_machine(rows);
	code = report_measure(&a->choice, a->set, rows);
	if (rows->keep && (ferror(rows->keep) | fclose(rows->keep))) {
		fprintf(stderr, "filch bench report: cannot write all of %s\n", a->rows);
		code = code ? code : 1;
	}
	rows->keep = NULL;
	return code;
}

static int run(const struct arguments *a)
{
	struct report_rows rows = {0};
	int code = 0;

	if (check_writable(a->output) || check_writable(a->words))
		return 2;
	for (size_t i = 0; i < a->from_n && !code; i++)
		code = report_rows_read(&rows, a->from[i]) ? 2 : 0;
	if (!a->from_n)
		code = measure(a, &rows);
	if (code != 2) {
		int failed = write_out(a->output, a, &rows, report_page);

		if (a->words)
			failed |= write_out(a->words, a, &rows, report_words);
		if (!failed)
			printf("%s\n", a->output);
		code = code ? code : failed;
	}
	report_rows_free(&rows);
	return code;
}

int bench_report(int argc, char **argv)
{
	struct arguments a = {.output = "filch-report.html"};
	int option, code;

	opterr = 0;
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (option == HELP) {
			fputs(help, stdout);
			return 0;
		}
		if (option == '?')
			return wrong("unknown option, or an option without its value:",
			             argv[optind - 1]);
		code = take(&a, option, optarg);
		if (code)
			return code;
	}
	if (optind < argc)
		return wrong("only options, please, not", argv[optind]);
	if (a.from_n && (a.rows || a.set_given))
		return wrong(
			"--from measures nothing: not with --rows, --quick or --full",
			NULL);
	return a.list ? list(&a) : run(&a);
}
