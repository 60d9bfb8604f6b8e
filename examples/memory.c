/* SPDX-License-Identifier: MIT */
/* A large table: its pages are touched by all workers first, so that they are spread over
 * the machine's memory, and then copied and cleared by all of them. */
#include <filch.h>
#include <stdio.h>
#include <stdlib.h>

#define BYTES ((size_t)64 << 20)

int main(void)
{
	unsigned char *table = malloc(BYTES), *copy = malloc(BYTES);

	if (!table || !copy) {
		fprintf(stderr, "no memory for the tables\n");
		free(copy);
		free(table);
		return 1;
	}
	filch_touch(table, BYTES);
	filch_fill(table, 'x', BYTES);
	filch_copy(copy, table, BYTES); /* its first touch, too */
	printf("%c%c%c\n", copy[0], copy[BYTES / 2], copy[BYTES - 1]);
	free(copy);
	free(table);
}
