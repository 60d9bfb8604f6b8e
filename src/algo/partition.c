/* SPDX-License-Identifier: MIT */
/*
 * Partitions, in place, in two steps. The result is the same for any number of workers.
 *
 * First the array is divided into units: a unit is a chunk from the left end and one from
 * the right end, then the next two chunks, and so on; the middle that remains is also a
 * unit. Each unit is partitioned by itself, as if its chunks were one array. Since a unit
 * has chunks of both ends, most elements are then where they belong in the whole array:
 * all of them if the two kinds are evenly mixed, or sorted either way.
 *
 * After that, each chunk is a stretch of one kind followed by a stretch of the other, and
 * the number of all elements that belong first is known. The left side of the array has
 * as many elements of the wrong kind as the right side, and these are swapped.
 */
#include <filch/filter.h>

#include <assert.h>
#include <filch/for.h>
#include <stdint.h>
#include <string.h>

#include "algo/loop.h"
#include "base/cpu.h"
#include "base/misuse.h"

#define UNITS 512      /* at most, without the middle */
#define STRETCH 256    /* elements looked at before any is moved; an offset is a byte */
#define CHUNK_LEAST 16 /* elements */
#define PIECES 512     /* of the second step, at most */
#define PIECE_BYTES (16u << 10) /* of such a piece, at least */
#define NOT_YET SIZE_MAX        /* the unit is not partitioned yet */

struct partition {
	char *base;
	size_t n, size;
	bool (*first)(const void *element, void *context);
	void *context;
	/* The first step. */
	size_t chunk;         /* elements of a chunk */
	size_t units;         /* without the middle */
	size_t in[UNITS + 1]; /* for each unit, and for the middle: how many elements
	                       * belong first; written by the worker that does it */
	/* The second step. Chunks are counted from the left; the middle is one. */
	size_t all;   /* how many elements belong first */
	size_t wrong; /* how many elements of each side are on the wrong side */
	size_t right; /* the first chunk that has such elements on the right side */
	size_t before[2 * UNITS + 1]; /* wrong elements before each chunk, on its side */
	size_t piece, pieces; /* elements swapped together; number of such pieces */
	bool swapped[PIECES];
};

/* ---- swapping ---- */

#define ALWAYS_INLINE __attribute__((always_inline)) inline

static ALWAYS_INLINE void swap_part(char *a, char *b, size_t size)
{
	char at_a[64], at_b[64];

	memcpy(at_a, a, size);
	memcpy(at_b, b, size);
	memcpy(a, at_b, size);
	memcpy(b, at_a, size);
}

/* Swaps in parts of constant size, which take a few instructions each. */
static ALWAYS_INLINE void swap(char *a, char *b, size_t size)
{
	size_t i = 0;

	for (; size - i >= 64; i += 64)
		swap_part(a + i, b + i, 64);
	for (; size - i >= 16; i += 16)
		swap_part(a + i, b + i, 16);
	if (size - i >= 8) {
		swap_part(a + i, b + i, 8);
		i += 8;
	}
	if (size - i >= 4) {
		swap_part(a + i, b + i, 4);
		i += 4;
	}
	for (; i < size; i++)
		swap_part(a + i, b + i, 1);
}

/* ---- one unit ---- */

/* Two chunks as one array, whose elements [0, half) are in the left chunk. */
struct unit {
	char *left;  /* where element 0 is */
	char *right; /* where element 0 would be if the left chunk lay just before it */
	size_t half, n; /* elements of the left chunk, and of both */
};

/* Some elements next to each other, and the offsets of those that are of the wrong
 * kind. */
struct stretch {
	char *at;
	unsigned n;           /* elements */
	unsigned next, wrong; /* offsets that are left: [next, wrong) */
	unsigned char *offset;
};

/* Looks at n elements from the outside inwards, in the order in which memory is fetched,
 * and without a branch that depends on the elements. */
static ALWAYS_INLINE void look(const struct partition *p, struct stretch *s, char *at,
                               size_t n, bool from_left, size_t size)
{
	bool (*first)(const void *element, void *context) = p->first;
	void *context = p->context;
	unsigned wrong = 0;

	assert(n <= STRETCH);
	s->at = at;
	s->n = (unsigned)n;
	for (unsigned i = 0; from_left && i < n; i++, at += size) {
		s->offset[wrong] = (unsigned char)i;
		wrong += !first(at, context);
	}
	for (unsigned i = (unsigned)n; !from_left && i--;) {
		s->offset[wrong] = (unsigned char)i;
		wrong += first(at + i * size, context);
	}
	s->next = 0;
	s->wrong = wrong;
}

static ALWAYS_INLINE char *wrong_one(const struct stretch *s, unsigned i, size_t size)
{
	return s->at + s->offset[i] * size;
}

static ALWAYS_INLINE char *at(const struct unit *u, size_t i, size_t size)
{
	return (i < u->half ? u->left : u->right) + i * size;
}

/* Swaps wrong elements of the two stretches until one of them has none left. */
static ALWAYS_INLINE void exchange(struct stretch *l, struct stretch *r, size_t size)
{
	unsigned n = l->wrong - l->next, m = r->wrong - r->next;

	if (n == m && n == l->n && n == r->n) { /* all are wrong: swap them as one */
		swap(l->at, r->at, n * size);
		l->next += n;
		r->next += n;
		return;
	}
	for (n = n < m ? n : m; n; n--)
		swap(wrong_one(l, l->next++, size), wrong_one(r, r->next++, size), size);
}

/* Partitions the unit. Returns how many of its elements belong first. The length of a
 * chunk is a multiple of STRETCH, or less than STRETCH, so no stretch lies in both
 * chunks. */
static ALWAYS_INLINE size_t part(const struct partition *p, const struct unit *u,
                                 size_t size)
{
	size_t lo = 0, hi = u->n, most = u->half < STRETCH ? u->half : STRETCH;
	unsigned char offsets[2][STRETCH];
	struct stretch l = {.offset = offsets[0]}, r = {.offset = offsets[1]};

	for (;;) {
		size_t n;

		if (l.next == l.wrong) {
			n = hi - lo < most ? hi - lo : most;
			if (!n)
				break;
			look(p, &l, at(u, lo, size), n, true, size);
			lo += n;
		}
		if (r.next == r.wrong) {
			n = hi - lo < most ? hi - lo : most;
			if (!n)
				break;
			hi -= n;
			look(p, &r, at(u, hi, size), n, false, size);
		}
		exchange(&l, &r, size);
	}
	/* All elements have been looked at; one of the stretches may have wrong ones
	 * left. */
	assert(lo == hi && (l.next == l.wrong || r.next == r.wrong));
	while (l.next < l.wrong) {
		swap(wrong_one(&l, --l.wrong, size), l.at + --l.n * size, size);
		lo--;
	}
	for (unsigned i = 0; r.next < r.wrong; i++) {
		swap(wrong_one(&r, --r.wrong, size), r.at + i * size, size);
		lo++;
	}
	return lo;
}

/* The i-th unit; the middle is the last. */
static struct unit unit_of(const struct partition *p, size_t i)
{
	size_t left = i * p->chunk, right = p->n - (i + 1) * p->chunk, n = 2 * p->chunk;
	struct unit u = {p->base + left * p->size, NULL, p->chunk, n};

	if (i == p->units)
		u.half = u.n = p->n - n * p->units;
	else
		u.right = p->base + (right - p->chunk) * p->size;
	return u;
}

static void part_unit(struct partition *p, size_t i)
{
	struct unit u = unit_of(p, i);

	assert(i <= p->units);
	switch (p->size) {
	case 4:
		p->in[i] = part(p, &u, 4);
		break;
	case 8:
		p->in[i] = part(p, &u, 8);
		break;
	case 16:
		p->in[i] = part(p, &u, 16);
		break;
	default:
		p->in[i] = part(p, &u, p->size);
	}
	assert(p->in[i] <= u.n);
}

static int part_units(size_t begin, size_t end, void *context)
{
	struct partition *p = context;

	for (size_t i = begin; i < end; i++)
		if (p->in[i] == NOT_YET)
			part_unit(p, i);
	return 0;
}

/* ---- elements on the wrong side ---- */

/* Returns how many elements of the i-th chunk are on the wrong side; *from is the index
 * of the first of them. */
static size_t wrong_in(const struct partition *p, size_t i, size_t *from)
{
	size_t unit = i <= p->units ? i : 2 * p->units - i, first = p->in[unit];
	size_t begin = unit * p->chunk, end = begin + p->chunk;

	if (i == p->units) {
		end = p->n - begin;
	} else if (i > p->units) {
		end = p->n - begin;
		begin = end - p->chunk;
		first = first > p->chunk ? first - p->chunk : 0;
	} else if (first > p->chunk) {
		first = p->chunk;
	}
	if (begin + first > p->all) { /* on the right, but belong first */
		*from = begin > p->all ? begin : p->all;
		return begin + first - *from;
	}
	*from = begin + first;
	end = end < p->all ? end : p->all;
	return end > *from ? end - *from : 0;
}

/* Counts the elements to be swapped, and divides them into pieces. */
static void find_wrong(struct partition *p)
{
	size_t chunks = 2 * p->units + 1, side[2] = {0, 0}, from;

	for (size_t i = 0; i <= p->units; i++)
		p->all += p->in[i];
	p->right = chunks;
	for (size_t i = 0; i < chunks; i++) {
		size_t n = wrong_in(p, i, &from);
		bool right = from >= p->all && n;

		if (right && p->right == chunks)
			p->right = i;
		p->before[i] = side[p->right != chunks];
		side[p->right != chunks] += n;
	}
	assert(side[0] == side[1]);
	p->wrong = side[0];
	p->piece = PIECE_BYTES / p->size;
	if (p->piece < p->wrong / PIECES + 1)
		p->piece = p->wrong / PIECES + 1;
	p->pieces = p->wrong / p->piece + (p->wrong % p->piece != 0);
	assert(p->pieces <= PIECES);
}

/* Returns which of the chunks [lo, hi), all of one side, has the k-th wrong element of
 * that side. */
static size_t chunk_with(const struct partition *p, size_t lo, size_t hi, size_t k)
{
	while (hi - lo > 1) {
		size_t middle = lo + (hi - lo) / 2;

		if (p->before[middle] <= k)
			lo = middle;
		else
			hi = middle;
	}
	return lo;
}

/* Returns how many wrong elements the chunk has from the k-th of its side on; *at is the
 * first of them. */
static size_t wrong_from(const struct partition *p, size_t chunk, size_t k, char **at)
{
	size_t from, n = wrong_in(p, chunk, &from), skip = k - p->before[chunk];

	assert(skip < n);
	*at = p->base + (from + skip) * p->size;
	return n - skip;
}

/* Swaps the wrong elements of the i-th piece, the k-th of one side with the k-th of the
 * other. */
static void swap_piece(struct partition *p, size_t i)
{
	size_t k = i * p->piece, end = k + p->piece < p->wrong ? k + p->piece : p->wrong;

	while (k < end) {
		char *l, *r;
		size_t n = wrong_from(p, chunk_with(p, 0, p->right, k), k, &l);
		size_t m = wrong_from(p, chunk_with(p, p->right, 2 * p->units + 1, k), k,
		                      &r);

		n = n < m ? n : m;
		n = n < end - k ? n : end - k;
		swap(l, r, n * p->size);
		k += n;
	}
	p->swapped[i] = true;
}

static int swap_pieces(size_t begin, size_t end, void *context)
{
	struct partition *p = context;

	for (size_t i = begin; i < end; i++)
		if (!p->swapped[i])
			swap_piece(p, i);
	return 0;
}

/* ---- both steps ---- */

/* Divides the array into units. A short array has short chunks, since each element may
 * take long. */
static void divide(struct partition *p)
{
	size_t chunk = p->n / UNITS / 2;

	if (chunk < STRETCH) {
		for (chunk = CHUNK_LEAST; chunk < STRETCH && p->n / chunk > 64;)
			chunk *= 2;
	} else {
		chunk += STRETCH - chunk % STRETCH;
	}
	p->chunk = chunk;
	p->units = p->n / chunk / 2;
	assert(p->units <= UNITS);
	for (size_t i = 0; i <= p->units; i++)
		p->in[i] = NOT_YET;
}

size_t filch_partition(void *base, size_t n, size_t size,
                       bool (*first)(const void *element, void *context), void *context)
{
	struct partition p;

	if (!first)
		filch__misuse("filch_partition", "first is NULL; pass a function that "
		                                 "tells which elements go first");
	if (!n)
		return 0;
	if (!base || !size || n > SIZE_MAX / size)
		filch__misuse("filch_partition",
		              "%zu elements of %zu bytes at %p cannot be in memory; pass "
		              "an array",
		              n, size, base);
	p.base = base;
	p.n = n;
	p.size = size;
	p.first = first;
	p.context = context;
	p.all = 0;
	divide(&p);
	/* This call cannot report that it was cancelled, so then it does the rest
	 * here. */
	if (filch__for_as((filch__function *)first, 0, p.units + 1, part_units, &p))
		part_units(0, p.units + 1, &p);
	find_wrong(&p);
	assert(p.all <= n);
	memset(p.swapped, 0, sizeof p.swapped);
	if (filch__for_as((filch__function *)first, 0, p.pieces, swap_pieces, &p))
		swap_pieces(0, p.pieces, &p);
	return p.all;
}
