/* SPDX-License-Identifier: MIT */
/*
 * Stealing: from the stealable sets and deques of other workers. Caller of all of these:
 * in the scheduler.
 */
#ifndef FILCH_SCHED_STEAL_H
#define FILCH_SCHED_STEAL_H

#include "sched/seat.h"

/* Errors: -ENOMEM. `topology` is for the policy nearest; NULL: all are equally far. */
int filch__steal_init(struct filch__seat *me, enum filch_policy policy,
                      const struct filch__topology *topology);
void filch__steal_destroy(struct filch__seat *me);

/* Tries a few victims, by the pool's policy. */
bool filch__steal(struct filch__seat *me, struct filch__job *job);

/* Looks everywhere, own work first: the last look before sleeping. Returns OK with a job,
 * or RETRY if it lost a race: then there may be more, and the worker must not sleep. */
enum filch_result filch__search(struct filch__seat *me, struct filch__job *job);

/* Steals from what worker v has ready or offers. Returns RETRY if it lost a race for what
 * is ready, and found nothing else. */
enum filch_result filch__steal_from(struct filch__seat *me, struct filch__seat *v,
                                    bool sure, struct filch__job *job);

/* Steals from what worker v offers. With `sure` the thief tries again after a lost race,
 * until it has something or knows that there is nothing. Without, it tries once, if the
 * dice of a probabilistic pool let it. */
bool filch__steal_offered(struct filch__seat *me, struct filch__seat *v, bool sure,
                          struct filch__job *job);

/* Steals from a deque that the caller has reached. `theirs`: another worker had it. */
enum filch_result filch__steal_deque(struct filch__seat *me, struct filch__deque *d,
                                     bool theirs, struct filch__job *job);

#endif
