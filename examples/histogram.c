/* SPDX-License-Identifier: MIT */
/* Throws two dice a million times, and draws how often each sum came up. */
#include <filch/histogram.h>
#include <stdio.h>
#include <string.h>

static int throws(size_t begin, size_t end, uint64_t *count, void *context)
{
	(void)context;
	for (size_t i = begin; i < end; i++) {
		uint64_t x = (i + 1) * 0x9e3779b97f4a7c15u; /* random enough */

		x = (x ^ x >> 32) * 0xd6e8feb86659fd93u;
		count[1 + (x >> 40) % 6 + 1 + (x >> 20) % 6]++;
	}
	return 0;
}

int main(void)
{
	uint64_t count[13] = {0}, all = 0;
	int err = filch_histogram(0, 1000000, count, 13, throws, NULL);

	if (err) {
		fprintf(stderr, "filch_histogram: %s\n", strerror(-err));
		return 1;
	}
	for (int sum = 2; sum <= 12; sum++) {
		printf("%2d ", sum);
		for (uint64_t i = 0; i < count[sum]; i += 5000)
			putchar('#');
		putchar('\n');
		all += count[sum];
	}
	printf("%llu throws\n", (unsigned long long)all);
}
