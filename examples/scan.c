/* SPDX-License-Identifier: MIT */
/* Where each line of a text begins: an exclusive scan over the lengths; and the highest
 * level so far: an inclusive scan with another operation than a sum. */
#include <filch.h>
#include <filch/scan.h>
#include <stdio.h>

static void add(void *left, const void *right, void *context)
{
	(void)context;
	*(size_t *)left += *(const size_t *)right;
}

static void higher(void *left, const void *right, void *context)
{
	int *l = left;
	const int *r = right;

	(void)context;
	if (*r > *l)
		*l = *r;
}

int main(void)
{
	enum { N = 8 };
	const size_t length[N] = {12, 0, 7, 80, 33, 1, 0, 5}, none = 0;
	const int level[N] = {3, 1, 4, 1, 5, 9, 2, 6}, lowest = -1;
	size_t start[N];
	int highest[N];

	if (filch_scan_exclusive(length, start, N, sizeof *length, &none, add, NULL) ||
	    filch_scan_inclusive(level, highest, N, sizeof *level, &lowest, higher, NULL))
		return 1;
	for (int i = 0; i < N; i++)
		printf("line %d begins at %zu; highest level so far %d\n", i, start[i],
		       highest[i]);
}
