/* SPDX-License-Identifier: MIT */
/*
 * Partitions, in place, in two steps, both the same for any number of workers.
 *
 * First the array is divided into units: a chunk from the left end and one from the
 * right, the next two, and so on, and what is left in the middle. Each is partitioned by
 * itself, as if its chunks were one array. Since a unit has something of both ends, most
 * elements are then where they belong, in the array, too: all of them if the kinds are
 * mixed half and half, or sorted either way.
 *
 * Then each chunk is a stretch of the one kind and a stretch of the other, and the number
 * of all that belong first is known. The stretches on the wrong side are as long on the
 * left as on the right, and are swapped.
 */
#include <filch/filter.h>

#include <filch/for.h>
#include <stdint.h>
#include <string.h>

#include "base/cpu.h"
#include "sched/misuse.h"

#define UNITS 512   /* at most, and one in the middle */
#define STRETCH 256 /* elements looked at before any is moved; offsets fit in a byte */
#define CHUNK_LEAST 16

#define PIECES 512              /* of the second step, at most */
#define PIECE_BYTES (16u << 10) /* at least */

#define NOT_YET SIZE_MAX

struct partition {
	char *base;
	size_t n, size;
	bool (*first)(const void *element, void *context);
	void *context;
	/* The first step. A unit writes its own count. */
	size_t chunk;         /* elements */
	size_t units;         /* of two chunks */
	size_t in[UNITS + 1]; /* of each unit, and the middle: how many belong first */
	/* The second. Chunks, the middle being one, too, are counted from the left. */
	size_t all;   /* how many belong first */
	size_t wrong; /* elements on the wrong side, on each */
	size_t right; /* the first chunk that has some on the right */
	size_t before[2 * UNITS +
	              1];     /* of each chunk: wrong ones before it on its side */
	size_t piece, pieces; /* wrong ones that are swapped together */
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

/* `size` is often a constant. In parts of constant size, which are a few instructions. */
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

/* Two chunks as one array. */
struct unit {
	char *left,
		*right; /* right: where the array would begin to have its chunk there */
	size_t half, n; /* elements of the left chunk, of both */
};

/* Elements next to each other, and the offsets of those which are of the wrong kind. */
struct stretch {
	char *at;
	unsigned n, next, wrong; /* elements; offsets: the next one, the end */
	unsigned char *offset;
};

/* Looks at n elements, from the outside inwards, as memory is fetched. Without a
 * branch that depends on what it finds. */
static ALWAYS_INLINE void look(const struct partition *p, struct stretch *s, char *at,
                               size_t n, bool from_left, size_t size)
{
	bool (*first)(const void *element, void *context) = p->first;
	void *context = p->context;
	unsigned wrong = 0;

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

/* Swaps wrong ones of both sides, as many as there are. */
static ALWAYS_INLINE void exchange(struct stretch *l, struct stretch *r, size_t size)
{
	unsigned n = l->wrong - l->next, m = r->wrong - r->next;

	if (n == m && n == l->n && n == r->n) { /* they are in order: as one */
		swap(l->at, r->at, n * size);
		l->next += n;
		r->next += n;
		return;
	}
	for (n = n < m ? n : m; n; n--)
		swap(wrong_one(l, l->next++, size), wrong_one(r, r->next++, size), size);
}

/* Partitions it. Returns how many are first. Chunks are a multiple of STRETCH long, or
 * shorter: no stretch is in both. */
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
	/* All are looked at; one side may have wrong ones left. */
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
}

static int part_units(size_t begin, size_t end, void *context)
{
	struct partition *p = context;

	for (size_t i = begin; i < end; i++)
		if (p->in[i] == NOT_YET)
			part_unit(p, i);
	return 0;
}

/* ---- what is on the wrong side ---- */

/* The i-th chunk from the left, the middle being one, too: from where to where it has
 * elements of the wrong kind, if it has any. */
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
	if (begin + first > p->all) { /* right of it: those that belong first */
		*from = begin > p->all ? begin : p->all;
		return begin + first - *from;
	}
	*from = begin + first;
	end = end < p->all ? end : p->all;
	return end > *from ? end - *from : 0;
}

/* Counts what is to be swapped. */
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
	p->wrong = side[0];
	p->piece = PIECE_BYTES / p->size;
	if (p->piece < p->wrong / PIECES + 1)
		p->piece = p->wrong / PIECES + 1;
	p->pieces = p->wrong / p->piece + (p->wrong % p->piece != 0);
}

/* The last of the chunks [lo, hi) that begins with the k-th wrong element of its side, or
 * one before it. */
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

/* How many wrong elements of the chunk there are from the k-th of the side on, and
 * where. */
static size_t wrong_from(const struct partition *p, size_t chunk, size_t k, char **at)
{
	size_t from, n = wrong_in(p, chunk, &from), skip = k - p->before[chunk];

	*at = p->base + (from + skip) * p->size;
	return n - skip;
}

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

/* Chunks of few elements if there are few, since each may take long. */
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
	/* What has no result to report it by is not cancelled: it ends here. */
	if (filch_for(0, p.units + 1, part_units, &p))
		part_units(0, p.units + 1, &p);
	find_wrong(&p);
	memset(p.swapped, 0, sizeof p.swapped);
	if (filch_for(0, p.pieces, swap_pieces, &p))
		swap_pieces(0, p.pieces, &p);
	return p.all;
}
