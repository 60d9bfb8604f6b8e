/* SPDX-License-Identifier: MIT */
/*
 * A ring of events that is copied while its worker adds more than it holds: each event of the
 * copy is whole, they follow each other, and at rest the newest is there.
 */
#include "base/clock.h"
#include "client.h"

/* Time goes on by one with each event. */
static uint64_t tick(void);
#define filch__ticks tick
#include "trace/events.c"

struct state {
	struct filch__events ring;
	uint64_t ticks; /* the worker's */
};

#define ADDED 4

static void add(struct filch__events *r, uint64_t i)
{
	filch__events_add(r, FILCH__EVENT_TASK, filch__why_other, (int32_t)i,
	                  (const char *)(uintptr_t)i, i);
}

static void *worker(void *arg)
{
	struct state *s = arg;

	for (uint64_t i = 0; i < ADDED; i++)
		add(&s->ring, i);
	return arg;
}

static void check_copy(const struct filch__history *h)
{
	for (size_t i = 0; i < h->n; i++) {
		const struct filch__event *e = &h->event[i];

		CHECK(e->id == h->lost + i);
		CHECK((uintptr_t)e->name == e->id && (uint64_t)e->about == e->id);
		CHECK(e->ticks == e->id && e->kind == FILCH__EVENT_TASK);
	}
}

CLIENT("trace/copy")
{
	struct filch__history h;
	client_thread t;

	state.ring.size = 2;
	state.ring.slot = malloc(2 * sizeof *state.ring.slot);
	for (int i = 0; i < 8; i++) /* as the system hands out pages */
		atomic_init(&state.ring.slot[i / 4].word[i % 4], 0);
	t = client_spawn("worker", worker, &state);
	CHECK(!filch__events_copy(&state.ring, &h, UINT64_MAX));
	check_copy(&h);
	if (h.lost)
		COVER("some were overwritten");
	if (h.n && h.lost + h.n < ADDED)
		COVER("one was copied while others came");
	filch__history_free(&h);
	client_join(t);
	CHECK(!filch__events_copy(&state.ring, &h, UINT64_MAX));
	CHECK(h.n == 1 && h.event[0].id == ADDED - 1);
	filch__history_free(&h);
	free(state.ring.slot);
}

static uint64_t tick(void)
{
	return state.ticks++;
}
