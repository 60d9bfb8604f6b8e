/* SPDX-License-Identifier: MIT */
#include "explore/report.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "explore/graph.h"
#include "explore/plain.h"
#include "explore/search.h"

#define OUTCOMES 4096
#define COVERS 64

static uint64_t outcome, outcomes[OUTCOMES];
static char outcome_text[OUTCOMES][64], outcome_now[64];
static int outcome_count;

static struct cover {
	const char *what;
	uint64_t times;
} cover[COVERS];
static int covers;

/* ---- a failure ---- */

static const char *order_name(enum explore_order o)
{
	static const char *const name[] = {"rlx", "acq", "rel", "acq_rel", "sc"};

	return name[o];
}

static void print_event(int i)
{
	const struct event *e = &graph.event[i];

	if (!e->index)
		return;
	printf("  %4d  %-8s", i, search.thread[e->thread].name);
	if (e->kind & (NOTE | CHOICE)) {
		printf("%s %llu\n", e->site->op, (unsigned long long)e->value);
		return;
	}
	printf("%-9s %-22s", e->site->op, e->site->what);
	if (e->kind & READ)
		printf(" = %#llx, of %d", (unsigned long long)e->got, e->from);
	if (e->kind & WRITE)
		printf(" <- %#llx", (unsigned long long)e->value);
	if (e->kind & WRITE && e->pos + 1 < graph.location[e->loc].stores)
		printf(", before %d", graph.location[e->loc].store[e->pos + 1]);
	if (e->loc >= 0)
		printf("  [%s]", plain_name(graph.location[e->loc].at));
	printf("  %s:%d", e->site->file, e->site->line);
	if (e->order != EXPLORE_RLX || strstr(e->site->op, "rlx") == NULL)
		printf(" (%s)", order_name(e->order));
	printf("\n");
}

void report_trace(void)
{
	printf("\nThe execution: event, thread, access = value read, of which event, "
	       "<- value written\n");
	for (int i = 0; i < graph.events; i++)
		print_event(i);
}

/* The choices, run-length encoded: "3,0x12,1"; with an e before them if all graphs were
 * told apart, which has more of them. */
static void print_seed(void)
{
	int last = search.depth;

	while (last > 0 && !search.choice[last - 1].at)
		last--;
	printf("seed: %s", search.option.exact ? "e" : "");
	for (int i = 0; i < last;) {
		int n = 1;

		while (i + n < last && search.choice[i + n].at == search.choice[i].at)
			n++;
		printf(n > 1 ? "%s%dx%d" : "%s%d", i ? "," : "", search.choice[i].at, n);
		i += n;
	}
	printf("%s\n", last ? "" : "-");
}

_Noreturn void explore_fail(const char *file, int line, const char *fmt, ...)
{
	va_list args;

	printf("\n%s: FAILED after %llu executions: ", explore_name,
	       (unsigned long long)search.executions);
	va_start(args, fmt);
	vprintf(fmt, args);
	va_end(args);
	if (*file)
		printf("\n  at %s:%d, in %s", file, line,
		       search.thread[search.current].name);
	printf("\n");
	report_trace();
	print_seed();
	printf("(to see it again: --replay SEED, with the same other options)\n");
	fflush(stdout);
	_exit(1);
}

_Noreturn void __assert_fail(const char *what, const char *file, unsigned line,
                             const char *function)
{
	explore_fail(file, (int)line, "assertion %s does not hold in %s()", what,
	             function);
}

/* ---- what came of it ---- */

void explore_observe(uint64_t v)
{
	size_t n = strlen(outcome_now);

	outcome = (outcome + v + 1) * 0xd6e8feb86659fd93u;
	outcome ^= outcome >> 32;
	snprintf(outcome_now + n, sizeof outcome_now - n, "%s%llu", n ? " " : "",
	         (unsigned long long)v);
}

void explore_cover(const char *what)
{
	for (int i = 0; i < covers; i++)
		if (!strcmp(cover[i].what, what)) {
			cover[i].times++;
			return;
		}
	if (covers < COVERS)
		cover[covers++] = (struct cover){what, 1};
}

void report_outcome(void)
{
	for (int i = 0; i < outcome_count; i++)
		if (outcomes[i] == outcome)
			return;
	if (outcome_count == OUTCOMES)
		return;
	outcomes[outcome_count] = outcome;
	memcpy(outcome_text[outcome_count++], outcome_now, sizeof outcome_now);
}

void report_begin(void)
{
	outcome = 0;
	outcome_now[0] = 0;
}

void report_clear(void)
{
	outcome_count = covers = 0;
}

int report_outcomes(void)
{
	return outcome_count;
}

void report_print(void)
{
	for (int i = 0; i < covers; i++)
		printf("cover: %s %llu\n", cover[i].what,
		       (unsigned long long)cover[i].times);
	for (int i = 0; i < outcome_count && search.option.outcomes; i++)
		printf("outcome: %s\n", outcome_text[i]);
}
