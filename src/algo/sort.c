/* SPDX-License-Identifier: MIT */
/*
 * Sorting by a comparison function. The merge sort of filch/sort_template.h serves both
 * stable and unstable sorts, since comparing takes most of the time, and a merge sort
 * compares least. It sorts elements of certain sizes as they are; for others it sorts
 * pointers to the elements, which are then moved.
 */
/* The template shows its work as the user's comparison. */
#define FILCH__SORT_BOTH(f, one, other) \
	filch__both_inside((filch__function *)(one)->context->compare, f, one, other)
#define FILCH__SORT_ENTER(f, part) \
	filch__enter_pool_as((filch__function *)(part)->context->compare, f, part)

#include <assert.h>
#include <filch/sort.h>
#include <filch/sort_template.h>
#include <stdint.h>

#include "algo/both.h"
#include "base/misuse.h"

struct order {
	int (*compare)(const void *a, const void *b, void *context);
	void *context;
};

#define LESS(a, b, order) (order->compare(a, b, order->context) < 0)

/* Arrays of fewer elements than this are not worth dividing. A call takes longer than
 * most comparisons that the template is made for. */
enum { GRAIN = 128 };

/* The sizes of elements that are sorted as they are. */
#define SIZES(X) X(4) X(8) X(12) X(16) X(20) X(24) X(28) X(32) X(40) X(48) X(56) X(64)

#define BYTES 4
#include "algo/sort_bytes.inc.h"
#define BYTES 8
#include "algo/sort_bytes.inc.h"
#define BYTES 12
#include "algo/sort_bytes.inc.h"
#define BYTES 16
#include "algo/sort_bytes.inc.h"
#define BYTES 20
#include "algo/sort_bytes.inc.h"
#define BYTES 24
#include "algo/sort_bytes.inc.h"
#define BYTES 28
#include "algo/sort_bytes.inc.h"
#define BYTES 32
#include "algo/sort_bytes.inc.h"
#define BYTES 40
#include "algo/sort_bytes.inc.h"
#define BYTES 48
#include "algo/sort_bytes.inc.h"
#define BYTES 56
#include "algo/sort_bytes.inc.h"
#define BYTES 64
#include "algo/sort_bytes.inc.h"

#define FILCH_SORT_STABLE_NAME sort_pointers
#define FILCH_SORT_TYPE const unsigned char *
#define FILCH_SORT_CONTEXT const struct order *
#define FILCH_SORT_LESS(a, b, order) LESS(*(a), *(b), order)
#define FILCH_SORT_GRAIN GRAIN
#define FILCH__SORT_AHEAD(p) __builtin_prefetch(*(p))
#include <filch/sort_template.h>

/* ---- by pointers ---- */

/* Elements that are moved to where their pointers say. */
struct moving {
	unsigned char *base, *copy;
	const unsigned char **p; /* p[i] points to the element that belongs at i */
	size_t size;
	const struct order *order;
};

/* Some of these elements, and the function that is called for them. */
struct piece {
	void (*f)(const struct moving *m, size_t begin, size_t end);
	const struct moving *m;
	size_t begin, end;
};

/* Does the piece by halves. This is not a filch_for(), which would end early if the
 * caller's group is cancelled. */
static void each(void *piece)
{
	struct piece *one = piece, other = *one;

	if (one->end - one->begin < 4096) {
		one->f(one->m, one->begin, one->end);
		return;
	}
	one->end = other.begin = one->begin + (one->end - one->begin) / 2;
	filch__both_inside((filch__function *)one->m->order->compare, each, one, &other);
}

static void point(const struct moving *m, size_t begin, size_t end)
{
	for (size_t i = begin; i < end; i++)
		m->p[i] = m->base + i * m->size;
}

static void gather(const struct moving *m, size_t begin, size_t end)
{
	for (size_t i = begin; i < end; i++) {
		__builtin_prefetch(m->p[i + 8 < end ? i + 8 : i]);
		memcpy(m->copy + i * m->size, m->p[i], m->size);
	}
}

static void put_back(const struct moving *m, size_t begin, size_t end)
{
	memcpy(m->base + begin * m->size, m->copy + begin * m->size,
	       (end - begin) * m->size);
}

/* Moves the elements without memory for a copy of them all: one cycle of the permutation
 * after the other, with one element aside. */
static void move_in_cycles(const struct moving *m, size_t n, unsigned char *aside)
{
	for (size_t i = 0; i < n; i++) {
		unsigned char *begin = m->base + i * m->size, *to = begin;

		if (m->p[i] == begin)
			continue;
		memcpy(aside, begin, m->size);
		for (;;) {
			size_t at = (size_t)(to - m->base) / m->size;
			const unsigned char *from = m->p[at];

			assert(at < n && m->base + at * m->size == to);
			m->p[at] = to;
			if (from == begin)
				break;
			memcpy(to, from, m->size);
			to = m->base + (from - m->base);
		}
		memcpy(to, aside, m->size);
	}
}

struct by_pointers {
	struct moving m;
	size_t n;
};

static void sort_by_pointers(void *by_pointers)
{
	struct by_pointers *b = by_pointers;
	struct moving *m = &b->m;

	each(&(struct piece){point, m, 0, b->n});
	sort_pointers(m->p, b->n, m->order);
	m->copy = filch__sort_memory(b->n, m->size, 1);
	if (!m->copy) {
		move_in_cycles(m, b->n, (unsigned char *)(m->p + b->n));
		return;
	}
	each(&(struct piece){gather, m, 0, b->n});
	each(&(struct piece){put_back, m, 0, b->n});
	filch__sort_memory_free(m->copy);
}

/* Sorts by pointers. Returns false if there is no memory for the pointers and one
 * element. */
static bool by_pointers(void *base, size_t n, size_t size, const struct order *order)
{
	struct by_pointers b = {{base, NULL, NULL, size, order}, n};
	size_t more = size / sizeof *b.m.p + 1;

	if (n <= SIZE_MAX / sizeof *b.m.p - more)
		b.m.p = filch__sort_memory(n + more, sizeof *b.m.p, sizeof *b.m.p);
	if (!b.m.p)
		return false;
	if (n < FILCH__SORT_GRAINS * GRAIN)
		sort_by_pointers(&b);
	else
		filch__enter_pool_as((filch__function *)order->compare, sort_by_pointers,
		                     &b);
	filch__sort_memory_free(b.m.p);
	return true;
}

/* ---- the functions ---- */

static void check(const char *call, const void *base, size_t n, size_t size,
                  const struct order *o)
{
	if (!o->compare)
		filch__misuse(call, "there is no function that compares");
	if (!size)
		filch__misuse(call, "the elements have no size; pass sizeof *base");
	if (n && !base)
		filch__misuse(call, "there is no array, but it has elements");
	if (n > PTRDIFF_MAX / size)
		filch__misuse(call, "so many elements do not fit into memory; the "
		                    "arguments are the number and then the size");
}

/* Returns false if there is no memory. */
static bool merge_sort(void *base, size_t n, size_t size, const struct order *o)
{
	assert(n > 1 && size);
	/* Copies are aligned to 16 bytes. If compare() may rely on more, it gets no
	 * copies. */
	if (size % 32 == 0 && (uintptr_t)base % 32 == 0)
		return by_pointers(base, n, size, o);
	switch (size) {
#define CASE(bytes)                      \
	case bytes:                      \
		sort##bytes(base, n, o); \
		return true;
		SIZES(CASE)
#undef CASE
	default:
		return by_pointers(base, n, size, o);
	}
}

void filch_sort(void *base, size_t n, size_t size,
                int (*compare)(const void *a, const void *b, void *context),
                void *context)
{
	const struct order o = {compare, context};

	check("filch_sort", base, n, size, &o);
	if (n > 1 && !merge_sort(base, n, size, &o))
		filch__sort_heap(base, n, size, compare, context);
}

void filch_stable_sort(void *base, size_t n, size_t size,
                       int (*compare)(const void *a, const void *b, void *context),
                       void *context)
{
	const struct order o = {compare, context};

	check("filch_stable_sort", base, n, size, &o);
	if (n > 1 && !merge_sort(base, n, size, &o))
		filch__sort_in_place(base, n, size, compare, context);
}
