/* SPDX-License-Identifier: MIT */
/* Sorts as many 64-bit integers as the size says; below 32 by insertion. Both the serial
 * and the parallel program have that cutoff. */
#include "bench/app/app.h"

#define CUTOFF 32

static void insertion_sort(int64_t *v, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		int64_t x = v[i];
		size_t j = i;

		for (; j > 0 && v[j - 1] > x; j--)
			v[j] = v[j - 1];
		v[j] = x;
	}
}

static int64_t median3(int64_t a, int64_t b, int64_t c)
{
	if (a > b) {
		int64_t swap = a;

		a = b;
		b = swap;
	}
	return c < a ? a : c > b ? b : c;
}

/* Hoare's: what is left of the returned index is at most the pivot, the rest at least. */
static size_t partition(int64_t *v, size_t n)
{
	int64_t pivot = median3(v[0], v[n / 2], v[n - 1]);
	int64_t *left = v, *right = v + n - 1;

	for (;; left++, right--) {
		int64_t swap;

		while (*left < pivot)
			left++;
		while (*right > pivot)
			right--;
		if (left >= right)
			return (size_t)(left - v);
		swap = *left;
		*left = *right;
		*right = swap;
	}
}

TASK_VOID(quicksort, (int64_t *, v), (size_t, n))
{
	if (n <= CUTOFF) {
		insertion_sort(v, n);
		return;
	}
	size_t middle = partition(v, n);

	SPAWN_VOID(left, quicksort, v, middle);
	CALL(quicksort, v + middle, n - middle);
	JOIN_VOID(left);
}

struct work {
	int64_t *v;
	size_t n;
};

static void *prepare(size_t size)
{
	struct work *w = (struct work *)app_alloc(sizeof *w);

	w->n = size;
	w->v = (int64_t *)app_alloc(size * sizeof *w->v);
	for (size_t i = 0; i < size; i++)
		w->v[i] = (int64_t)app_hash(i);
	return w;
}

static void run(void *work, const struct app_host *host)
{
	struct work *w = (struct work *)work;

	RUN_VOID(host, quicksort, w->v, w->n);
}

/* A word that depends on the order; 0 if that is wrong. */
static uint64_t finish(void *work)
{
	struct work *w = (struct work *)work;
	uint64_t answer = 1;

	for (size_t i = 0; i < w->n && answer; i++)
		answer = i && w->v[i - 1] > w->v[i]
		                 ? 0
		                 : app_hash(answer ^ (uint64_t)w->v[i]);
	free(w->v);
	free(w);
	return answer;
}

APP(quicksort);
