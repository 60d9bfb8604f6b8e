/* SPDX-License-Identifier: MIT */
#include "bench/bench.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool bench_wanted(const struct bench_options *o, const char *suite, const char *bench,
                  const char *impl)
{
	char name[128];

	snprintf(name, sizeof name, "%s %s", bench, impl);
	if (o->has_filter && regexec(&o->filter, name, 0, NULL, 0))
		return false;
	if (o->list) {
		printf("%s/%s %s\n", suite, bench, impl);
		return false;
	}
	return true;
}

/* People get a heading for each benchmark, programs one object a line. */
static void heading(const char *suite, const char *bench)
{
	static char last[128];
	char now[128];

	snprintf(now, sizeof now, "%s/%s", suite, bench);
	if (strcmp(now, last)) {
		printf("%s%s\n", *last ? "\n" : "", now);
		strcpy(last, now);
	}
}

void bench_measured(const struct bench_options *o, const char *suite, const char *bench,
                    const char *impl, const char *metric, double value, const char *unit)
{
	if (o->json) {
		printf("{\"suite\":\"%s\",\"bench\":\"%s\",\"impl\":\"%s\",\"metric\":\"%"
		       "s\","
		       "\"value\":%.6g,\"unit\":\"%s\"}\n",
		       suite, bench, impl, metric, value, unit);
	} else {
		heading(suite, bench);
		printf("  %-34s %-12s %10.4g %s\n", impl, metric, value, unit);
	}
	fflush(stdout);
}

void bench_compared(const struct bench_options *o, const char *suite, const char *bench,
                    const char *impl, const char *to, const char *metric, double value)
{
	if (o->json) {
		printf("{\"suite\":\"%s\",\"bench\":\"%s\",\"impl\":\"%s\",\"to\":\"%s\","
		       "\"metric\":\"%s\",\"value\":%.6g}\n",
		       suite, bench, impl, to, metric, value);
	} else {
		char pair[128];

		heading(suite, bench);
		snprintf(pair, sizeof pair, "%s : %s", impl, to);
		printf("  %-34s %-12s %10.3f x\n", pair, metric, value);
	}
	fflush(stdout);
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double bench_median(double *v, size_t n)
{
	qsort(v, n, sizeof *v, by_value);
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

double bench_median_ratio(const double *a, const double *b, size_t n)
{
	double r[BENCH_ROUNDS_MOST];

	for (size_t i = 0; i < n; i++)
		r[i] = a[i] / b[i];
	return bench_median(r, n);
}

void bench_pin(size_t i)
{
	static cpu_set_t all; /* of the first caller, before anybody was pinned */
	cpu_set_t one;
	size_t cpu = 0;

	if (!CPU_COUNT(&all) && sched_getaffinity(0, sizeof all, &all))
		return;
	i %= (size_t)CPU_COUNT(&all);
	while (!CPU_ISSET(cpu, &all) || i--)
		cpu++;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	(void)sched_setaffinity(0, sizeof one, &one); /* refused: then it runs anywhere */
}
