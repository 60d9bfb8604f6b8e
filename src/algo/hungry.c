/* SPDX-License-Identifier: MIT */
#include "algo/hungry.h"

#include "sched/call.h"

void filch__hungry_call(void)
{
	struct filch__worker *w = filch__worker_self();

	if (!w || !w->active)
		return;
	filch__enter(w);
	filch__call_beggar(w);
	filch__leave(w);
}
