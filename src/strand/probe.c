/* SPDX-License-Identifier: MIT */
#include "strand/probe.h"

void filch__trace_run(struct filch__worker *w, const struct filch__strand *s)
{
	filch__events_add(w->events, FILCH__EVENT_RUN, filch__why_other, 0,
	                  filch__probe_strand(s), filch__probe_id(s));
}

void filch__trace_stop(struct filch__worker *w, const struct filch__strand *s,
                       struct filch__reason reason)
{
	/* The task of a strand that ends is done, and its library may be gone. */
	const char *name = reason.why == filch__why_ended ? NULL : filch__probe_strand(s);

	filch__events_add(w->events, FILCH__EVENT_STOP, reason.why, reason.fd, name,
	                  filch__probe_id(s));
}

void filch__trace_task(struct filch__worker *w, const struct filch__record *r)
{
	filch__events_add(w->events, FILCH__EVENT_TASK, filch__why_other, 0,
	                  filch__probe_name(filch__title(r)), 0);
}

void filch__trace_task_end(struct filch__worker *w)
{
	filch__events_add(w->events, FILCH__EVENT_TASK_END, filch__why_other, 0,
	                  filch__probe_strand(w->active), 0);
}

void filch__trace_steal(struct filch__worker *w, const struct filch__worker *victim,
                        bool strand)
{
	filch__events_add(w->events, strand ? FILCH__EVENT_MUG : FILCH__EVENT_STEAL,
	                  filch__why_other, (int32_t)victim->index, NULL, 0);
}

void filch__trace_other(struct filch__worker *w, enum filch__event_kind kind)
{
	filch__events_add(w->events, kind, filch__why_other, 0, NULL, 0);
}
