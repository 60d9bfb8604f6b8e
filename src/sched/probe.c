/* SPDX-License-Identifier: MIT */
#include "sched/probe.h"

FILCH_COLD void filch__trace_run(struct filch__worker *w, const struct filch__strand *s)
{
	filch__events_add(w->events, (struct filch__event){.kind = FILCH__EVENT_RUN,
	                                                   .name = filch__probe_name(s),
	                                                   .id = filch__probe_id(s)});
}

FILCH_COLD void filch__trace_stop(struct filch__worker *w, const struct filch__strand *s,
                                  struct filch__reason reason)
{
	filch__events_add(w->events, (struct filch__event){.kind = FILCH__EVENT_STOP,
	                                                   .name = filch__probe_name(s),
	                                                   .id = filch__probe_id(s),
	                                                   .why = (uint16_t)reason.why,
	                                                   .about = reason.fd});
}

FILCH_COLD void filch__trace_task(struct filch__worker *w, const struct filch__record *r)
{
	filch__events_add(w->events,
	                  (struct filch__event){.kind = FILCH__EVENT_TASK,
	                                        .name = filch__users_task(r)->name});
}

FILCH_COLD void filch__trace_steal(struct filch__worker *w,
                                   const struct filch__worker *victim,
                                   const struct filch__job *job)
{
	filch__events_add(w->events,
	                  (struct filch__event){.kind = job->strand ? FILCH__EVENT_MUG
	                                                            : FILCH__EVENT_STEAL,
	                                        .about = (int32_t)victim->index});
}

FILCH_COLD void filch__trace_other(struct filch__worker *w, enum filch__event_kind kind)
{
	filch__events_add(w->events, (struct filch__event){.kind = (uint16_t)kind});
}
