/* SPDX-License-Identifier: MIT */
#include "sched/hold.h"

static void check_seat(struct filch__seat *s)
{
	struct filch__worker *w = &s->worker;

	assert(!w->active && !w->passage.left && !w->places.innermost);
	assert(!load_rlx(&s->busy) && !load_rlx(&w->offered)); /* nobody else is there */
	assert(!s->own.held_n); /* its set may still list deques that are empty */
	assert(!s->hunger.begging && !s->watch.watching);
	assert(s->calls.voice == FILCH__LOUD &&
	       !load_rlx(&s->calls.steered)); /* as above */
	assert(filch__shelf_empty(&w->shelf) && filch__list_empty(&w->shelf.strands));
	for (struct filch__deque *d = w->deques.all; d; d = d->next_all)
		assert(filch__deque_is_empty(d));
	(void)w;
}

void filch__seats_check(struct filch_pool *pool)
{
	for (uint32_t i = 0; i < pool->workers; i++)
		check_seat(&pool->seat[i]);
	/* The other list may have deques that are empty. */
	assert(filch__inbox_empty(&pool->aside[FILCH__SHALLOW]));
	filch__lot_check(&pool->lot);
	assert(!filch__tally_sum(&pool->busy) && !filch__tally_sum(&pool->searching));
	assert(!filch__pool_holds(pool));
	assert(!load_rlx(&pool->beggar) && !load_rlx(&pool->lookout)); /* as above */
}
