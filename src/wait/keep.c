/* SPDX-License-Identifier: MIT */
#include "wait/keep.h"

#include "base/clock.h"
#include "strand/worker.h"
#include "wait/wait.h"

#define CALLS_MOST 64              /* that keep the worker, in a row */
#define YIELDS_MOST 1024           /* that expose nothing, in a row */
#define IN_PLACE_NS (FILCH_MS / 4) /* for others, if the strand cannot be left */

/* The strand's deque, if there is something in it, is listed by now. So the strand comes
 * behind it. */
static bool wake_at_once(void *arg, struct filch__strand *s)
{
	(void)arg;
	return filch__wake(s->pool, s);
}

/* A strand that runs in place has its worker do other work only while it waits. */
static void make_way(const struct filch__strand *s)
{
	if (s->stack)
		filch__suspend(wake_at_once, NULL, FILCH__BECAUSE(yield));
	else
		filch__wait(NULL, 0, filch__now_ns() + IN_PLACE_NS, false);
}

static struct filch__strand *active(void)
{
	struct filch__worker *w = filch__worker_self();

	return w ? w->active : NULL;
}

void filch__keep_worker(bool yields)
{
	struct filch__strand *s = active();

	if (!s)
		return;
	if (++s->kept == CALLS_MOST) {
		s->kept = 0;
		make_way(s);
	} else if (yields) {
		filch__yield();
	}
}

void filch__yield_worker(void)
{
	struct filch__strand *s = active();

	if (!s)
		return;
	if (++s->yields % YIELDS_MOST)
		filch__yield();
	else
		make_way(s);
}
