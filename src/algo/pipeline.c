/* SPDX-License-Identifier: MIT */
/*
 * Pipelines. Loops carry items from stage to stage, as many loops as there are hungry
 * workers. Who comes to a serial stage before its turn parks the item there and takes
 * another one; who leaves the stage makes the one parked next ready for any loop. So a
 * loop waits only when there is nothing at all to do, and an item that waits costs a
 * pointer, not a stack. See README.md, "Pipelines".
 *
 * Everything that loops share is under one lock, held a few instructions at a time.
 */
#define FILCH_ASK_POLL 1
#include <filch/pipeline.h>

#include <assert.h>
#include <errno.h>
#include <filch/group.h>
#include <filch/pool.h>
#include <filch/task.h>
#include <filch/time.h>
#include <stdlib.h>

#include "algo/enter.h"
#include "base/atomic.h"
#include "base/cpu.h"
#include "sched/cancel.h"
#include "sched/expose.h"
#include "sched/wait.h"

#define TOKENS_A_WORKER 4
#define TOKENS_MOST 65536
#define PATIENCE_US 20 /* how long to look before stopping */
#define USEFUL_US 20   /* who does not work for so long was woken in vain, and is not */
#define PAUSE_US 50    /* woken for this long; then twice that, and so on, up to */
#define PAUSE_MOST_US 2000

/* What a serial stage but the first keeps. Items pass in the order of their numbers. */
struct line {
	uint64_t turn; /* the number of the item that is in it, or comes next */
	void **parked; /* by number modulo slots; NULL: it has not come yet */
};

/* A place in the frame of a task that carries items. */
struct loop {
	void *item;
	uint64_t number;
	size_t at;  /* the stage that it is in, or comes to next */
	bool first; /* all before it have left all serial stages: it may enter any */
	struct filch_group *group; /* that may cancel it, or NULL */
	uint64_t worked;           /* ticks, since it last stopped */
	/* Under the lock: */
	bool idle;
	bool alone; /* the loop that it had spawned has gone again */
};

struct pipeline {
	const struct filch_stage *stage;
	size_t stages, last_serial;
	void (*drop)(void *item);
	size_t tokens, slots; /* slots: a power of 2, not less than tokens */
	struct line *line;    /* of each stage; NULL: one token, which never waits */
	uint64_t us;          /* ticks in a microsecond */
	bool one_worker;
	_Atomic(int) result; /* the first that is not zero; written under the lock */

	/* Those with nothing to do; its lock is that of all the rest. */
	alignas(FILCH_LINE) struct filch__waiters idle;
	size_t loops;
	size_t under_way; /* tokens in use */
	size_t ready;     /* stages whose turn is parked */
	uint64_t made;    /* items so far */
	bool busy;        /* somebody is in the first stage */
	bool ended;       /* which has no more */
	uint64_t pause;   /* us, see rest() */
	uint64_t quiet;   /* ticks: nobody is woken before this time */
};

/* What passes serial stages instead of an item that is done with: its number must not be
 * missing there. */
static char nothing;

static bool is_serial(const struct pipeline *p, size_t stage)
{
	return p->stage[stage].kind == FILCH_SERIAL;
}

/* ---- under the lock ---- */

static bool stopped(const struct pipeline *p)
{
	return load_rlx(&p->result); /* under the lock, or a hint */
}

static void stop(struct pipeline *p, int result)
{
	if (!stopped(p))
		store_rlx(&p->result, result); /* under the lock */
}

static bool is_over(const struct pipeline *p)
{
	return stopped(p) || (p->ended && !p->under_way);
}

static bool may_begin(const struct pipeline *p)
{
	return !p->busy && !p->ended && p->under_way < p->tokens;
}

static bool is_work(const struct pipeline *p)
{
	return !stopped(p) && (p->ready || may_begin(p));
}

static void **slot(const struct pipeline *p, size_t stage, uint64_t number)
{
	return &p->line[stage].parked[number & (p->slots - 1)];
}

static void leave_line(struct pipeline *p, size_t stage)
{
	if (p->line && *slot(p, stage, ++p->line[stage].turn))
		p->ready++;
}

/* Whether the loop's item may go into the stage that it has come to; else it parks. */
static bool enter_line(struct pipeline *p, struct loop *l)
{
	if (!p->line || !is_serial(p, l->at))
		return true;
	if (p->line[l->at].turn == l->number)
		return true;
	assert(!*slot(p, l->at, l->number));
	*slot(p, l->at, l->number) = l->item;
	return false;
}

static bool is_first(const struct pipeline *p, const struct loop *l)
{
	return !p->line || !p->last_serial || p->line[p->last_serial].turn == l->number;
}

/* The one that has come farthest: so that what is begun is finished. */
static void take_ready(struct pipeline *p, struct loop *l)
{
	size_t s = p->last_serial;

	while (!is_serial(p, s) || !*slot(p, s, p->line[s].turn))
		s--;
	assert(s);
	l->at = s;
	l->number = p->line[s].turn;
	l->item = *slot(p, s, l->number);
	l->first = is_first(p, l);
	*slot(p, s, l->number) = NULL;
	p->ready--;
}

/* Gives the loop something to do. False if there is nothing now. */
static bool take(struct pipeline *p, struct loop *l)
{
	if (p->ready) {
		take_ready(p, l);
		return true;
	}
	if (!may_begin(p))
		return false;
	p->busy = true;
	p->under_way++;
	l->at = 0;
	l->item = NULL;
	l->number = p->made++;
	return true;
}

/* The loop's item comes out of a stage. True if it may go on to the next one. */
static bool come_out(struct pipeline *p, struct loop *l)
{
	if (!l->at) {
		p->busy = false;
		if (!l->item) {
			p->ended = true;
			p->under_way--;
			return false;
		}
	} else if (is_serial(p, l->at)) {
		leave_line(p, l->at);
	}
	l->at++;
	if (l->at == p->stages || (l->item == &nothing && l->at > p->last_serial)) {
		p->under_way--;
		return false;
	}
	l->first = is_first(p, l);
	return l->first || enter_line(p, l);
}

/* Unlocks, and tells those who have nothing to do what has changed. */
static void unlock(struct pipeline *p)
{
	struct filch__wakeup wakeup;
	bool any = false;

	if (FILCH_UNLIKELY(p->idle.last != NULL)) {
		if (is_over(p)) {
			filch__wake_all(&p->idle);
			return;
		}
		any = is_work(p) && filch__ticks() >= p->quiet &&
		      filch__claim(p->idle.last, &wakeup);
	}
	filch__unlock(&p->idle.lock);
	if (any)
		filch__wakeup(&wakeup);
}

/* ---- a loop ---- */

static void discard(struct pipeline *p, struct loop *l)
{
	if (l->item && l->item != &nothing && p->drop)
		p->drop(l->item);
}

/* Between stages, or items. True if the loop has something to do. */
static bool go_on(struct pipeline *p, struct loop *l, int result)
{
	bool any;

	filch__lock(&p->idle.lock);
	if (FILCH_UNLIKELY(result))
		stop(p, result);
	if (FILCH_UNLIKELY(stopped(p))) {
		unlock(p);
		if (result || l->at + 1 < p->stages) /* else it is through */
			discard(p, l);
		return false;
	}
	any = come_out(p, l) || take(p, l);
	unlock(p);
	return any;
}

/* Whether from one stage into the next nobody else is concerned. */
static bool is_open(const struct pipeline *p, const struct loop *l)
{
	return !is_serial(p, l->at) && l->at + 1 < p->stages &&
	       (l->first || !is_serial(p, l->at + 1)) && !stopped(p);
}

/* Carries items until there is nothing to do. */
static void carry(struct pipeline *p, struct loop *l)
{
	const struct filch_stage *s;
	int result;

	for (;;) {
		filch__answer_polls();
		s = &p->stage[l->at];
		result = filch__group_cancelled(l->group) ? -ECANCELED : 0;
		if (!result && l->item != &nothing) {
			result = s->run(&l->item, s->context);
			if (l->at && !l->item)
				l->item = &nothing;
		}
		if (!result && is_open(p, l))
			l->at++;
		else if (!go_on(p, l, result))
			return;
	}
}

/* It is over, or the loop has something to do. */
static bool settled(struct pipeline *p, struct loop *l)
{
	return is_over(p) || take(p, l);
}

/* Looks now and then for a while. Most likely somebody is in the first stage, or soon
 * frees a token: to be woken for each item would cost them more than the item. The lock
 * is held before and after. */
static bool linger(struct pipeline *p, struct loop *l)
{
	uint64_t end = filch__ticks() + (p->one_worker ? 0 : PATIENCE_US * p->us);
	bool done = false;

	for (unsigned i = 1; !done && filch__ticks() < end; i++) {
		filch__unlock(&p->idle.lock);
		if (i % 16 == 0)
			filch_yield(); /* others may have something to do */
		for (unsigned n = 0; n < 8; n++)
			filch__relax();
		filch__lock(&p->idle.lock);
		done = settled(p, l);
	}
	return done;
}

/* Stops until it is woken. If it was of little use since it last was, then not too soon:
 * to wake somebody takes as long as several short items, and takes the processor away if
 * there is one for both. So that what comes up meanwhile is not left, it wakes itself. */
static void rest(struct pipeline *p, struct loop *l)
{
	struct filch__waiter x = {.list = &p->idle, .reason = FILCH__BECAUSE(pipeline)};
	uint64_t deadline = FILCH_NEVER;

	if (l->worked >= USEFUL_US * p->us)
		p->pause = 0;
	else if (l->worked)
		p->pause = p->pause ? 2 * p->pause : PAUSE_US;
	if (p->pause > PAUSE_MOST_US)
		p->pause = PAUSE_MOST_US;
	if (l->worked && p->pause) {
		p->quiet = filch__ticks() + p->pause * p->us;
		deadline = filch__now_ns() + p->pause * 1000;
	}
	l->worked = 0;
	if (filch__wait(&x, 1, deadline, false) == -ETIMEDOUT)
		deadline = 0;
	filch__lock(&p->idle.lock);
	if (!deadline)
		p->quiet = 0;
}

/* Waits for something to do. False if it is over. */
static bool find(struct pipeline *p, struct loop *l)
{
	bool any, done;

	filch__lock(&p->idle.lock);
	done = settled(p, l);
	while (!done) {
		l->idle = true;
		done = linger(p, l);
		if (!done) {
			rest(p, l);
			done = settled(p, l);
		}
		l->idle = false;
	}
	any = !is_over(p);
	unlock(p);
	return any;
}

/* Whether there is use for one more loop. Not beside one that has nothing to do, either:
 * that one spawns another when it has. Nor on a strand in place: it would not let what it
 * lies on go on before all is over, and that might be what it waits for. */
static bool join_in(struct pipeline *p, struct loop *from)
{
	bool wanted, in_place;

	in_place = from && !filch__worker_self()->active->stack;
	filch__lock(&p->idle.lock);
	wanted = !is_over(p) && p->loops < p->tokens;
	if (wanted && (in_place || (from && from->idle && !is_work(p)))) {
		wanted = false;
		from->alone = true;
	}
	p->loops += wanted;
	filch__unlock(&p->idle.lock);
	return wanted;
}

static struct filch_group *group_here(void)
{
	struct filch__strand *s = filch__worker_self()->active;

	return filch__group_at(s, &s);
}

/* Each loop has spawned one more, for whoever is hungry: the youngest of them is there to
 * be stolen, or has nothing to do and will be woken, or there are enough. */
FILCH_STATIC_TASK_VOID(attend, (struct pipeline *, p), (struct loop *, from))
{
	FILCH_FRAME(attend) other;
	struct loop l = {.group = group_here()};

	if (!join_in(p, from))
		return;
	FILCH_SPAWN_AT(&other, attend, p, &l);
	while (find(p, &l)) {
		uint64_t start = filch__ticks();

		if (l.alone) {
			FILCH_JOIN_AT(&other, attend);
			l.alone = false;
			FILCH_SPAWN_AT(&other, attend, p, &l);
		}
		carry(p, &l);
		l.worked += filch__ticks() - start;
	}
	FILCH_JOIN_AT(&other, attend);
}

/* ---- the whole ---- */

/* Memory for items to be parked, or fewer tokens, down to one, which needs none. */
static void get_lines(struct pipeline *p)
{
	size_t lines = 0, size;
	void **parked;

	for (size_t s = 1; s < p->stages; s++)
		lines += is_serial(p, s);
	for (; p->tokens > 1; p->tokens /= 2) {
		for (p->slots = 1; p->slots < p->tokens;)
			p->slots *= 2;
		size = p->slots * sizeof *parked;
		if (__builtin_mul_overflow(size, lines, &size) ||
		    __builtin_add_overflow(size, p->stages * sizeof *p->line, &size))
			continue;
		p->line = calloc(1, size);
		if (p->line)
			break;
	}
	if (!p->line)
		return;
	parked = (void **)(p->line + p->stages);
	for (size_t s = 1; s < p->stages; s++)
		if (is_serial(p, s)) {
			p->line[s].parked = parked;
			parked += p->slots;
		}
}

/* Those that nobody has in hands when it has ended early. */
static void drop_parked(struct pipeline *p)
{
	for (size_t s = 1; p->line && s < p->stages; s++)
		for (size_t i = 0; is_serial(p, s) && i < p->slots; i++) {
			void *item = p->line[s].parked[i];

			if (item && item != &nothing && p->drop)
				p->drop(item);
		}
}

static void run(void *arg)
{
	struct pipeline *p = arg;
	struct loop l = {0};
	size_t workers;

	if (!filch__inside()) { /* there is no pool */
		p->tokens = 1;
		if (find(p, &l))
			carry(p, &l);
		return;
	}
	workers = filch_pool_workers(filch__worker_self()->pool);
	p->one_worker = workers == 1;
	p->us = filch__ticks_per_us();
	if (!p->tokens)
		p->tokens = TOKENS_A_WORKER * workers;
	if (p->tokens > TOKENS_MOST)
		p->tokens = TOKENS_MOST;
	get_lines(p);
	FILCH_CALL(attend, p, NULL);
	if (stopped(p))
		drop_parked(p);
	free(p->line);
}

int filch_pipeline(const struct filch_stage *stage, size_t stages, size_t tokens,
                   void (*drop)(void *item))
{
	struct pipeline p = {
		.stage = stage, .stages = stages, .tokens = tokens, .drop = drop};

	if (!stage || !stages || stage[0].kind != FILCH_SERIAL)
		return -EINVAL;
	for (size_t s = 0; s < stages; s++) {
		if (!stage[s].run ||
		    (stage[s].kind != FILCH_SERIAL && stage[s].kind != FILCH_PARALLEL))
			return -EINVAL;
		if (stage[s].kind == FILCH_SERIAL)
			p.last_serial = s;
	}
	filch__enter_pool(run, &p);
	return load_rlx(&p.result); /* the joins order it */
}
