/* SPDX-License-Identifier: MIT */
#include "sched/steal.h"

#include "sched/own.h"
#include "strand/probe.h"

#define TRIES_MOST 16 /* victims that are tried before the clock is looked at */

/* Returns about how much can be stolen from worker i, for the policies that compare. */
static size_t size_of(void *pool, size_t i)
{
	struct filch__seat *v = &((struct filch_pool *)pool)->seat[i];
	struct filch__deque *d = filch__offered(&v->worker);

	return (d ? filch__deque_size(d) : 0) + filch__own_size(&v->worker);
}

int filch__steal_init(struct filch__seat *me, enum filch_policy policy,
                      const struct filch__topology *topology)
{
	struct filch_pool *pool = me->worker.pool;
	uint32_t i = me->worker.index;

	me->theft.random = filch__random_seed((uint64_t)i * 7919 + 1);
	if (me->worker.alone)
		return 0;
	return filch__victims_init(&me->theft.victims, policy, i, pool->workers, topology,
	                           size_of, pool, (uint64_t)i + 1);
}

void filch__steal_destroy(struct filch__seat *me)
{
	if (!me->worker.alone)
		filch__victims_destroy(&me->theft.victims);
}

/* ---- one victim ---- */

enum filch_result filch__steal_deque(struct filch__seat *me, struct filch__deque *d,
                                     bool theirs, struct filch__job *job)
{
	struct filch_bwos_lifo_thief t =
		filch_bwos_lifo_thief(&d->q, filch__random_next(&me->theft.random));
	bool block = me->worker.pool->block_steal && filch__can_carry(me);
	filch_entry e[FILCH__BLOCK_STEAL];
	size_t n = 1;
	enum filch_result r;

	if (FILCH_UNLIKELY(me->worker.places.starved[FILCH__DEEP]))
		return FILCH_EMPTY; /* for this worker: it could not begin the task */
	r = block ? filch_bwos_lifo_steal_batch(&t, e, FILCH__BLOCK_STEAL, &n)
	          : filch_bwos_lifo_steal(&t, e);

	if (r != FILCH_OK) {
		if (r == FILCH_RETRY)
			FILCH__COUNT(&me->worker, lost, 1);
		else
			FILCH__COUNT(&me->worker, empty, 1);
		return r;
	}
	FILCH__COUNT(&me->worker, stolen, theirs ? n : 0);
	assert(n >= 1 && n <= FILCH__BLOCK_STEAL && !job->strand);
	job->record = (struct filch__record *)e[0];
	if (n > 1)
		filch__carry(me, e + 1, n - 1);
	return FILCH_OK;
}

/* Whether the dice let this thief try, in a pool that has them. */
static bool accepts(struct filch__seat *me, struct filch__deque *d)
{
	struct filch_bwos_lifo_thief t;

	if (FILCH_LIKELY(!me->worker.pool->probabilistic))
		return true;
	t = filch_bwos_lifo_thief(&d->q, filch__random_next(&me->theft.random));
	if (filch_bwos_lifo_sample(&t))
		return true;
	FILCH__COUNT(&me->worker, refused, 1);
	return false;
}

bool filch__steal_offered(struct filch__seat *me, struct filch__seat *v, bool sure,
                          struct filch__job *job)
{
	struct filch__deque *d = filch__offered(&v->worker);
	enum filch_result r;

	if (!d || (!sure && !accepts(me, d)))
		return false;
	do
		r = filch__steal_deque(me, d, true, job);
	while (sure && r == FILCH_RETRY);
	if (r != FILCH_OK)
		return false;
	job->victim = &v->worker;
	filch__probe_steal(&me->worker, &v->worker, job->strand);
	return true;
}

/* Returns RETRY if another worker was faster. Thieves that try again at once keep each
 * other, and the owner of the set, from taking anything. */
static enum filch_result steal_ready(struct filch__seat *me, struct filch__seat *v,
                                     struct filch__job *job)
{
	struct filch_runq_thief t =
		filch_runq_thief(&v->ready, filch__random_next(&me->theft.random));
	enum filch_result r;
	filch_entry e;

	if (!filch_runq_size_hint(&v->ready))
		return FILCH_EMPTY;
	while ((r = filch_runq_steal(&t, &e)) == FILCH_OK)
		if (filch__take_ready(me, (struct filch__ready *)e, true, job)) {
			filch__probe_steal(&me->worker, &v->worker, job->strand);
			break;
		}
	return r;
}

enum filch_result filch__steal_from(struct filch__seat *me, struct filch__seat *v,
                                    bool sure, struct filch__job *job)
{
	enum filch_result r;

	if (v == me)
		return FILCH_EMPTY;
	r = steal_ready(me, v, job);
	return r != FILCH_OK && filch__steal_offered(me, v, sure, job) ? FILCH_OK : r;
}

/* ---- several ---- */

bool filch__steal(struct filch__seat *me, struct filch__job *job)
{
	struct filch_pool *p = me->worker.pool;

	uint32_t tries = 2 * p->workers < TRIES_MOST ? 2 * p->workers : TRIES_MOST;

	for (uint32_t i = 0; !me->worker.alone && i < tries; i++) {
		size_t v = filch__victims_next(&me->theft.victims);
		bool found = filch__steal_from(me, &p->seat[v], false, job) == FILCH_OK;

		filch__victims_tell(&me->theft.victims, v, found);
		if (found)
			return true;
	}
	return false;
}

enum filch_result filch__search(struct filch__seat *me, struct filch__job *job)
{
	struct filch_pool *p = me->worker.pool;
	enum filch_result all = FILCH_EMPTY;

	if (filch__from_own(me, job))
		return FILCH_OK;
	for (uint32_t i = 1; i < p->workers; i++) {
		uint32_t v = (me->worker.index + i) % p->workers;
		enum filch_result r = filch__steal_from(me, &p->seat[v], true, job);

		if (r == FILCH_OK)
			return FILCH_OK;
		if (r == FILCH_RETRY)
			all = FILCH_RETRY;
		if (i % TRIES_MOST == 0 &&
		    filch__park_is_called(&p->lot, me->worker.index))
			break; /* another worker knows better */
	}
	return all;
}
