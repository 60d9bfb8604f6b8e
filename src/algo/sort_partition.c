/* SPDX-License-Identifier: MIT */
/*
 * Partitioning a large array by several workers, for quicksort. The array is divided into
 * pieces, and each piece is partitioned by itself. Then the border of the whole array is
 * known, and the elements on its wrong side are swapped, the n-th of the left side with
 * the n-th of the right. The pieces, and so the result, do not depend on the number of
 * workers.
 */
#include <assert.h>
#include <filch/sort_template.h>

#include "algo/both.h"

enum {
	PIECES = 16,
	EXCHANGED = 1 << 18 /* bytes: swapping fewer is not worth dividing */
};

/* An array that is partitioned. */
struct cut {
	char *a;
	size_t n, size;       /* elements; bytes of each */
	size_t piece;         /* elements of a piece; the last piece has more */
	size_t front[PIECES]; /* for each piece: how many elements belong to the front */
	size_t border;        /* how many of all elements belong there */
	size_t (*partition)(void *a, size_t n, void *pivot);
	void *pivot;
};

/* Some of its pieces, or some of the elements that are swapped. */
struct range {
	struct cut *c;
	size_t begin, end;
};

/* Returns where the piece begins. */
static size_t begin_of(const struct cut *c, size_t piece)
{
	return piece < PIECES ? piece * c->piece : c->n;
}

static void in_halves(void (*f)(void *range), struct range *one)
{
	struct range other = *one;

	one->end = other.begin = one->begin + (one->end - one->begin) / 2;
	filch__both_inside((filch__function *)one->c->partition, f, one, &other);
}

static void partition(void *range)
{
	struct range *r = range;
	struct cut *c = r->c;
	size_t begin = begin_of(c, r->begin);

	if (r->end - r->begin > 1)
		in_halves(partition, r);
	else
		c->front[r->begin] = c->partition(c->a + begin * c->size,
		                                  begin_of(c, r->end) - begin, c->pivot);
}

/* Returns the index of the n-th element that is on the wrong side, left or right of the
 * border; *run is how many such elements are next to each other from there on. */
static size_t misplaced(const struct cut *c, bool left, size_t n, size_t *run)
{
	for (size_t k = 0; k < PIECES; k++) {
		size_t begin = begin_of(c, k), end = begin + c->front[k];

		if (left) {
			begin = end;
			end = begin_of(c, k + 1);
			end = end < c->border ? end : c->border;
		} else {
			begin = begin > c->border ? begin : c->border;
		}
		if (begin >= end)
			continue;
		if (n < end - begin) {
			*run = end - begin - n;
			return begin + n;
		}
		n -= end - begin;
	}
	*run = 0;
	return c->n;
}

/* Swaps n bytes. */
static void swap(char *x, char *y, size_t n)
{
	char kept[256];

	for (size_t some; n; n -= some, x += some, y += some) {
		some = n < sizeof kept ? n : sizeof kept;
		memcpy(kept, x, some);
		memcpy(x, y, some);
		memcpy(y, kept, some);
	}
}

/* Swaps the wrong elements [begin, end) of the two sides. */
static void exchange(void *range)
{
	struct range *r = range;
	struct cut *c = r->c;

	if (r->end - r->begin > 1 && (r->end - r->begin) * c->size > EXCHANGED) {
		in_halves(exchange, r);
		return;
	}
	for (size_t i = r->begin, n, other; i < r->end; i += n) {
		size_t left = misplaced(c, true, i, &n);
		size_t right = misplaced(c, false, i, &other);

		n = other < n ? other : n;
		n = r->end - i < n ? r->end - i : n;
		assert(n && left + n <= c->border && right >= c->border);
		swap(c->a + left * c->size, c->a + right * c->size, n * c->size);
	}
}

size_t filch__sort_partition(void *a, size_t n, size_t size,
                             size_t (*f)(void *a, size_t n, void *pivot), void *pivot)
{
	struct cut c = {a, n, size, n / PIECES, {0}, 0, f, pivot};
	struct range all = {&c, 0, PIECES}, wrong = {&c, 0, 0};

	partition(&all);
	for (size_t k = 0; k < PIECES; k++)
		c.border += c.front[k];
	for (size_t k = 0; k < PIECES; k++) {
		size_t begin = begin_of(&c, k) + c.front[k], end = begin_of(&c, k + 1);

		end = end < c.border ? end : c.border;
		wrong.end += begin < end ? end - begin : 0;
	}
	assert(c.border <= n);
	exchange(&wrong);
	return c.border;
}
