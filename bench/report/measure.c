/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "bench/report/report.h"

static volatile sig_atomic_t stopped; /* the signal that says so */

static void on_signal(int number)
{
	stopped = number;
	if (report_child_pid)
		kill(-report_child_pid, number); /* and all that it has started */
}

/* How far it is, and how fast it goes. */
struct progress {
	size_t done, all;
	double expected, expected_done; /* seconds by the table */
	double elapsed;
	bool terminal;
};

/* What is left, by what the runs took until now against what they should have. */
static double time_left(const struct progress *p)
{
	double left = p->expected - p->expected_done;

	return p->expected_done > 0 ? left * p->elapsed / p->expected_done : left;
}

static void show(const struct progress *p, const char *command)
{
	double left = time_left(p);
	char text[32];

	if (left < 90)
		snprintf(text, sizeof text, "%.0f s", left);
	else
		snprintf(text, sizeof text, "%.0f min", left / 60);
	fprintf(stderr, "%s[%zu/%zu] about %s left: %.*s%s",
	        p->terminal ? "\r\033[K" : "", p->done + 1, p->all, text,
	        p->terminal ? 48 : 500, command, p->terminal ? "" : "\n");
	fflush(stderr);
}

static bool needed(const struct report_choice *choice, const struct report_run *run)
{
	for (size_t p = 0; p < report_papers_n; p++)
		for (size_t i = 0; i < report_papers[p].n; i++) {
			const struct report_figure *f = &report_papers[p].figure[i];

			if (report_chosen(choice, f) && report_uses(f, run->id))
				return true;
		}
	return false;
}

/* Takes one run; false if it failed. */
static bool measure_one(const struct report_run *run, int set, struct report_rows *rows,
                        const struct progress *p)
{
	struct report_end end = {0};

	snprintf(end.run, sizeof end.run, "%s", run->id);
	report_command(run, set, end.command, sizeof end.command);
	show(p, end.command);
	report_child(run, set, rows, &end);
	if (stopped)
		snprintf(end.error, sizeof end.error, "interrupted");
	report_rows_end(rows, &end);
	if (*end.error)
		fprintf(stderr, "%s%s: %s\n", p->terminal ? "\r\033[K" : "", end.command,
		        end.error);
	return !*end.error;
}

static void count(const struct report_choice *choice, int set, int passes,
                  struct progress *p)
{
	for (size_t i = 0; i < report_runs_n; i++)
		if (needed(choice, &report_runs[i])) {
			p->all += (size_t)passes;
			p->expected += passes * report_runs[i].seconds[set];
		}
}

int report_measure(const struct report_choice *choice, int set, struct report_rows *rows)
{
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
	/* Several times one after the other tell how far apart they are. */
	const int passes = set == REPORT_FULL ? 3 : 1;
	struct progress p = {.terminal = isatty(STDERR_FILENO)};
	uint64_t start = filch__now_ns();
	bool failed = false;

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	count(choice, set, passes, &p);
	for (int pass = 0; pass < passes; pass++)
		for (size_t i = 0; i < report_runs_n && !stopped; i++) {
			const struct report_run *run = &report_runs[i];

			if (!needed(choice, run))
				continue;
			failed |= !measure_one(run, set, rows, &p);
			p.done++;
			p.expected_done += run->seconds[set];
			p.elapsed = (double)(filch__now_ns() - start) * 1e-9;
		}
	if (p.terminal)
		fputs("\r\033[K", stderr);
	if (stopped)
		fprintf(stderr, "interrupted: the page has what there is\n");
	return stopped ? 128 + stopped : failed;
}
