/* SPDX-License-Identifier: MIT */
#include "algo/alone.h"

#include <errno.h>
#include <filch/group.h>

#include "algo/enter.h"

/* Larger pieces are not made larger still: what follows may take longer than what was. */
#define MOST 65536

static size_t more(size_t n, uint64_t took, uint64_t longest)
{
	if (took >= longest || n >= MOST)
		return n;
	return n * (took < longest / 16 ? 16 : took < longest / 4 ? 4 : 2);
}

size_t filch__alone(size_t begin, size_t end,
                    int (*piece)(size_t begin, size_t end, void *context), void *context,
                    size_t *n, int *result)
{
	uint64_t us = filch__ticks_per_us(), start = filch__ticks(), last = start, now;
	size_t first = begin;

	*result = 0;
	while (!*result && begin < end &&
	       !filch__is_worth(begin - first, end - first, last - start)) {
		size_t cut = end - begin > *n ? begin + *n : end;

		*result = filch_cancelled() ? -ECANCELED : piece(begin, cut, context);
		begin = cut;
		now = filch__ticks();
		*n = more(*n, now - last, FILCH__ALONE_PIECE_US * us);
		last = now;
	}
	return *result ? end : begin;
}
