/* SPDX-License-Identifier: MIT */
/*
 * A select looks at all its channels with all their locks held, and waits in all of them.
 * A wait is claimed once, by one of the lists.
 */
#include <assert.h>

#include "base/clock.h"
#include "base/random.h"
#include "task/channel.h"
#include "task/sync.h"

#define MOST 64

/* The cases that have a channel, sorted by the channel's address. */
struct selection {
	uint32_t n;
	uint8_t at[MOST]; /* the index of the case */
	struct filch__waiter waiter[MOST];
};

_Static_assert(offsetof(struct filch_channel, waiters) == 0, "a list is cast to it");

static struct filch_channel *channel_of(const struct filch__waiter *x)
{
	return (struct filch_channel *)x->list;
}

static void insert(struct selection *s, const struct filch_case *c, size_t at)
{
	struct filch__waiters *list = &c->channel->waiters;
	uint32_t i = s->n++;

	assert(i < MOST);
	for (; i && (uintptr_t)s->waiter[i - 1].list > (uintptr_t)list; i--) {
		s->waiter[i] = s->waiter[i - 1];
		s->at[i] = s->at[i - 1];
	}
	s->waiter[i] = (struct filch__waiter){.list = list,
	                                      .data = c->value,
	                                      .kind = c->way,
	                                      .reason = FILCH__BECAUSE(select)};
	s->at[i] = (uint8_t)at;
}

/* Tries the cases in random order, and does the first one that can be done. Returns the
 * index of that case, or -EAGAIN if there is none. Caller: holds the locks. */
static int do_one(struct selection *s, struct filch_case *cases,
                  struct filch__partner *partner)
{
	struct filch__random random = filch__random_seed(filch__ticks());
	uint8_t order[MOST];

	for (uint32_t i = 0; i < s->n; i++)
		order[i] = (uint8_t)i;
	for (uint32_t left = s->n; left; left--) {
		uint32_t i = (uint32_t)filch__random_below(&random, left);
		struct filch__waiter *x = &s->waiter[order[i]];
		int at = s->at[order[i]];
		int result = filch__channel_do(channel_of(x), (enum filch_way)x->kind,
		                               x->data, partner);

		if (result != -EAGAIN) {
			cases[at].result = result;
			return at;
		}
		order[i] = order[left - 1];
	}
	return -EAGAIN;
}

/* Tries all cases. Returns -EAGAIN *with the locks held* if none can be done. */
static int look(struct selection *s, struct filch_case *cases, size_t n)
{
	struct filch__partner partner;
	int done;

	s->n = 0;
	for (size_t i = 0; i < n; i++)
		if (cases[i].channel)
			insert(s, &cases[i], i);
	partner.any = false;
	filch__lists_lock(s->waiter, s->n);
	done = do_one(s, cases, &partner);
	if (done == -EAGAIN)
		return done;
	filch__lists_unlock(s->waiter, s->n);
	if (partner.any)
		filch__wakeup(&partner.wakeup);
	return done;
}

static int wait_in_none(uint64_t deadline)
{
	int result;

	if (deadline == FILCH_NEVER)
		return -EDEADLK;
	result = filch_sleep_until(deadline);
	return result ? result : -ETIMEDOUT;
}

int filch_select_until(struct filch_case *cases, size_t n, uint64_t deadline)
{
	struct selection s;
	int done;

	if (n > MOST)
		return -EINVAL;
	done = look(&s, cases, n);
	if (done != -EAGAIN)
		return done;
	if (!s.n)
		return wait_in_none(deadline);
	done = filch__wait(s.waiter, s.n, deadline, true);
	if (done < 0)
		return done;
	assert((uint32_t)done < s.n && s.at[done] < n);
	cases[s.at[done]].result = filch__channel_result(&s.waiter[done]);
	return s.at[done];
}

int filch_select(struct filch_case *cases, size_t n)
{
	return filch_select_until(cases, n, FILCH_NEVER);
}

int filch_try_select(struct filch_case *cases, size_t n)
{
	struct selection s;
	int done;

	if (n > MOST)
		return -EINVAL;
	done = look(&s, cases, n);
	if (done == -EAGAIN)
		filch__lists_unlock(s.waiter, s.n);
	return done;
}
