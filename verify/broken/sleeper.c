/* SPDX-License-Identifier: MIT */
/* fails: lost wake-up */
/*
 * The sleeper looks, and then sleeps on a word that the waker does not change.
 */
#include "base/futex.h"
#include "client.h"

struct state {
	_Atomic(int) x;
	_Atomic(uint32_t) sleeping;
};

static struct state *s;

static void *sleeper(void *arg)
{
	if (!load_sc(&s->x))
		filch__futex_wait(&s->sleeping, 0);
	return arg;
}

CLIENT("broken/sleeper")
{
	client_thread t;

	s = &state;
	atomic_init(&s->x, 0);
	atomic_init(&s->sleeping, 0);
	t = client_spawn("sleeper", sleeper, 0);
	store_sc(&s->x, 1);
	filch__futex_wake(&s->sleeping, 1);
	client_join(t);
}
