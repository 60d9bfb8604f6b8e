/* SPDX-License-Identifier: MIT */
#include "algo/alone.h"

#include <assert.h>
#include <errno.h>
#include <filch/group.h>

#include "base/clock.h"

/* Pieces of this many iterations do not grow further: the iterations that follow may take
 * longer than those before. */
#define MOST 65536

void filch__alone_begin(struct filch__alone *a, size_t all, size_t n)
{
	uint64_t now = filch__ticks();

	assert(n);
	*a = (struct filch__alone){.n = n, .all = all, .start = now, .last = now};
}

void filch__alone_did(struct filch__alone *a, size_t n)
{
	uint64_t longest = FILCH__ALONE_PIECE_US * filch__ticks_per_us();
	uint64_t now = filch__ticks();

	assert(n && n <= a->n && n <= a->all - a->done);
	a->done += n;
	if (a->n < MOST)
		a->n = filch__pace_grow(a->n, now - a->last, longest);
	a->last = now;
}

size_t filch__alone(size_t begin, size_t end,
                    int (*piece)(size_t begin, size_t end, void *context), void *context,
                    size_t *n, int *result)
{
	struct filch__alone a;

	assert(begin <= end);
	*result = 0;
	filch__alone_begin(&a, end - begin, *n);
	while (filch__alone_goes_on(&a)) {
		size_t cut = end - begin > a.n ? begin + a.n : end;

		*result = filch_cancelled() ? -ECANCELED : piece(begin, cut, context);
		if (*result)
			return end;
		filch__alone_did(&a, cut - begin);
		begin = cut;
	}
	*n = a.n;
	return begin;
}
