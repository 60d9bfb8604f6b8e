/* SPDX-License-Identifier: MIT */
/* Where each line of a text begins: an exclusive scan over the lengths; and the highest
 * level so far: an inclusive scan with another operation than a sum. */
#include <filch.h>
#include <filch/numbers.h>
#include <stdio.h>
#include <string.h>

static int higher(int a, int b)
{
	return a > b ? a : b;
}

#define FILCH_SCAN_NAME scan_highest
#define FILCH_SCAN_TYPE int
#define FILCH_SCAN_PLUS higher
#define FILCH_SCAN_ZERO 0
#include <filch/scan_template.h>

int main(void)
{
	enum { N = 8 };
	const uint64_t length[N] = {12, 0, 7, 80, 33, 1, 0, 5};
	const int level[N] = {3, 1, 4, 1, 5, 9, 2, 6};
	uint64_t start[N];
	int highest[N];
	int err = filch_scan_u64_exclusive(length, start, N);

	if (!err)
		err = scan_highest(level, highest, N);
	if (err) {
		fprintf(stderr, "no scan: %s\n", strerror(-err));
		return 1;
	}
	for (int i = 0; i < N; i++)
		printf("line %d begins at %d; highest level so far %d\n", i,
		       (int)start[i], highest[i]);
}
