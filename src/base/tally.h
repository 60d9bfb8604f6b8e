/* SPDX-License-Identifier: MIT */
/*
 * A tally: how many workers are in some state. A thousand workers that write one word
 * wait for each other. So the number is kept in parts, in lines apart, and each part
 * counts the workers of 32 successive numbers; it is the sum that means something. A pool
 * of up to 32 workers has one part. All accesses are relaxed; the protocols that need an
 * order have fences.
 */
#ifndef FILCH_BASE_TALLY_H
#define FILCH_BASE_TALLY_H

#include <assert.h>
#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/atomic.h"
#include "base/cpu.h"

#ifndef FILCH__TALLY_EACH
#define FILCH__TALLY_EACH 32u /* workers that a part counts */
#endif
#define FILCH__TALLY_PARTS 32u

struct filch__tally {
	struct {
		alignas(FILCH_LINE) _Atomic(uint32_t) n;
	} part[FILCH__TALLY_PARTS];
	uint32_t parts; /* constant */
};

static inline void filch__tally_init(struct filch__tally *t, uint32_t workers)
{
	t->parts = (workers + FILCH__TALLY_EACH - 1) / FILCH__TALLY_EACH;
	assert(t->parts >= 1 && t->parts <= FILCH__TALLY_PARTS);
	for (uint32_t i = 0; i < t->parts; i++)
		atomic_init(&t->part[i].n, 0);
}

static inline uint32_t filch__tally_part_of(const struct filch__tally *t, uint32_t worker)
{
	uint32_t i = worker / FILCH__TALLY_EACH;

	return i < t->parts ? i : 0; /* 0: for a thread outside */
}

static inline void filch__tally_add(struct filch__tally *t, uint32_t worker)
{
	add_rlx(&t->part[worker / FILCH__TALLY_EACH].n, 1); /* a count */
}

static inline void filch__tally_drop(struct filch__tally *t, uint32_t worker)
{
	add_rlx(&t->part[worker / FILCH__TALLY_EACH].n, UINT32_MAX); /* a count */
}

/* The number of this part. A part may be below 0 for a moment, which is not 0. */
static inline uint32_t filch__tally_in(struct filch__tally *t, uint32_t part)
{
	return load_rlx(&t->part[part].n); /* a hint, or ordered by the caller's fence */
}

/* Whether any worker is in that state in the part of this worker. */
static inline bool filch__tally_near(struct filch__tally *t, uint32_t worker)
{
	return filch__tally_in(t, filch__tally_part_of(t, worker));
}

/* Whether any worker is in that state. It looks into this worker's part first. */
static inline bool filch__tally_any(struct filch__tally *t, uint32_t worker)
{
	uint32_t first = filch__tally_part_of(t, worker);

	if (filch__tally_in(t, first))
		return true;
	for (uint32_t i = first + 1; i < t->parts; i++)
		if (filch__tally_in(t, i))
			return true;
	for (uint32_t i = 0; i < first; i++)
		if (filch__tally_in(t, i))
			return true;
	return false;
}

/* How many workers are in that state. */
static inline uint32_t filch__tally_sum(struct filch__tally *t)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < t->parts; i++)
		n += filch__tally_in(t, i);
	return n;
}

#endif
