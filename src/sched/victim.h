/* SPDX-License-Identifier: MIT */
/*
 * The choice of a victim. A selector belongs to one thief and proposes victims, one at a
 * time; the thief reports how it went. Whether to accept a proposal with a probability
 * that follows the size of the victim's queue (BWoS, section 3.4) is up to the thief: it
 * asks the queue's sample().
 */
#ifndef FILCH_SCHED_VICTIM_H
#define FILCH_SCHED_VICTIM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/random.h"
#include "base/topology.h"

/* X(name, text) */
#define FILCH_POLICIES(X)                                               \
	X(random, "any other queue, each as likely")                    \
	X(sequential, "one after the other, beginning after oneself")   \
	X(last, "the one that last had something, else any")            \
	X(best_of_two, "the larger of two taken at random")             \
	X(best_of_many, "the largest of half of them, taken at random") \
	X(nearest, "at random among the nearest, farther after misses")

enum filch_policy {
#define FILCH__POLICY(name, text) filch_policy_##name,
	FILCH_POLICIES(FILCH__POLICY)
#undef FILCH__POLICY
		filch_policy_count,
};

/* Returns about how much can be stolen from victim i. */
typedef size_t filch__size_fn(void *pool, size_t i);

struct filch__victims {
	enum filch_policy policy;
	size_t self, count;
	size_t last;  /* the last victim with something; sequential: the last of all */
	size_t reach; /* policy nearest: how many of `near` may be proposed now */
	size_t *near; /* the other workers, nearest first */
	size_t *ring; /* ring[i]: how many are as near as near[i], or nearer */
	struct filch__random random;
	filch__size_fn *size;
	void *pool;
};

/* `count` is at least 2. `topology` is used by nearest only; NULL: all are equally far.
 * `size` is used by the best-of policies. Errors: -ENOMEM. */
int filch__victims_init(struct filch__victims *v, enum filch_policy policy, size_t self,
                        size_t count, const struct filch__topology *topology,
                        filch__size_fn *size, void *pool, uint64_t seed);
void filch__victims_destroy(struct filch__victims *v);

/* The next victim to try; never the thief itself. */
size_t filch__victims_next(struct filch__victims *v);

/* Reports whether something was stolen from `victim`. */
void filch__victims_tell(struct filch__victims *v, size_t victim, bool stolen);

/* Returns the policy of this name, or -1 if there is none. */
int filch__policy_find(const char *name);
const char *filch__policy_name(enum filch_policy p);

#endif
