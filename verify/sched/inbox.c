/* SPDX-License-Identifier: MIT */
/*
 * Two threads put into the inbox, two take, two at a time: each thing is taken once, with
 * what was written into it, and what one thread has put comes in that order.
 */
#include "sched/inbox.h"
#include "client.h"

struct item {
	struct filch__ready ready; /* first */
	uint32_t value;
	bool taken;
};

struct state {
	struct filch__inbox inbox;
	struct item item[3];
};

static struct state *s;

static void put(uint32_t i)
{
	s->item[i].value = i + 1;
	filch__inbox_put(&s->inbox, &s->item[i].ready);
}

static void take(void)
{
	struct filch__ready *r = filch__inbox_take(&s->inbox, 2);
	uint32_t last = 0;

	for (; r; r = r->next) {
		struct item *i = (struct item *)r;

		CHECK(i == &s->item[i->value - 1]);
		CHECK(!i->taken);
		i->taken = true;
		if (i->value != 3) {
			CHECK(i->value > last);
			if (last)
				COVER("two at once");
			last = i->value;
		}
	}
}

static void *putter(void *arg)
{
	put(0);
	put(1);
	return arg;
}

static void *taker(void *arg)
{
	take();
	take();
	return arg;
}

CLIENT("sched/inbox")
{
	client_thread t1, t2;

	s = &state;
	t1 = client_spawn("putter", putter, 0);
	t2 = client_spawn("taker", taker, 0);
	put(2);
	take();
	client_join(t1);
	client_join(t2);
	take();
	take();
	CHECK(filch__inbox_empty(&s->inbox));
	for (int i = 0; i < 3; i++)
		CHECK(s->item[i].taken);
}
