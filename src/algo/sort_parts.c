/* SPDX-License-Identifier: MIT */
/*
 * The functions that code made by filch/sort_template.h calls: two calls at once, scratch
 * memory, and sorting in place. Sorting in place is for elements of any size, where there
 * is no memory or the pivots were bad, and speed matters less.
 */
#include <assert.h>
#include <filch/for.h>
#include <filch/sort_template.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "algo/both.h"

/* Calls f for both parts. Unlike filch_both(), it does not enter a pool. */
void filch__sort_both(void (*f)(void *part), void *one, void *other)
{
	filch__both_inside((filch__function *)f, f, one, other);
}

/* Returns memory for n elements, or NULL. Large pages, if there are any, cost less at the
 * first touch, and fewer of them need to be looked up later. */
void *filch__sort_memory(size_t n, size_t size, size_t align)
{
	const size_t large = (size_t)2 << 20;
	size_t bytes = n * size;
	void *memory;

	assert(!size || n <= SIZE_MAX / size);
	if (bytes < 2 * large || bytes > SIZE_MAX - large)
		return align <= 16 ? malloc(bytes)
		                   : aligned_alloc(align, (bytes + align - 1) & -align);
	memory = aligned_alloc(large, (bytes + large - 1) & -large);
#ifdef MADV_HUGEPAGE
	if (memory)
		madvise(memory, bytes, MADV_HUGEPAGE);
#endif
	return memory;
}

void filch__sort_memory_free(void *memory)
{
	free(memory);
}

/* ---- in place ---- */

struct array {
	unsigned char *a;
	size_t n, size;
	int (*compare)(const void *a, const void *b, void *context);
	void *context;
};

static unsigned char *at(const struct array *v, size_t i)
{
	return v->a + i * v->size;
}

static bool less(const struct array *v, size_t i, size_t j)
{
	return v->compare(at(v, i), at(v, j), v->context) < 0;
}

static void swap(const struct array *v, size_t i, size_t j)
{
	unsigned char *x = at(v, i), *y = at(v, j), kept[64];

	for (size_t rest = v->size, n; rest; rest -= n, x += n, y += n) {
		n = rest < sizeof kept ? rest : sizeof kept;
		memcpy(kept, x, n);
		memcpy(x, y, n);
		memcpy(y, kept, n);
	}
}

/* Lets element i sink into the heap of the first n elements. */
static void sift(const struct array *v, size_t i, size_t n)
{
	for (size_t child; (child = 2 * i + 1) < n; i = child) {
		if (child + 1 < n && less(v, child, child + 1))
			child++;
		if (!less(v, i, child))
			return;
		swap(v, i, child);
	}
}

void filch__sort_heap(void *base, size_t n, size_t size,
                      int (*compare)(const void *a, const void *b, void *context),
                      void *context)
{
	struct array v = {base, n, size, compare, context};

	for (size_t i = n / 2; i-- > 0;)
		sift(&v, i, n);
	while (n > 1) {
		swap(&v, 0, --n);
		sift(&v, 0, n);
	}
}

/* ---- in place, and stable ---- */

static void reverse(const struct array *v, size_t begin, size_t end)
{
	while (begin + 1 < end)
		swap(v, begin++, --end);
}

/* Returns how many elements of [begin, end), which are sorted, belong before element x;
 * with `equal`, those that are equal to x are counted, too. */
static size_t rank(const struct array *v, size_t begin, size_t end, size_t x, bool equal)
{
	size_t low = begin;

	while (low < end) {
		size_t middle = low + (end - low) / 2;

		if (equal ? !less(v, x, middle) : less(v, middle, x))
			low = middle + 1;
		else
			end = middle;
	}
	return low - begin;
}

/* Two runs next to each other, of l and r elements, that are to be merged. */
struct runs {
	struct array v;
	size_t l, r;
};

/* Merges two runs in place. Divides the longer run in the middle and the other one where
 * that middle belongs, swaps the two inner parts, and merges the two runs that are then
 * on the left and the two on the right. */
static void merge(void *runs)
{
	struct runs *m = runs, other = *m;
	size_t l = m->l / 2, r = m->r / 2;

	if (!m->l || !m->r || !less(&m->v, m->l, m->l - 1))
		return;
	if (m->l + m->r == 2) {
		swap(&m->v, 0, 1);
		return;
	}
	if (m->l >= m->r)
		r = rank(&m->v, m->l, m->l + m->r, l, false);
	else
		l = rank(&m->v, 0, m->l, m->l + r, true);
	reverse(&m->v, l, m->l);
	reverse(&m->v, m->l, m->l + r);
	reverse(&m->v, l, m->l + r);
	assert(l + r && l + r < m->l + m->r); /* both halves are smaller */
	other.v.a = at(&m->v, l + r);
	other.l -= l;
	other.r -= r;
	m->l = l;
	m->r = r;
	filch__both_inside((filch__function *)m->v.compare, merge, m, &other);
}

/* Sorts by merging in place. */
static void merge_sort(void *array)
{
	struct array *v = array, left = *v, right = *v;

	if (v->n <= 8) {
		for (size_t i = 1; i < v->n; i++)
			for (size_t j = i; j && less(v, j, j - 1); j--)
				swap(v, j, j - 1);
		return;
	}
	left.n /= 2;
	right.a = at(v, left.n);
	right.n -= left.n;
	filch__both_inside((filch__function *)v->compare, merge_sort, &left, &right);
	merge(&(struct runs){*v, left.n, right.n});
}

void filch__sort_in_place(void *base, size_t n, size_t size,
                          int (*compare)(const void *a, const void *b, void *context),
                          void *context)
{
	struct array v = {base, n, size, compare, context};

	filch__enter_pool_as((filch__function *)compare, merge_sort, &v);
}
