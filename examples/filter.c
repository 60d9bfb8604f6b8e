/* SPDX-License-Identifier: MIT */
/* Keeps what passes a test, in order: here the numbers up to a million that are prime.
 * What is filtered need not be in memory at all. */
#include <errno.h>
#include <filch/filter.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_prime(unsigned x)
{
	for (unsigned d = 2; d * d <= x; d++)
		if (x % d == 0)
			return false;
	return x > 1;
}

static int primes(size_t begin, size_t end, void *out, size_t *kept, void *context)
{
	unsigned *o = out;

	(void)context;
	for (size_t i = begin; i < end; i++)
		if (is_prime((unsigned)i))
			*o++ = (unsigned)i;
	*kept = (size_t)(o - (unsigned *)out);
	return 0;
}

int main(void)
{
	size_t n = 1000000, kept = 0;
	unsigned *prime = malloc(n * sizeof *prime); /* room for all */
	int err = prime ? filch_filter(0, n, prime, sizeof *prime, &kept, primes, NULL)
	                : -ENOMEM;

	if (err) {
		fprintf(stderr, "filch_filter: %s\n", strerror(-err));
		free(prime);
		return 1;
	}
	printf("%zu primes below %zu, the last is %u\n", kept, n, prime[kept - 1]);
	free(prime);
}
