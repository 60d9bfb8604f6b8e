/* SPDX-License-Identifier: MIT */
#include "sched/victim.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *const policy_names[] = {
#define NAME(name, text) #name,
	FILCH_POLICIES(NAME)
#undef NAME
};

int filch__policy_find(const char *name)
{
	for (int i = 0; i < filch_policy_count; i++)
		if (!strcmp(policy_names[i], name))
			return i;
	return -1;
}

const char *filch__policy_name(enum filch_policy p)
{
	return policy_names[p];
}

/* How far the i-th of the other workers is. */
static unsigned distance(const struct filch__victims *v, const struct filch__topology *t,
                         size_t i)
{
	return t ? filch__topology_distance(t, v->self, (v->self + 1 + i) % v->count) : 0;
}

/* Sorts the other workers by distance, those equally far by their number after the
 * thief's, and notes where each ring ends. */
static void sort_by_distance(struct filch__victims *v, const struct filch__topology *t)
{
	size_t end[UINT8_MAX + 1] = {0}, n = v->count - 1, sum = 0;

	for (size_t i = 0; i < n; i++)
		end[distance(v, t, i)]++;
	for (size_t d = 0; d <= UINT8_MAX; d++) {
		size_t here = end[d];

		end[d] = sum; /* for now: where the ring begins */
		sum += here;
	}
	for (size_t i = 0; i < n; i++)
		v->near[end[distance(v, t, i)]++] = (v->self + 1 + i) % v->count;
	for (size_t d = 0, i = 0; d <= UINT8_MAX; d++)
		for (; i < end[d]; i++)
			v->ring[i] = end[d];
}

int filch__victims_init(struct filch__victims *v, enum filch_policy policy, size_t self,
                        size_t count, const struct filch__topology *topology,
                        filch__size_fn *size, void *pool, uint64_t seed)
{
	assert(count >= 2 && self < count);
	*v = (struct filch__victims){
		.policy = policy,
		.self = self,
		.count = count,
		.last = self,
		.random = filch__random_seed(seed),
		.size = size,
		.pool = pool,
	};
	v->near = malloc(2 * (count - 1) * sizeof *v->near);
	if (!v->near)
		return -ENOMEM;
	v->ring = v->near + (count - 1);
	sort_by_distance(v, topology);
	v->reach = v->ring[0];
	return 0;
}

void filch__victims_destroy(struct filch__victims *v)
{
	free(v->near);
}

static size_t any_of(struct filch__victims *v, size_t n)
{
	assert(n > 0 && n < v->count);
	return v->near[filch__random_below(&v->random, n)];
}

static size_t best_of(struct filch__victims *v, size_t tries)
{
	size_t best = any_of(v, v->count - 1), most = v->size(v->pool, best);

	while (--tries > 0) {
		size_t other = any_of(v, v->count - 1), n = v->size(v->pool, other);

		if (n > most) {
			best = other;
			most = n;
		}
	}
	return best;
}

size_t filch__victims_next(struct filch__victims *v)
{
	switch (v->policy) {
	case filch_policy_sequential:
		v->last = (v->last + 1) % v->count;
		if (v->last == v->self)
			v->last = (v->last + 1) % v->count;
		return v->last;
	case filch_policy_last:
		return v->last != v->self ? v->last : any_of(v, v->count - 1);
	case filch_policy_best_of_two:
		return best_of(v, 2);
	case filch_policy_best_of_many:
		return best_of(v, v->count < 4 ? 2 : v->count / 2);
	case filch_policy_nearest:
		return any_of(v, v->reach);
	default:
		return any_of(v, v->count - 1);
	}
}

void filch__victims_tell(struct filch__victims *v, size_t victim, bool stolen)
{
	assert(victim < v->count && victim != v->self);
	if (v->policy == filch_policy_last)
		v->last = stolen ? victim : v->self;
	if (v->policy == filch_policy_nearest)
		v->reach = stolen || v->reach == v->count - 1 ? v->ring[0]
		                                              : v->ring[v->reach];
}
