/* SPDX-License-Identifier: MIT */
/*
 * The command line of a client.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "explore/report.h"
#include "explore/search.h"
#include "explore/seen.h"

/* Sets the choices to follow; run-length encoded, as reports print them. */
static void parse_seed(const char *s)
{
	search.option.replay = true;
	if (*s == 'e') {
		search.option.exact = true;
		s++;
	}
	while (*s && *s != '-') {
		char *end;
		long at = strtol(s, &end, 10), n = 1;

		if (*end == 'x')
			n = strtol(end + 1, &end, 10);
		while (n-- > 0 && search.choices < CHOICES)
			search.choice[search.choices++].at = (uint16_t)at;
		s = *end ? end + 1 : end;
	}
}

static void usage(FILE *to)
{
	fprintf(to,
	        "usage: %s [OPTION...]: %s under the model checker\n"
	        "  --preemptions N     at most N switches from a thread that could go "
	        "on\n"
	        "  --stale N           at most N accesses not to the newest store\n"
	        "  --limit N           stop after N executions\n"
	        "  --weaken FILE:LINE[:OP]\n"
	        "                      take this access as relaxed, or, if it is "
	        "seq_cst,\n"
	        "                      as acquire and release\n"
	        "  --replay SEED       run the one execution that a failure printed\n"
	        "  --trace             print every execution\n"
	        "  --exact             tell executions apart by their graphs\n"
	        "  --outcomes          print the distinct outcomes\n",
	        explore_name, explore_name);
}

static const char *value_of(char **arg, int *i)
{
	if (!arg[*i + 1]) {
		fprintf(stderr, "%s: %s needs a value\n", explore_name, arg[*i]);
		exit(2);
	}
	return arg[++*i];
}

static uint64_t number_of(char **arg, int *i)
{
	const char *name = arg[*i], *s = value_of(arg, i);
	char *end;
	uint64_t n = strtoull(s, &end, 10);

	if (end == s || *end || *s == '-') {
		fprintf(stderr, "%s: %s needs a number, not '%s'\n", explore_name, name,
		        s);
		exit(2);
	}
	return n;
}

static void parse(char **arg)
{
	for (int i = 1; arg[i]; i++) {
		if (!strcmp(arg[i], "--preemptions"))
			search.option.preemptions = (int)number_of(arg, &i);
		else if (!strcmp(arg[i], "--stale"))
			search.option.stale = (int)number_of(arg, &i);
		else if (!strcmp(arg[i], "--limit"))
			search.option.limit = number_of(arg, &i);
		else if (!strcmp(arg[i], "--weaken"))
			search.option.weaken = value_of(arg, &i);
		else if (!strcmp(arg[i], "--replay"))
			parse_seed(value_of(arg, &i));
		else if (!strcmp(arg[i], "--trace"))
			search.option.trace = true;
		else if (!strcmp(arg[i], "--exact"))
			search.option.exact = true;
		else if (!strcmp(arg[i], "--outcomes"))
			search.option.outcomes = true;
		else if (!strcmp(arg[i], "--help")) {
			usage(stdout);
			exit(0);
		} else {
			fprintf(stderr, "%s: unknown option '%s'; --help lists them\n",
			        explore_name, arg[i]);
			exit(2);
		}
	}
	if (search.option.weaken && !strchr(search.option.weaken, ':')) {
		fprintf(stderr, "%s: --weaken needs FILE:LINE, not '%s'\n", explore_name,
		        search.option.weaken);
		exit(2);
	}
}

int main(int argc, char **arg)
{
	struct timespec from, to;
	double seconds;

	(void)argc;
	search.option.preemptions = search.option.stale = UNBOUNDED;
	search.option.limit = UINT64_MAX;
	parse(arg);
	setvbuf(stdout, NULL, _IOFBF, 1 << 16);
	clock_gettime(CLOCK_MONOTONIC, &from);
	search_all();
	clock_gettime(CLOCK_MONOTONIC, &to);
	seconds = (double)(to.tv_sec - from.tv_sec) +
	          (double)(to.tv_nsec - from.tv_nsec) / 1e9;
	if (!search.executions && !search.option.replay) {
		printf("%s: FAILED: no execution comes to its end\n", explore_name);
		return 1;
	}
	printf("%s: ok executions=%llu states=%llu runs=%llu abandoned=%llu outcomes=%d "
	       "seconds=%.2f%s\n",
	       explore_name, (unsigned long long)search.executions,
	       (unsigned long long)seen_count(), (unsigned long long)search.runs,
	       (unsigned long long)search.abandoned, report_outcomes(), seconds,
	       search.executions >= search.option.limit ? " incomplete" : "");
	report_print();
	return search.executions >= search.option.limit ? 3 : 0;
}
