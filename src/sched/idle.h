/* SPDX-License-Identifier: MIT */
/*
 * A worker that has found nothing: it spins, asks, sweeps shelves, begs, sleeps
 * (README.md, "Sleeping").
 *
 * A spawn tells nobody. So while any worker is busy, one of the hungry ones, the beggar,
 * does not sleep for good. It naps, for 50 us at first and 2 ms at most, and asks again;
 * while as many workers are busy as there are processors, it asks after every 32nd nap
 * only. A worker that becomes busy calls an idle one to beg if none does (P1). When no
 * worker is busy, the beggar still takes 32 naps before it sleeps, so that a pool that is
 * busy for short times does not pay for a call each time. Then all workers sleep, and an
 * idle pool uses no time.
 *
 * A worker that was called goes to its caller, and steals or asks there, before it looks
 * elsewhere (README.md, "Spreading").
 *
 * A worker that has just done a job first lingers for 200 us: it asks without a nap,
 * since loops come one after the other and waking up takes longer than many of them. A
 * hungry worker also sweeps the shelves of busy ones, after 50 us and then less and less
 * often, up to 20 ms apart.
 */
#ifndef FILCH_SCHED_IDLE_H
#define FILCH_SCHED_IDLE_H

#include "sched/seat.h"

/* Returns true if the worker is to stop looking for work: `until` was woken, or, if that
 * is NULL, what its loan is for is done, or the pool stops. */
bool filch__is_over(struct filch__seat *me, struct filch__strand *until);

/* Sleeps until the worker is called, or for at most `ns` nanoseconds, and stays announced.
 * Returns whether it may sleep on: it was not called. A worker that has nothing on its own
 * stack lends its seat meanwhile, and has no role any more if it was lent. */
bool filch__doze(struct filch__seat *me, uint64_t ns);

/* Does the same, and then takes the announcement back. */
void filch__sleep(struct filch__seat *me, uint64_t ns);

/* Gives up the roles that the worker has. Caller: sees to it that others take them. */
void filch__leave_roles(struct filch__seat *me);

/* Waits until there is work. Returns true with a job, or false when filch__is_over() says
 * so. */
bool filch__wait_for_job(struct filch__seat *me, struct filch__strand *until,
                         struct filch__job *job);

/* Sweeps the worker's own shelf, and takes a job that this has exposed. */
bool filch__from_shelf(struct filch__seat *me, struct filch__job *job);

/* Marks the worker as running strands, so that it can be asked, and calls another worker
 * if none begs or looks out; the second function takes the mark back. */
void filch__become_busy(struct filch__seat *me);
void filch__become_idle(struct filch__seat *me);

#endif
