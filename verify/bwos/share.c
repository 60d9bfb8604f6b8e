/* SPDX-License-Identifier: MIT */
/* kinds: bwos_lifo */
/*
 * What was put without asking for memory, and shared, is found by a thief, who is told
 * EMPTY only when the owner has got it back; and the owner gets the rest.
 */
#include "queue/frame.h"

static bool try_put(void)
{
	filch_entry e = s->next;

	s->next <<= 1;
	if (filch_bwos_lifo_try_put(filch_bwos_lifo_owner(&s->q), e) != FILCH_OK)
		return false;
	s->in |= e;
	return true;
}

CLIENT(TITLE("bwos/share"))
{
	static const struct filch_queue_options o = {2, 2, true, 0};

	begin(&state, &o);
	CHECK(try_put());
	filch_bwos_lifo_share(filch_bwos_lifo_owner(&s->q));
	start(steal_twice);
	CHECK(try_put());
	filch_bwos_lifo_share(filch_bwos_lifo_owner(&s->q));
	if (try_put()) /* thieves have had all of the block */
		COVER("room again");
	else
		COVER("full");
	filch_bwos_lifo_share(filch_bwos_lifo_owner(&s->q));
	STEP_ALL();
	get(1);
	wait_for_thieves();
	/* Nobody else is there now: all that is left can be stolen, once it is shared. */
	filch_bwos_lifo_share(filch_bwos_lifo_owner(&s->q));
	while (!filch_bwos_lifo_is_empty(filch_bwos_lifo_owner(&s->q)))
		CHECK(steal(scene()) == FILCH_OK);
	finish();
}
