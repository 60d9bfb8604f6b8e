/* SPDX-License-Identifier: MIT */
/*
 * A worker that has found nothing: it spins, asks, sweeps shelves, begs, sleeps
 * (README.md, "Sleeping").
 *
 * A spawn tells nobody. So while any worker is busy, one of the hungry ones, the beggar,
 * does not sleep for good. It naps for 40 us, and each time half a microsecond longer, and
 * glances at the busy workers: it asks where it sees an old task, and after every 32nd nap
 * in any case. While as many workers are busy as there are processors, it asks after these
 * naps only. A worker that becomes busy calls an idle one to beg if none does (P1). When no
 * worker is busy, the beggar still takes 32 naps before it sleeps, so that a pool that is
 * busy for short times does not pay for a call each time. Then all workers sleep, and an
 * idle pool uses no time.
 *
 * A worker that was called goes to its caller, and steals or asks there, before it looks
 * elsewhere (README.md, "Spreading").
 *
 * A worker that has been useful first lingers: it asks without a nap, since loops come one
 * after the other and waking up takes longer than many of them. For how long, 5 to 200 us,
 * follows from how soon it found something after the last times. It goes on as long as
 * loops ask for it (warm.h). A hungry worker also sweeps shelves (shelves.h).
 */
#ifndef FILCH_SCHED_IDLE_H
#define FILCH_SCHED_IDLE_H

#include "sched/seat.h"

#define FILCH__LINGER_NS 50000 /* how long it lingers at first */

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

/* Marks the worker as running strands, so that it can be asked, and calls another worker
 * if none begs or looks out; the second function takes the mark back. */
void filch__become_busy(struct filch__seat *me);
void filch__become_idle(struct filch__seat *me);

#endif
