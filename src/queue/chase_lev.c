/* SPDX-License-Identifier: MIT */
#include "queue/chase_lev.h"

#include <errno.h>
#include <stdlib.h>

#include "queue/batch.h"

static struct filch__cl_array *array_new(int64_t size, struct filch__cl_array *older)
{
	struct filch__cl_array *a = malloc(sizeof *a + (size_t)size * sizeof a->entry[0]);

	if (!a)
		return NULL;
	a->mask = size - 1;
	a->older = older;
	/* A thief with an old top may read an entry that was never put, and discard it. */
	for (int64_t i = 0; i < size; i++)
		atomic_init(&a->entry[i], 0);
	return a;
}

int filch_chase_lev_init(struct filch_chase_lev *q,
                         const struct filch_queue_options *options)
{
	struct filch_queue_options o;
	struct filch__cl_array *a;
	int err = filch_queue_options_resolve(&o, options, NULL);

	if (err)
		return err;
	a = array_new((int64_t)(o.block_size * o.blocks), NULL);
	if (!a)
		return -ENOMEM;
	atomic_init(&q->bottom, (int64_t)o.start);
	atomic_init(&q->top, (int64_t)o.start);
	atomic_init(&q->array, a);
	q->top_seen = (int64_t)o.start;
	q->fixed = o.fixed;
	return 0;
}

void filch_chase_lev_destroy(struct filch_chase_lev *q)
{
	struct filch__cl_array *a = load_rlx(&q->array); /* no other user */

	while (a) {
		struct filch__cl_array *older = a->older;

		free(a);
		a = older;
	}
}

/* Copies [top_seen, b) to an array of twice the size. The old array stays as it is, so a
 * thief that has a pointer to it reads the right entry, and its compare-and-swap on top
 * decides whether it has taken it. */
static bool grow(struct filch_chase_lev *q, int64_t b)
{
	struct filch__cl_array *old = load_rlx(&q->array); /* owner-only */
	struct filch__cl_array *a = array_new((old->mask + 1) * 2, old);

	if (!a)
		return false;
	for (int64_t i = q->top_seen; i != b; i = filch__cl_minus(i, -1)) {
		filch_entry e = load_rlx(&old->entry[i & old->mask]); /* owner wrote it */

		store_rlx(&a->entry[i & a->mask], e); /* published by the array */
	}
	/* C2 release: pairs with the acquires in steal and sample; carries the copied
	 * entries. */
	store_rel(&q->array, a);
	return true;
}

FILCH_COLD enum filch_result filch__chase_lev_put_slow(struct filch_chase_lev *q,
                                                       filch_entry e)
{
	int64_t b = load_rlx(&q->bottom); /* owner-only */

	/* C4 acquire: pairs with the release half of the thieves' compare-and-swap on
	 * top; carries their reads of the entries that this put overwrites. */
	q->top_seen = load_acq(&q->top);
	if (filch__cl_minus(b, q->top_seen) >
	            load_rlx(&q->array)->mask && /* owner-only */
	    (q->fixed || !grow(q, b)))
		return FILCH_FULL;
	return filch_chase_lev_put(filch_chase_lev_owner(q), e);
}

enum filch_result filch_chase_lev_steal(struct filch_chase_lev_thief *t, filch_entry *e)
{
	struct filch_chase_lev *q = t->q;
	/* C3 seq_cst, C5 acquire: store-buffering pair with get's store of bottom and
	 * load of top; pairs with the release in get. */
	int64_t top = load_sc(&q->top);
	/* C1 acquire, C3 seq_cst: pairs with the release in put and the store in get. */
	int64_t bottom = load_sc(&q->bottom);
	struct filch__cl_array *a;

	if (filch__cl_minus(bottom, top) <= 0)
		return FILCH_EMPTY;
	a = load_acq(&q->array); /* C2 acquire: pairs with the release in grow(). */
	*e = load_rlx(&a->entry[top & a->mask]); /* void unless the CAS succeeds */
	/* C3 seq_cst, C4 release: decides which thread takes the entry, and carries the
	 * read above. */
	return cas_sc(&q->top, &top, filch__cl_minus(top, -1)) ? FILCH_OK : FILCH_RETRY;
}

enum filch_result filch_chase_lev_steal_batch(struct filch_chase_lev_thief *t,
                                              filch_entry *out, size_t max, size_t *n)
{
	size_t half = (filch_chase_lev_size_hint(t->q) + 1) / 2;

	FILCH__STEAL_ONE_BY_ONE(filch_chase_lev_steal, t, out, max < half ? max : half,
	                        n);
}

size_t filch_chase_lev_size_hint(struct filch_chase_lev *q)
{
	int64_t n = filch__cl_minus(load_rlx(&q->bottom), load_rlx(&q->top)); /* hint */

	return n > 0 ? (size_t)n : 0;
}

bool filch_chase_lev_sample(struct filch_chase_lev_thief *t)
{
	/* C2 acquire: pairs with the release in grow(); carries the mask. */
	struct filch__cl_array *a = load_acq(&t->q->array);
	uint64_t r = filch__random_next(&t->random) >> 32;

	return (r & (uint64_t)a->mask) < filch_chase_lev_size_hint(t->q);
}
