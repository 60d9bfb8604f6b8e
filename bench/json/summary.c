/* SPDX-License-Identifier: MIT */
#include "bench/json/summary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/rounds.h"

#define SLOTS_LEAST 256
#define RADIX UINT64_C(0x9e3779b97f4a7c15) /* of `check`: odd */

/* Room for one more of n elements. */
static void *grow(void *p, size_t n, size_t *room, size_t size)
{
	if (n < *room)
		return p;
	*room = n < 32 ? 64 : 2 * n;
	p = realloc(p, *room * size);
	if (!p)
		rounds_fail("there is not enough memory");
	return p;
}

/* FNV-1a. */
static uint64_t hash_of(const char *s, size_t n)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)s[i]) * UINT64_C(0x100000001b3);
	return h ^ h >> 32;
}

/* ---- rows ---- */

static void index_row(struct summary *s, size_t row)
{
	size_t at = s->row[row].hash & (s->slots - 1);

	while (s->index[at])
		at = (at + 1) & (s->slots - 1);
	s->index[at] = (uint32_t)row + 1;
}

/* Half of the slots stay empty. */
static void index_grow(struct summary *s)
{
	if (2 * s->rows < s->slots)
		return;
	free(s->index);
	s->slots = s->slots ? 2 * s->slots : SLOTS_LEAST;
	s->index = rounds_allocate(s->slots, sizeof *s->index);
	for (size_t i = 0; i < s->rows; i++)
		index_row(s, i);
}

static struct summary_row *find_row(const struct summary *s, const char *path,
                                    size_t length, uint64_t hash)
{
	for (size_t at = hash; s->slots; at++) {
		uint32_t i = s->index[at & (s->slots - 1)];
		struct summary_row *r;

		if (!i)
			break;
		r = &s->row[i - 1];
		if (r->hash == hash && r->length == length &&
		    !memcmp(s->paths + r->path, path, length))
			return r;
	}
	return NULL;
}

static struct summary_row *new_row(struct summary *s, const char *path, size_t length,
                                   uint64_t hash)
{
	struct summary_row *r;

	s->row = grow(s->row, s->rows, &s->row_room, sizeof *s->row);
	s->paths = grow(s->paths, s->paths_size + length, &s->paths_room, 1);
	r = &s->row[s->rows];
	*r = (struct summary_row){.hash = hash,
	                          .path = s->paths_size,
	                          .length = length,
	                          .fastest = UINT64_MAX};
	if (length)
		memcpy(s->paths + s->paths_size, path, length);
	s->paths_size += length;
	index_grow(s);
	index_row(s, s->rows++);
	return r;
}

static struct summary_row *row_for(struct summary *s, const char *path, size_t length,
                                   uint64_t hash, uint64_t line)
{
	struct summary_row *r = find_row(s, path, length, hash);

	if (!r) {
		r = new_row(s, path, length, hash);
		r->first = line;
	}
	return r;
}

static void row_add(struct summary_row *r, const struct summary_row *x)
{
	r->events += x->events;
	r->failed += x->failed;
	r->bytes += x->bytes;
	r->spent += x->spent;
	r->text += x->text;
	r->latency += x->latency;
	if (x->fastest < r->fastest)
		r->fastest = x->fastest;
	if (x->slowest > r->slowest)
		r->slowest = x->slowest;
}

/* ---- summaries ---- */

static void check_add(struct summary *s, uint64_t check, uint64_t weight)
{
	if (!s->weight)
		s->weight = 1;
	s->check = s->check * weight + check;
	s->weight *= weight;
}

void summary_add(struct summary *s, const struct event *e)
{
	uint64_t hash = hash_of(e->path, e->length);
	struct summary_row x = {.events = 1,
	                        .failed = e->failed,
	                        .bytes = e->bytes,
	                        .spent = e->spent,
	                        .text = e->text,
	                        .latency = e->latency,
	                        .fastest = e->latency,
	                        .slowest = e->latency};

	row_add(row_for(s, e->path, e->length, hash, s->lines), &x);
	check_add(s, (hash ^ e->bytes ^ e->latency << 32) + e->spent * 31 + e->text * 37,
	          RADIX);
}

static void reject_line(struct summary *s, uint64_t line, const char *why)
{
	struct summary_reject *r;

	s->reject = grow(s->reject, s->rejects, &s->reject_room, sizeof *s->reject);
	r = &s->reject[s->rejects++];
	r->line = line;
	snprintf(r->why, sizeof r->why, "%s", why);
}

void summary_reject(struct summary *s, const char *why)
{
	reject_line(s, s->lines, why);
}

void summary_merge(struct summary *s, const struct summary *next)
{
	for (const struct summary_row *r = next->row; r < next->row + next->rows; r++)
		row_add(row_for(s, next->paths + r->path, r->length, r->hash,
		                s->lines + r->first),
		        r);
	for (size_t i = 0; i < next->rejects; i++)
		reject_line(s, s->lines + next->reject[i].line, next->reject[i].why);
	if (next->weight)
		check_add(s, next->check, next->weight);
	s->lines += next->lines;
}

static bool row_equal(const struct summary *a, const struct summary *b, size_t i)
{
	struct summary_row x = a->row[i], y = b->row[i];

	/* In the same order, the paths lie at the same places. */
	return !memcmp(&x, &y, sizeof x) &&
	       !memcmp(a->paths + x.path, b->paths + y.path, x.length);
}

bool summary_equal(const struct summary *a, const struct summary *b)
{
	bool same = a->lines == b->lines && a->check == b->check && a->rows == b->rows &&
	            a->rejects == b->rejects;

	for (size_t i = 0; same && i < a->rows; i++)
		same = row_equal(a, b, i);
	for (size_t i = 0; same && i < a->rejects; i++)
		same = a->reject[i].line == b->reject[i].line;
	return same;
}

void summary_clear(struct summary *s)
{
	if (s->index)
		memset(s->index, 0, s->slots * sizeof *s->index);
	s->lines = s->check = s->weight = 0;
	s->rows = s->paths_size = s->rejects = 0;
}

void summary_free(struct summary *s)
{
	free(s->row);
	free(s->index);
	free(s->paths);
	free(s->reject);
	*s = (struct summary){0};
}
