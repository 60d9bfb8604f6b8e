/* SPDX-License-Identifier: MIT */
#include "sched/work.h"

#include "base/clock.h"
#include "fiber/apart.h"
#include "sched/call.h"
#include "sched/idle.h"
#include "sched/lookout.h"
#include "sched/own.h"
#include "sched/shelves.h"
#include "sched/steal.h"
#include "strand/probe.h"

#define GAIN_NS 4000        /* a task that takes this long was worth its theft */
#define LATER_NS 100000     /* the pause after another one, divided by the workers */
#define LATER_LEAST_NS 8000 /* ... is at least this long */

/* How long the victim of a theft in vain is left alone: two workers should take no longer
 * than one would. Many workers have no other way to find the rare task that is large. */
static uint64_t later_ns(const struct filch_pool *pool)
{
	uint64_t ns = LATER_NS / pool->workers;

	return ns > LATER_LEAST_NS ? ns : LATER_LEAST_NS;
}

/* Begins a task. A theft costs both sides some microseconds at times. If the task is over
 * at once, its victim is left alone for a while. */
static void begin(struct filch__seat *me, const struct filch__job *job)
{
	uint64_t start = job->victim ? filch__now_ns() : 0;

	filch__call_to_begin(me);
	filch__record_start(&me->worker, job->record, job->depth);
	if (job->victim && filch__now_ns() - start >= GAIN_NS)
		filch__theft_gained(job->victim);
	else if (job->victim)
		filch__theft_in_vain(job->victim, later_ns(me->worker.pool));
}

void filch__work(struct filch__seat *me, struct filch__strand *until)
{
	struct filch__worker *w = &me->worker;

	while (!filch__is_over(me, until)) {
		struct filch__job job = {0};

		filch__look(me);
		filch__places_look(w, &w->places);
		if (!filch__from_own(me, &job) && !filch__from_shelf(me, &job) &&
		    !filch__steal(me, &job) && !filch__wait_for_job(me, until, &job))
			break;
		assert(!job.strand != !job.record);
		filch__call_for_aside(me);
		filch__deque_ready(w); /* a sweep may have used the last one */
		filch__become_busy(me);
		filch__stir_own(me);
		if (job.strand) {
			filch__strand_run(w, job.strand);
		} else {
			begin(me, &job);
		}
	}
}

void filch__work_until(struct filch__worker *w, struct filch__strand *s)
{
	filch__work(filch__seat_of(w), s);
	filch__become_busy(filch__seat_of(w));
}

void filch__worker_main(struct filch__seat *me)
{
	struct filch__worker *w = &me->worker;

	assert(!filch__worker_self() && w->pool->seat[w->index].worker.pool == w->pool);
	filch__worker_be(w);
	w->inside = 1;
	filch__fiber_adopt(&w->passage.base);
	filch__apart_begin();
	filch__probe_idle(w, FILCH__EVENT_SEARCH);
	filch__work(me, NULL);
	filch__probe_idle(w, FILCH__EVENT_GONE);
	filch__become_idle(me);
	filch__apart_end();
	filch__fiber_destroy(&w->passage.base);
	filch__worker_be(NULL);
}
