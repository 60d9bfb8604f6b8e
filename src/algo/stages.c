/* SPDX-License-Identifier: MIT */
/*
 * A carrier that comes to a serial stage before the item's turn parks the item there and
 * takes another one. A carrier that leaves the stage makes the next item ready for any
 * carrier, if that item is parked. So an item that waits costs a pointer, not a stack.
 */
#include "algo/stages.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include "algo/hungry.h"
#include "base/clock.h"
#include "wait/cancel.h"

/* Passes the serial stages in place of an item that a stage has ended early, so that the
 * item's number is not missing there. */
static char nothing;

static bool is_serial(const struct filch__stages *s, size_t stage)
{
	return s->stage[stage].kind == FILCH_SERIAL;
}

static bool is_stopped(const struct filch__stages *s)
{
	return load_rlx(&s->result); /* under the lock, or a hint */
}

static void drop(struct filch__stages *s, void *item)
{
	if (item && item != &nothing && s->drop)
		s->drop(item);
}

/* ---- memory ---- */

/* Returns memory for the serial stages and their rings, in one piece, or NULL. */
static struct filch__serial *get_memory(const struct filch__stages *s, size_t rings)
{
	size_t size = s->slots * sizeof(void *);

	if (__builtin_mul_overflow(size, rings, &size) ||
	    __builtin_add_overflow(size, s->stages * sizeof *s->serial, &size))
		return NULL;
	return calloc(1, size);
}

void filch__stages_open(struct filch__stages *s)
{
	size_t rings = 0;
	void **parked;

	assert(s->tokens && !s->serial);
	for (size_t i = 1; i < s->stages; i++)
		rings += is_serial(s, i);
	while (s->tokens > 1 && !s->serial) {
		for (s->slots = 1; s->slots < s->tokens;)
			s->slots *= 2;
		s->serial = get_memory(s, rings);
		if (!s->serial)
			s->tokens /= 2;
	}
	if (!s->serial)
		return;
	assert(s->slots >= s->tokens);
	parked = (void **)(s->serial + s->stages);
	for (size_t i = 1; i < s->stages; i++)
		if (is_serial(s, i)) {
			s->serial[i].parked = parked;
			parked += s->slots;
		}
}

void filch__stages_close(struct filch__stages *s)
{
	for (size_t i = 1; s->serial && i < s->stages; i++)
		for (size_t k = 0; is_serial(s, i) && k < s->slots; k++) {
			assert(!s->serial[i].parked[k] || is_stopped(s));
			drop(s, s->serial[i].parked[k]);
		}
	free(s->serial);
}

/* ---- under the lock ---- */

static void stop(struct filch__stages *s, int result)
{
	assert(result);
	if (!is_stopped(s))
		store_rlx(&s->result, result); /* under the lock */
}

bool filch__stages_are_over(const struct filch__stages *s)
{
	return is_stopped(s) || (s->ended && !s->under_way);
}

static bool may_begin(const struct filch__stages *s)
{
	return !s->busy && !s->ended && s->under_way < s->tokens;
}

bool filch__stages_have_work(const struct filch__stages *s)
{
	return !is_stopped(s) && (s->ready || may_begin(s));
}

/* Returns where the item of that number is parked at the stage. */
static void **slot(const struct filch__stages *s, size_t stage, uint64_t number)
{
	return &s->serial[stage].parked[number & (s->slots - 1)];
}

static void leave_serial(struct filch__stages *s, size_t stage)
{
	if (s->serial && *slot(s, stage, ++s->serial[stage].turn))
		s->ready++;
}

/* Returns true if the carrier's item may enter the stage that it has come to; otherwise
 * parks it. */
static bool enter_serial(struct filch__stages *s, struct filch__carrier *c)
{
	uint64_t turn;

	if (!s->serial || !is_serial(s, c->at))
		return true;
	turn = s->serial[c->at].turn;
	if (turn == c->number)
		return true;
	assert(turn < c->number && c->number - turn < s->slots);
	assert(!*slot(s, c->at, c->number));
	*slot(s, c->at, c->number) = c->item;
	return false;
}

static bool is_oldest(const struct filch__stages *s, const struct filch__carrier *c)
{
	return !s->serial || !s->last_serial ||
	       s->serial[s->last_serial].turn == c->number;
}

/* Takes the ready item that has come farthest, so that items that are begun get
 * finished. */
static void take_ready(struct filch__stages *s, struct filch__carrier *c)
{
	size_t i = s->last_serial;

	while (!is_serial(s, i) || !*slot(s, i, s->serial[i].turn))
		i--;
	assert(i);
	c->at = i;
	c->number = s->serial[i].turn;
	c->item = *slot(s, i, c->number);
	c->oldest = is_oldest(s, c);
	*slot(s, i, c->number) = NULL;
	s->ready--;
}

bool filch__stages_take(struct filch__stages *s, struct filch__carrier *c)
{
	if (s->ready) {
		take_ready(s, c);
		return true;
	}
	if (!may_begin(s))
		return false;
	s->busy = true;
	s->under_way++;
	c->at = 0;
	c->item = NULL;
	c->number = s->made++;
	assert(s->under_way <= s->tokens && s->made >= s->under_way);
	return true;
}

/* The carrier's item is through. */
static void release_token(struct filch__stages *s)
{
	assert(s->under_way);
	s->under_way--;
}

/* The carrier's item comes out of a stage. Returns true if it may enter the next one. */
static bool come_out(struct filch__stages *s, struct filch__carrier *c)
{
	if (!c->at) {
		assert(s->busy);
		s->busy = false;
		if (!c->item) {
			s->ended = true;
			release_token(s);
			return false;
		}
	} else if (is_serial(s, c->at)) {
		assert(!s->serial || s->serial[c->at].turn == c->number);
		leave_serial(s, c->at);
	}
	c->at++;
	if (c->at == s->stages || (c->item == &nothing && c->at > s->last_serial)) {
		release_token(s);
		return false;
	}
	c->oldest = is_oldest(s, c);
	return c->oldest || enter_serial(s, c);
}

void filch__stages_unlock(struct filch__stages *s)
{
	struct filch__wakeup wakeup;
	bool any = false;

	if (FILCH_UNLIKELY(!filch__list_empty(&s->idle.list))) {
		if (filch__stages_are_over(s)) {
			filch__wake_all(&s->idle);
			return;
		}
		any = filch__stages_have_work(s) && filch__ticks() >= s->quiet &&
		      filch__claim(filch__last_waiter(&s->idle), &wakeup);
	}
	filch__unlock(&s->idle.lock);
	if (any)
		filch__wakeup(&wakeup);
}

/* ---- carrying ---- */

/* Called after a stage has returned `result`. Returns true if the carrier has something
 * to do: its item enters the next stage, or it has taken another one. */
static bool go_on(struct filch__stages *s, struct filch__carrier *c, int result)
{
	bool any;

	filch__lock(&s->idle.lock);
	if (FILCH_UNLIKELY(result))
		stop(s, result);
	if (FILCH_UNLIKELY(is_stopped(s))) {
		filch__stages_unlock(s);
		if (result || c->at + 1 < s->stages) /* otherwise the item is through */
			drop(s, c->item);
		return false;
	}
	any = come_out(s, c) || filch__stages_take(s, c);
	filch__stages_unlock(s);
	return any;
}

/* True if the item may enter the next stage without the lock: no other carrier needs to
 * know. */
static bool is_open(const struct filch__stages *s, const struct filch__carrier *c)
{
	return !is_serial(s, c->at) && c->at + 1 < s->stages &&
	       (c->oldest || !is_serial(s, c->at + 1)) && !is_stopped(s);
}

void filch__stages_carry(struct filch__stages *s, struct filch__carrier *c)
{
	const struct filch_stage *stage;
	int result;

	for (;;) {
		filch__hungry_answer();
		assert(c->at < s->stages && (c->item || !c->at));
		stage = &s->stage[c->at];
		result = filch__group_cancelled(c->group) ? -ECANCELED : 0;
		if (!result && c->item != &nothing) {
			result = stage->run(&c->item, stage->context);
			if (c->at && !c->item)
				c->item = &nothing;
		}
		if (!result && is_open(s, c))
			c->at++;
		else if (!go_on(s, c, result))
			return;
	}
}
