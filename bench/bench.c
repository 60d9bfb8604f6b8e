/* SPDX-License-Identifier: MIT */
#include "bench/bench.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t bench_matched;

bool bench_shape(const struct bench_options *o, const char *suite, size_t capacity,
                 struct filch_queue_options *out)
{
	const char *why = "capacity is not block size times number of blocks";
	size_t blocks = o->blocks, size = o->block_size;

	if (o->capacity)
		capacity = o->capacity;
	else if (blocks && size)
		capacity = blocks * size;
	if (!blocks)
		blocks = size && o->capacity ? capacity / size : 8;
	if (!size)
		size = capacity / blocks;
	if (!o->capacity)
		capacity = blocks * size;
	*out = (struct filch_queue_options){size, blocks, false, 0};
	/* 0 would mean the default, but here it is a division that came out wrong. */
	if (capacity == blocks * size && size && blocks &&
	    !filch_queue_options_resolve(out, out, &why))
		return true;
	fprintf(stderr, "filch bench %s: %s (%zu entries, %zu blocks of %zu)\n", suite,
	        why, capacity, blocks, size);
	return false;
}

bool bench_wanted(const struct bench_options *o, const char *suite, const char *bench,
                  const char *impl)
{
	char name[128];

	snprintf(name, sizeof name, "%s %s", bench, impl);
	if (o->has_filter && regexec(&o->filter, name, 0, NULL, 0))
		return false;
	bench_matched++;
	if (o->list) {
		printf("%s/%s %s\n", suite, bench, impl);
		return false;
	}
	return true;
}

/* For people: a heading for each benchmark, a line for each implementation, to which its
 * measurements are appended, and a line for each comparison. */
static struct {
	char bench[128], impl[64];
} printed;

static void start_line(const char *suite, const char *bench, const char *impl)
{
	char name[128];

	snprintf(name, sizeof name, "%s/%s", suite, bench);
	if (strcmp(name, printed.bench)) {
		printf("%s%s\n", *printed.bench ? "\n\n" : "", name);
		strcpy(printed.bench, name);
		*printed.impl = 0;
	}
	if (strcmp(impl, printed.impl)) {
		printf("%s  %-30s", *printed.impl ? "\n" : "", impl);
		snprintf(printed.impl, sizeof printed.impl, "%s", impl);
	}
}

/* Whether there is a number to print: none can be told of a time in which nothing was
 * done, and JSON has no word for that. */
static bool has_number(const char *suite, const char *bench, const char *impl,
                       const char *metric, double value)
{
	if (isfinite(value))
		return true;
	fprintf(stderr,
	        "filch bench: %s/%s %s: no %s, since nothing was done while it was "
	        "measured; give it more time or more rounds\n",
	        suite, bench, impl, metric);
	return false;
}

void bench_measured(const struct bench_options *o, const char *suite, const char *bench,
                    const char *impl, const char *metric, double value, const char *unit)
{
	if (!has_number(suite, bench, impl, metric, value))
		return;
	if (o->json) {
		printf("{\"suite\":\"%s\",\"bench\":\"%s\",\"impl\":\"%s\","
		       "\"metric\":\"%s\",\"value\":%.6g,\"unit\":\"%s\"}\n",
		       suite, bench, impl, metric, value, unit);
	} else {
		start_line(suite, bench, impl);
		printf("  %s %.4g %s", metric, value, unit);
	}
	fflush(stdout);
}

void bench_compared(const struct bench_options *o, const char *suite, const char *bench,
                    const char *impl, const char *to, const char *metric, double value)
{
	if (!has_number(suite, bench, impl, metric, value))
		return;
	if (o->json) {
		printf("{\"suite\":\"%s\",\"bench\":\"%s\",\"impl\":\"%s\",\"to\":\"%s\","
		       "\"metric\":\"%s\",\"value\":%.6g}\n",
		       suite, bench, impl, to, metric, value);
	} else {
		char pair[128];

		snprintf(pair, sizeof pair, "%s : %s", impl, to);
		start_line(suite, bench, pair);
		printf("  %s %.3f", metric, value);
	}
	fflush(stdout);
}

void bench_finish(const struct bench_options *o)
{
	if (!o->json && *printed.bench)
		putchar('\n');
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
