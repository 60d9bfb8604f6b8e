/* SPDX-License-Identifier: MIT */
/* Puts the open orders before the others, in place, and then works on these alone. */
#include <filch/filter.h>
#include <stdio.h>
#include <stdlib.h>

struct order {
	unsigned number, cents;
	bool open;
};

static bool is_open(const void *element, void *context)
{
	const struct order *o = element;

	(void)context;
	return o->open;
}

int main(void)
{
	size_t n = 1000000, open;
	struct order *order = malloc(n * sizeof *order);
	unsigned long long cents = 0;

	if (!order) {
		fprintf(stderr, "no memory for the orders\n");
		return 1;
	}
	for (unsigned i = 0; i < n; i++)
		order[i] = (struct order){i, i % 1000, i % 7 == 0};
	open = filch_partition(order, n, sizeof *order, is_open, NULL);
	for (size_t i = 0; i < open; i++)
		cents += order[i].cents;
	printf("%zu orders are open, %llu cents\n", open, cents);
	free(order);
}
