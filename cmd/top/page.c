/* SPDX-License-Identifier: MIT */
/* Rates are differences of two snapshots, so no other state is kept. */
#include <stdlib.h>
#include <string.h>

#include "cmd/top/top.h"

#define BAR 30

struct page {
	FILE *out;
	const struct page_options *o;
	double seconds; /* between the two snapshots */
};

/* ---- small things ---- */

static double number(const json_t *object, const char *key)
{
	return json_number_value(json_object_get(object, key));
}

static const char *string(const json_t *object, const char *key)
{
	const char *s = json_string_value(json_object_get(object, key));

	return s ? s : "";
}

/* The rate per second; 0 if the snapshot before did not have the object. */
static double rate(const struct page *p, const json_t *now, const json_t *before,
                   const char *key)
{
	double more = number(now, key) - number(before, key);

	return before && p->seconds > 0 && more > 0 ? more / p->seconds : 0;
}

void page_name(FILE *out, const char *name)
{
	int more = 0; /* continuation bytes of this character that are still to come */

	for (const unsigned char *s = (const unsigned char *)name; *s; s++) {
		bool within = (*s & 0xc0) == 0x80;

		more = within      ? more - 1
		       : *s < 0xc2 ? 0
		       : *s < 0xe0 ? 1
		       : *s < 0xf0 ? 2
		                   : 3;
		if (*s < ' ' || *s == 0x7f || (within && more < 0)) {
			fputc('?', out); /* a stray byte may be a control, too */
			more = 0;
		} else if (*s == 0xc2 && s[1] >= 0x80 && s[1] < 0xa0) {
			fputc('?', out); /* U+0080 to U+009F */
			more = 0;
			s++;
		} else {
			fputc(*s, out);
		}
	}
}

/* Writes a number in five characters at most: 9.5, 12345, 123k, 12.3M. */
static const char *shorten(double n, char out[16])
{
	static const char units[] = "kMGT";
	const char *unit = units;

	if (n < 9.95 && n != (int)n)
		snprintf(out, 16, "%.1f", n);
	else if (n < 99999.5)
		snprintf(out, 16, "%.0f", n);
	else {
		for (n /= 1000; n >= 999.5 && unit[1]; unit++)
			n /= 1000;
		snprintf(out, 16, n < 99.95 ? "%.1f%c" : "%.0f%c", n, *unit);
	}
	return out;
}

static void heading(const struct page *p, const char *text)
{
	if (p->o->marks)
		fputc(PAGE_HEADING, p->out);
	fprintf(p->out, "%s\n", text);
}

/* ---- strands by name ---- */

struct kind {
	const char *task;
	double active, suspended, resumable;
};

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct kind *)a)->task, ((const struct kind *)b)->task);
}

static double total(const struct kind *k)
{
	return k->active + k->suspended + k->resumable;
}

static int by_total(const void *a, const void *b)
{
	double x = total(a), y = total(b);

	return x == y ? by_name(a, b) : x < y ? 1 : -1;
}

/* Returns the strands of a pool grouped by the name of their task, the largest group
 * first. */
static struct kind *find_kinds(const json_t *pool, size_t *n)
{
	const json_t *strands = json_object_get(pool, "strands");
	size_t all = json_array_size(strands);
	struct kind *k = calloc(all + 1, sizeof *k);

	*n = 0;
	if (!k)
		return NULL;
	for (size_t i = 0; i < all; i++) {
		const json_t *s = json_array_get(strands, i);

		k[i] = (struct kind){string(s, "task"), number(s, "active"),
		                     number(s, "suspended"), number(s, "resumable")};
	}
	qsort(k, all, sizeof *k, by_name);
	for (size_t i = 0; i < all; i++) {
		if (*n && !strcmp(k[*n - 1].task, k[i].task)) {
			k[*n - 1].active += k[i].active;
			k[*n - 1].suspended += k[i].suspended;
			k[*n - 1].resumable += k[i].resumable;
		} else {
			k[(*n)++] = k[i];
		}
	}
	qsort(k, *n, sizeof *k, by_total);
	return k;
}

static void write_left_out(const struct page *p, size_t n)
{
	if (n)
		fprintf(p->out, "  ... and %zu more\n", n);
}

static void write_kinds(const struct page *p, const struct kind *k, size_t n, size_t most)
{
	size_t shown = n > most ? most : n;

	heading(p, "  ACTIVE  SUSPENDED      READY  STRANDS OF TASK");
	for (size_t i = 0; i < shown; i++) {
		fprintf(p->out, "%8.0f %10.0f %10.0f  ", k[i].active, k[i].suspended,
		        k[i].resumable);
		page_name(p->out, k[i].task);
		fputc('\n', p->out);
	}
	write_left_out(p, n - shown);
}

/* ---- workers ---- */

static double cpu_percent(const struct page *p, const json_t *now, const json_t *before)
{
	return rate(p, now, before, "cpu_ns") / 1e7;
}

static void write_worker(const struct page *p, size_t i, const json_t *now,
                         const json_t *before)
{
	static const char *const rates[] = {"stolen", "mugged", "suspended", "parked"};
	char text[16];

	fprintf(p->out, "%6zu %-9s %5.1f", i, string(now, "state"),
	        cpu_percent(p, now, before));
	fprintf(p->out, " %6s", shorten(number(now, "ready"), text));
	fprintf(p->out, " %6s", shorten(number(now, "offered"), text));
	for (size_t r = 0; r < sizeof rates / sizeof *rates; r++)
		fprintf(p->out, " %7s", shorten(rate(p, now, before, rates[r]), text));
	if (*string(now, "task"))
		fputs("  ", p->out);
	page_name(p->out, string(now, "task"));
	fputc('\n', p->out);
}

static void write_workers(const struct page *p, const json_t *now, const json_t *before,
                          size_t most)
{
	size_t n = json_array_size(now), shown = n > most ? most : n;

	heading(p,
	        "WORKER STATE      CPU%  READY QUEUED STEAL/S   MUG/S  STOP/S  PARK/S  "
	        "TASK");
	for (size_t i = 0; i < shown; i++)
		write_worker(p, i, json_array_get(now, i), json_array_get(before, i));
	write_left_out(p, n - shown);
}

/* ---- the whole ---- */

static const json_t *pools_of(const json_t *snapshot)
{
	return json_object_get(snapshot, "pools");
}

/* Finds the same pool in another snapshot; NULL if it is not there. */
static const json_t *find_pool(const json_t *snapshot, const json_t *pool)
{
	const json_t *pools = pools_of(snapshot);

	for (size_t i = 0; i < json_array_size(pools); i++)
		if (number(json_array_get(pools, i), "made_ns") ==
		    number(pool, "made_ns"))
			return json_array_get(pools, i);
	return NULL;
}

static void write_up(const struct page *p, const json_t *now)
{
	double first = number(now, "now_ns");
	unsigned long s;

	for (size_t i = 0; i < json_array_size(pools_of(now)); i++) {
		double made = number(json_array_get(pools_of(now), i), "made_ns");

		first = made < first ? made : first;
	}
	s = (unsigned long)((number(now, "now_ns") - first) / 1e9);
	fprintf(p->out, "up %lu:%02lu:%02lu", s / 3600, s / 60 % 60, s % 60);
}

struct sums {
	size_t workers;
	double cpu, steals, timers, active, suspended, resumable, stacks;
};

static void sum_pool(const struct page *p, const json_t *now, const json_t *before,
                     struct sums *s)
{
	const json_t *workers = json_object_get(now, "workers");
	const json_t *strands = json_object_get(now, "strands");

	for (size_t i = 0; i < json_array_size(workers); i++) {
		const json_t *w = json_array_get(workers, i);
		const json_t *old = json_array_get(json_object_get(before, "workers"), i);

		s->cpu += cpu_percent(p, w, old);
		s->steals += rate(p, w, old, "stolen");
	}
	for (size_t i = 0; i < json_array_size(strands); i++) {
		s->active += number(json_array_get(strands, i), "active");
		s->suspended += number(json_array_get(strands, i), "suspended");
		s->resumable += number(json_array_get(strands, i), "resumable");
	}
	s->workers += json_array_size(workers);
	s->timers += number(now, "timers");
	s->stacks += number(json_object_get(now, "stacks"), "made");
}

static void write_sums(const struct page *p, const struct sums *s)
{
	double percent = s->workers ? s->cpu / (double)s->workers : 0;
	int full = (int)(percent / 100 * BAR + 0.5);
	char text[16];

	full = full > BAR ? BAR : full;
	fprintf(p->out, "cpu [%.*s%*s] %.0f %% of %zu worker%s   %s steals/s\n", full,
	        "||||||||||||||||||||||||||||||", BAR - full, "", percent, s->workers,
	        s->workers == 1 ? "" : "s", shorten(s->steals, text));
	fprintf(p->out,
	        "strands: %.0f active, %.0f suspended, %.0f ready   %.0f timers   "
	        "%.0f stacks\n",
	        s->active, s->suspended, s->resumable, s->timers, s->stacks);
}

static void write_top(const struct page *p, const json_t *now, const json_t *before)
{
	size_t pools = json_array_size(pools_of(now));
	struct sums s = {0};

	for (size_t i = 0; i < pools; i++) {
		const json_t *pool = json_array_get(pools_of(now), i);

		sum_pool(p, pool, find_pool(before, pool), &s);
	}
	page_name(p->out, string(now, "program"));
	fprintf(p->out, ", process %.0f   ", number(now, "pid"));
	write_up(p, now);
	fprintf(p->out, "   %zu pool%s   %.1f MiB resident\n", pools,
	        pools == 1 ? "" : "s", number(now, "resident") / (1 << 20));
	write_sums(p, &s);
}

/* Divides `rows` lines between the two tables. If all lines fit, each table has all of
 * its own; otherwise the workers get up to half of them. */
static void write_pool(const struct page *p, const json_t *now, const json_t *before,
                       size_t rows)
{
	const json_t *workers = json_object_get(now, "workers");
	size_t w = json_array_size(workers), n;
	struct kind *k = find_kinds(now, &n);

	if (p->o->rows && w + n > rows) {
		size_t half = rows / 2;

		w = n < half ? rows - n : w < half ? w : half;
	}
	fputc('\n', p->out);
	write_workers(p, workers, json_object_get(before, "workers"), w);
	fputc('\n', p->out);
	write_kinds(p, k, n, p->o->rows && rows < w + n ? rows - w : n);
	free(k);
}

void page_write(FILE *out, const json_t *now, const json_t *before,
                const struct page_options *o)
{
	struct page p = {out, o, 0};
	const json_t *pools = pools_of(now);
	size_t n = json_array_size(pools);
	/* The top takes 3 lines, each pool 4, and 2 more to say what is left out. */
	size_t rows = n && o->rows > 3 + 6 * n ? (o->rows - 3) / n - 6 : 1;

	p.seconds = before ? (number(now, "now_ns") - number(before, "now_ns")) / 1e9 : 0;
	write_top(&p, now, before);
	for (size_t i = 0; i < n; i++) {
		const json_t *pool = json_array_get(pools, i);

		write_pool(&p, pool, find_pool(before, pool), rows);
	}
}
