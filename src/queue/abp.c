/* SPDX-License-Identifier: MIT */
#include "queue/abp.h"

#include <errno.h>
#include <stdlib.h>

#include "queue/batch.h"

int filch_abp_init(struct filch_abp *q, const struct filch_queue_options *options)
{
	struct filch_queue_options o;
	int err = filch_queue_options_resolve(&o, options, NULL);

	if (err)
		return err;
	q->capacity = o.block_size * o.blocks;
	if (q->capacity > UINT32_MAX)
		return -EINVAL;
	q->entry = malloc(q->capacity * sizeof q->entry[0]);
	if (!q->entry)
		return -ENOMEM;
	for (uint64_t i = 0; i < q->capacity; i++)
		atomic_init(&q->entry[i], 0);
	atomic_init(&q->bottom, 0);
	atomic_init(&q->age, o.start << 32);
	return 0;
}

void filch_abp_destroy(struct filch_abp *q)
{
	free(q->entry);
}

/* The owner has lowered bottom to b and found b <= top: at most one entry is left, and
 * thieves may be about to take it. In either case the deque is empty afterwards and starts
 * over. */
FILCH_COLD enum filch_result filch__abp_get_last(struct filch_abp *q, uint64_t b,
                                                 uint64_t age)
{
	uint64_t fresh = ((age >> 32) + 1) << 32;
	bool last = b == filch__abp_top(age);

	store_rlx(&q->bottom, 0); /* published by age */
	/* A4 acquire: decides which thread takes the last entry; if a thief does, carries
	 * its read, before the next put writes there. A3 release: pairs with steal's load
	 * of age and carries bottom = 0, without which a thief would take old entries for
	 * new ones. */
	if (last && cas_acq_rel(&q->age, &age, fresh))
		return FILCH_OK;
	/* A3 release: as above. No thief can change age now, because bottom is not above
	 * top. */
	store_rel(&q->age, fresh);
	return FILCH_EMPTY;
}

enum filch_result filch_abp_steal(struct filch_abp_thief *t, filch_entry *e)
{
	struct filch_abp *q = t->q;
	/* A2 seq_cst, A3 acquire: pair with get's store of bottom, and with its reset. */
	uint64_t age = load_sc(&q->age);
	/* A1 acquire, A2 seq_cst: pair with the release in put and the store in get. */
	uint64_t bottom = load_sc(&q->bottom);

	if (bottom <= filch__abp_top(age))
		return FILCH_EMPTY;
	*e = load_rlx(&q->entry[filch__abp_top(age)]); /* void unless the CAS succeeds */
	/* A2 seq_cst, A4 release: decides which thread takes the entry, and carries the
	 * read above. */
	return cas_sc(&q->age, &age, age + 1) ? FILCH_OK : FILCH_RETRY;
}

enum filch_result filch_abp_steal_batch(struct filch_abp_thief *t, filch_entry *out,
                                        size_t max, size_t *n)
{
	size_t half = (filch_abp_size_hint(t->q) + 1) / 2;

	FILCH__STEAL_ONE_BY_ONE(filch_abp_steal, t, out, max < half ? max : half, n);
}

size_t filch_abp_size_hint(struct filch_abp *q)
{
	uint64_t b = load_rlx(&q->bottom);              /* hint */
	uint64_t t = filch__abp_top(load_rlx(&q->age)); /* hint */

	return b > t ? (size_t)(b - t) : 0;
}

bool filch_abp_sample(struct filch_abp_thief *t)
{
	uint64_t r = filch__random_next(&t->random) >> 32;

	return (r & (t->q->capacity - 1)) < filch_abp_size_hint(t->q);
}
