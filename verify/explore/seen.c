/* SPDX-License-Identifier: MIT */
#include "explore/seen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct state {
	uint64_t a, b; /* both 0: free */
};

static struct state *table;
static uint64_t size, count;

static bool put(struct state s)
{
	uint64_t at = s.a & (size - 1);

	while (table[at].a || table[at].b) {
		if (table[at].a == s.a && table[at].b == s.b)
			return false;
		at = (at + 1) & (size - 1);
	}
	table[at] = s;
	return true;
}

static void grow(void)
{
	struct state *old = table;
	uint64_t old_size = size;

	size = size ? size * 2 : 1 << 12;
	table = calloc(size, sizeof *table);
	if (!table) {
		fprintf(stderr, "explore: no memory for %llu states; set a bound\n",
		        (unsigned long long)size);
		exit(2);
	}
	for (uint64_t i = 0; i < old_size; i++)
		if (old[i].a || old[i].b)
			put(old[i]);
	free(old);
}

bool seen_add(uint64_t a, uint64_t b)
{
	if (count * 3 >= size * 2)
		grow();
	if (!put((struct state){a, b ? b : 1}))
		return false;
	count++;
	return true;
}

uint64_t seen_count(void)
{
	return count;
}

void seen_clear(void)
{
	if (table)
		memset(table, 0, size * sizeof *table);
	count = 0;
}
