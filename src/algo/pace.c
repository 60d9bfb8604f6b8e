/* SPDX-License-Identifier: MIT */
#include "algo/pace.h"

#include <assert.h>

#define DENSE_US 100 /* of calls, less an eighth of the time between them */

static _Thread_local struct {
	uint64_t end, credit; /* in ticks */
} stream;

bool filch__stream_is_dense(void)
{
	return stream.credit >= DENSE_US * filch__ticks_per_us();
}

void filch__stream_did(uint64_t start)
{
	uint64_t now = filch__ticks(), us = filch__ticks_per_us();
	uint64_t most = 2 * DENSE_US * us, lost = (start - stream.end) / 8;

	if (now - start < FILCH__SHARED_WARM_US * us)
		return; /* it would not have been shared */
	stream.credit = (stream.credit > lost ? stream.credit - lost : 0) + now - start;
	if (stream.credit > most)
		stream.credit = most;
	stream.end = now;
	if (filch__stream_is_dense())
		filch__want_warm();
}

void filch__pace_init(struct filch__pace *p, size_t grain, uint64_t least_us)
{
	assert(grain && least_us);
	store_rlx(&p->grain, grain);                            /* no other worker yet */
	store_rlx(&p->least, least_us * filch__ticks_per_us()); /* no other worker yet */
}

void filch__pace_learn(struct filch__pace *p, size_t n, uint64_t ticks)
{
	size_t grain = load_rlx(&p->grain);   /* any recent value will do */
	uint64_t least = load_rlx(&p->least); /* any recent value will do */
	size_t more = filch__pace_grow(n, ticks, least);

	assert(n && grain);
	if (ticks < least) {
		if (more > grain)
			store_rlx(&p->grain, more); /* a hint */
	} else if (ticks > 4 * least && n > 1 && n / 2 < grain) {
		store_rlx(&p->grain, n / 2); /* a hint */
	}
}
