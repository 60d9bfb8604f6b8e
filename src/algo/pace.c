/* SPDX-License-Identifier: MIT */
#include "algo/pace.h"

#include <assert.h>

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
