/* SPDX-License-Identifier: MIT */
/*
 * Pipelines: the carriers that bring items through the stages (stages.c), as many as
 * there are hungry workers. A carrier waits only when there is nothing at all to do. See
 * README.md, "Pipelines".
 */
#include <filch/pipeline.h>

#include <assert.h>
#include <errno.h>
#include <filch/pool.h>
#include <filch/task.h>
#include <filch/time.h>

#include "algo/enter.h"
#include "algo/stages.h"
#include "base/clock.h"
#include "base/cpu.h"
#include "strand/worker.h"
#include "wait/cancel.h"
#include "wait/wait.h"

#define TOKENS_A_WORKER 4
#define TOKENS_MOST 65536

/* How long a carrier that has nothing to do looks for something before it stops. */
#define PATIENCE_US 20

/* A carrier that has worked for less than USEFUL_US since it was woken was woken in vain.
 * Then no carrier is woken for PAUSE_US. If it happens again, the pause is twice as long,
 * and so on. */
#define USEFUL_US 20
#define PAUSE_US 50
#define PAUSE_MOST_US 2000

/* ---- waiting for something to do, under the lock ---- */

/* True if the carrier need not wait: it has something to do, or everything is over. */
static bool is_settled(struct filch__stages *s, struct filch__carrier *c)
{
	return filch__stages_are_over(s) || filch__stages_take(s, c);
}

/* Looks now and then for a while, and returns true if the carrier no longer needs to
 * wait. Most likely another carrier is in the first stage, or will soon release a token;
 * if it had to wake this one for each item, that would cost it more than the item.
 * Releases the lock between looks. */
static bool linger(struct filch__stages *s, struct filch__carrier *c)
{
	uint64_t end = filch__ticks() + (s->one_worker ? 0 : PATIENCE_US * s->us);
	bool done = false;

	for (unsigned i = 1; !done && filch__ticks() < end; i++) {
		filch__unlock(&s->idle.lock);
		if (i % 16 == 0)
			filch_yield(); /* other strands may have something to do */
		for (unsigned n = 0; n < 8; n++)
			filch__relax();
		filch__lock(&s->idle.lock);
		done = is_settled(s, c);
	}
	return done;
}

/* Stops until the carrier is woken. If it was of little use since it was last woken, then
 * no carrier is woken for a while: waking a worker takes as long as several short items,
 * and on a shared processor takes that time away from the waker. The carrier then wakes
 * by itself, so that work that comes up in the meantime is not left undone. Releases the
 * lock while it waits. */
static void rest(struct filch__stages *s, struct filch__carrier *c)
{
	struct filch__waiter x = {.list = &s->idle, .reason = FILCH__BECAUSE(pipeline)};
	uint64_t deadline = FILCH_NEVER;

	if (c->worked >= USEFUL_US * s->us)
		s->pause = 0;
	else if (c->worked)
		s->pause = s->pause ? 2 * s->pause : PAUSE_US;
	if (s->pause > PAUSE_MOST_US)
		s->pause = PAUSE_MOST_US;
	if (c->worked && s->pause) {
		s->quiet = filch__ticks() + s->pause * s->us;
		deadline = filch__now_ns() + s->pause * 1000;
	}
	c->worked = 0;
	if (filch__wait(&x, 1, deadline, false) == -ETIMEDOUT)
		deadline = 0;
	filch__lock(&s->idle.lock);
	if (!deadline)
		s->quiet = 0;
}

/* Waits for something to do. Returns false if everything is over. Takes the lock
 * itself. */
static bool find(struct filch__stages *s, struct filch__carrier *c)
{
	bool any, done;

	filch__lock(&s->idle.lock);
	assert(!c->idle);
	done = is_settled(s, c);
	while (!done) {
		c->idle = true;
		done = linger(s, c);
		if (!done) {
			rest(s, c);
			done = is_settled(s, c);
		}
		c->idle = false;
	}
	any = !filch__stages_are_over(s);
	filch__stages_unlock(s);
	return any;
}

/* ---- carriers ---- */

/* Returns true if a strand that was spawned by the carrier `from` (NULL: by none) is to
 * become a carrier. It is not if `from` has nothing to do: `from` spawns another one when
 * it has. Nor does a carrier begin on a strand in place: that strand could not continue
 * before everything is over, and the item that the carrier waits for might be its own. */
static bool join_in(struct filch__stages *s, struct filch__carrier *from)
{
	bool wanted, in_place;

	in_place = from && !filch__worker_self()->active->stack;
	filch__lock(&s->idle.lock);
	wanted = !filch__stages_are_over(s) && s->carriers < s->tokens;
	if (wanted && (in_place || (from && from->idle && !filch__stages_have_work(s)))) {
		wanted = false;
		from->alone = true;
	}
	s->carriers += wanted;
	filch__unlock(&s->idle.lock);
	return wanted;
}

static struct filch_group *group_here(void)
{
	struct filch__strand *strand = filch__worker_self()->active;

	return filch__group_at(strand, &strand);
}

/* A carrier. It has spawned another one, for a hungry worker: so the youngest carrier has
 * a spawn to be stolen, or has nothing to do and will be woken, or there are as many
 * carriers as tokens. */
FILCH__DEFINE(FILCH__SHOWS_BEHIND, static, 0, void, attend, (struct filch__stages *, s),
              (struct filch__carrier *, from))
{
	FILCH_FRAME(attend) other;
	struct filch__carrier c = {.group = group_here()};

	if (!join_in(s, from))
		return;
	FILCH_SPAWN_AT(&other, attend, s, &c);
	while (find(s, &c)) {
		uint64_t start = filch__ticks();

		if (c.alone) {
			FILCH_JOIN_AT(&other, attend);
			c.alone = false;
			FILCH_SPAWN_AT(&other, attend, s, &c);
		}
		filch__stages_carry(s, &c);
		c.worked += filch__ticks() - start;
	}
	FILCH_JOIN_AT(&other, attend);
}

/* ---- the whole pipeline ---- */

/* Runs without a pool, where the caller is the only carrier. */
static void run_outside(struct filch__stages *s)
{
	struct filch__carrier c = {0};

	s->tokens = 1;
	if (find(s, &c))
		filch__stages_carry(s, &c);
}

static void run(void *stages)
{
	struct filch__stages *s = stages;
	size_t workers;

	if (!filch__inside()) {
		run_outside(s);
		return;
	}
	workers = filch_pool_workers(filch__worker_self()->pool);
	s->one_worker = workers == 1;
	s->us = filch__ticks_per_us();
	if (!s->tokens)
		s->tokens = TOKENS_A_WORKER * workers;
	if (s->tokens > TOKENS_MOST)
		s->tokens = TOKENS_MOST;
	filch__stages_open(s);
	FILCH_CALL(attend, s, NULL);
	assert(filch__stages_are_over(s) && !s->idle.list.last);
	filch__stages_close(s);
}

int filch_pipeline(const struct filch_stage *stage, size_t stages, size_t tokens,
                   void (*drop)(void *item))
{
	struct filch__stages s = {
		.stage = stage, .stages = stages, .tokens = tokens, .drop = drop};

	if (!stage || !stages || stage[0].kind != FILCH_SERIAL)
		return -EINVAL;
	for (size_t i = 0; i < stages; i++) {
		if (!stage[i].run ||
		    (stage[i].kind != FILCH_SERIAL && stage[i].kind != FILCH_PARALLEL))
			return -EINVAL;
		if (stage[i].kind == FILCH_SERIAL)
			s.last_serial = i;
	}
	s.shown = (filch__function *)stage[0].run;
	filch__enter_pool_as(s.shown, run, &s);
	return load_rlx(&s.result); /* the joins order it */
}
