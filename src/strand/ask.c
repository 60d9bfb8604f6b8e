/* SPDX-License-Identifier: MIT */
#include "strand/ask.h"

#include <errno.h>

#include "base/clock.h"
#include "base/signal.h"
#include "fiber/apart.h"
#include "strand/above.h"
#include "strand/expose.h"
#include "strand/hunger.h"
#include "strand/record.h"
#include "strand/worker.h"

#define BATCH_MOST 64
#define SOON_NS 100000             /* asked again within this time: expose more at once */
#define BARREN_NS (uint64_t)100000 /* pause after an answer in vain */
#define BARREN_JOIN_NS (uint64_t)5000
#define WORTH_MOST 4               /* thefts in vain until one in gain is forgotten */
#define SOON_AGAIN_NS 10000        /* the pause after a theft in vain until then */
#define PHASE_US 200               /* joins so far apart say nothing of each other */
#define HEARS_MOST 6               /* joins that hear before the word is taken back */
#define WAKE_US 40                 /* for tasks as old as this a worker is woken */
#define OLD_GAINS_NS 40000         /* a pause is so much shorter for old tasks */
#define LOST_NS (uint64_t)20000000 /* a question unanswered for this time is repeated */
#define LOST_MOST 5                /* the time doubles at most this often */

/* ---- asking ---- */

static bool polls(const struct filch__worker *w)
{
	return !w->answers.signal;
}

/* Returns whether the caller is to ask: no question stands, or one that was probably lost.
 * A program may ignore the signal for a moment, and a debugger may swallow it. */
static bool put_question(struct filch__question *q, uint64_t now)
{
	uint64_t asked = load_rlx(&q->asked); /* the CAS re-checks */
	uint32_t again = load_rlx(&q->again); /* a hint */

	if (asked && now < asked + (LOST_NS << again))
		return false;
	if (!cas_rlx(&q->asked, &asked, now)) /* one worker asks; no data */
		return false;
	if (asked && again < LOST_MOST)
		store_rlx(&q->again, again + 1); /* a hint */
	return true;
}

/* Takes the question to this worker back, so that it may be asked again. Caller: it. */
static void clear_question(struct filch__worker *w)
{
	store_rlx(&w->question.asked, 0); /* no data */
	store_rlx(&w->question.again, 0); /* a hint */
}

/* Whether something may be taken from a worker again. The pause after a theft in vain is
 * shorter for old tasks. */
static bool is_after(const struct filch__question *q, uint64_t now, bool for_old)
{
	return now + (for_old ? OLD_GAINS_NS : 0) >= load_rlx(&q->after); /* a hint */
}

bool filch__ask(struct filch__worker *w, struct filch__worker *victim, bool for_old)
{
	struct filch__question *q = &victim->question;
	uint64_t now = filch__now_ns();

	assert(w != victim && w->pool == victim->pool && w->inside);
	if (!is_after(q, now, for_old))
		return false;
	/* This is done even if the victim was asked before: a join may have taken the word
	 * back since, in another strand. */
	filch__hunger_show();
	if (!put_question(q, now))
		return false;
	FILCH__COUNT(w, asked, 1);
	if (!polls(w) &&
	    !filch__signal_send(load_rlx(&victim->address), /* a hint; see on_ask() */
	                        w->answers.signal)) {
		store_rlx(&q->asked, 0); /* no room for the signal: ask later */
		return false;
	}
	return true;
}

void filch__ask_forget(struct filch__worker *w)
{
	clear_question(w); /* there is nothing to expose here */
	w->noted = 0;
}

void filch__theft_gained(struct filch__worker *victim)
{
	if (load_rlx(&victim->question.worth) != WORTH_MOST)    /* a hint */
		store_rlx(&victim->question.worth, WORTH_MOST); /* a hint */
}

void filch__theft_in_vain(struct filch__worker *victim, uint64_t later_ns)
{
	uint32_t worth = load_rlx(&victim->question.worth); /* a hint */

	if (worth) {
		store_rlx(&victim->question.worth, worth - 1); /* a hint */
		later_ns = later_ns < SOON_AGAIN_NS ? later_ns : SOON_AGAIN_NS;
	}
	store_rlx(&victim->question.after, filch__now_ns() + later_ns); /* a hint */
}

/* ---- answering ---- */

/* Returns how many records to expose: more if the worker was asked just before, or if the
 * last ones were all taken back. The compiler decides which record of a frame lies
 * highest and so is exposed first, and that may be the one that is joined next. */
static uint32_t next_batch(struct filch__worker *w, uint64_t now)
{
	struct filch__answers *a = &w->answers;
	uint64_t hidden = load_rlx(&w->counters.hidden); /* own */
	bool in_vain = a->gained && hidden - a->hidden_at >= a->gained;

	a->hidden_at = hidden;
	if (now - a->asked_at > SOON_NS && !in_vain)
		return (uint32_t)filch__takers(w);
	return a->batch < BATCH_MOST / 2 ? a->batch * 2 : BATCH_MOST;
}

/* Answers a question, or, in a join, hunger that it has heard of. Caller: the worker's own
 * thread, inside or in the handler. */
static void answer(struct filch__worker *w, char *sp, bool handler, bool by_join)
{
	struct filch__answers *a = &w->answers;
	uint64_t now = filch__now_ns();

	assert(w->inside && w->active);
	clear_question(w);
	a->batch = next_batch(w, now);
	assert(a->batch >= 1 && a->batch <= BATCH_MOST);
	a->asked_at = now;
	a->gained = filch__expose(w, sp, a->batch, handler);
	if (a->gained)
		filch__call_for(w, a->gained);
	else /* a signal interrupts whatever the worker does: not again so soon */
		store_rlx(&w->question.after, /* a hint */
		          now + (by_join ? BARREN_JOIN_NS : BARREN_NS));
}

/* Whether a signal asks this worker: a question stands. If none does, a join has answered
 * it meanwhile, or the signal is not ours. Its value does not tell, since the kernel drops
 * values when too many signals are pending, and merges signals. */
static bool is_asked(struct filch__worker *w)
{
	return load_rlx(&w->question.asked); /* set before the signal was sent */
}

FILCH_NOINLINE void filch__answer_noted(struct filch__worker *w)
{
	while (w->noted && w->active) {
		w->noted = 0;
		filch__enter(w);
		if (is_asked(w)) /* else a join has answered it */
			answer(w, __builtin_frame_address(0), false, false);
		filch__signal_fence();
		w->inside = 0; /* not by filch__leave(), which would call this again */
		filch__signal_fence();
	}
}

void filch__hear_anew(struct filch__worker *w)
{
	w->answers.since = filch__ticks();
	w->answers.hearing = FILCH__HEARS_NOTHING;
	w->answers.asked_at = 0;
}

/* Whether thefts were worth while lately, and a worker is awake for another one. */
static bool is_warm(struct filch__worker *w)
{
	return load_rlx(&w->question.worth) && filch__anyone_searches(w); /* hints */
}

/* Begins a phase, or its second part. */
static void begin_part(struct filch__worker *w, enum filch__hearing part)
{
	w->answers.hearing = part;
	w->answers.hears = 0;
	w->answers.since = filch__ticks();
	filch__date_oldest(w);
}

/* Takes the word back, so that what is spawned from here on is not heard. */
static void end_word(struct filch__worker *w)
{
	filch__hunger_hide();
	begin_part(w, FILCH__HEARS_LATE);
}

/* A join has heard, in the first part of a phase if `first`. Returns true if it is too early
 * to tell whether there is something to give. */
static bool is_early(struct filch__worker *w, bool first, uint64_t since)
{
	if (since >= FILCH__OLD_US * filch__ticks_per_us())
		return false;
	if (first && ++w->answers.hears >= HEARS_MOST)
		end_word(w);
	return true;
}

/* Ends the phase, and gives what there is. */
static void give(struct filch__worker *w)
{
	filch__hunger_hide();
	w->answers.hearing = FILCH__HEARS_NOTHING;
	w->answers.since = filch__ticks();
	answer(w, __builtin_frame_address(0), false, true);
}

/* Whether a worker that is awake may take something. */
static bool has_taker(struct filch__worker *w)
{
	return filch__anyone_searches(w) &&
	       is_after(&w->question, filch__now_ns(), true); /* hints */
}

/* Gives what is old, or what lies so deep that it cannot be dated. The worker wakes another
 * one only when so much time has passed that there will be something to do for it. */
static void give_old(struct filch__worker *w, bool first, uint64_t since)
{
	bool late = since >= WAKE_US * filch__ticks_per_us();

	if ((late ? filch__anyone_hungry(w) : has_taker(w)) &&
	    filch__oldest(w) != FILCH__SEES_TASK) {
		give(w);
		return;
	}
	if (first)
		end_word(w);
	if (late && !filch__anyone_searches(w))
		filch__call_beggar(w);
}

/* Whether the task that was dated in an earlier phase is still hidden: tasks are so large
 * that joins come seldom. */
static bool is_still_there(struct filch__worker *w)
{
	return w->answers.hearing != FILCH__HEARS_NOTHING &&
	       filch__oldest(w) == FILCH__SEES_OLD;
}

/* Caller: inside. */
static bool hear(struct filch__worker *w, bool shown)
{
	struct filch__answers *a = &w->answers;
	uint64_t since = filch__ticks() - a->since;
	bool recent = since < PHASE_US * filch__ticks_per_us();
	bool first = a->hearing == FILCH__HEARS && recent;

	if (load_rlx(&w->question.asked) || (shown && is_warm(w))) { /* hints */
		give(w);
	} else if (shown && !first && (recent || !is_still_there(w))) {
		begin_part(w, FILCH__HEARS);
		return true;
	} else if (a->hearing != FILCH__HEARS_NOTHING) {
		if (is_early(w, first, since))
			return true;
		give_old(w, first, since);
	}
	return false;
}

FILCH_NOINLINE bool filch__hear(struct filch__worker *w)
{
	bool shown = filch__hunger_is_shown(), again;

	if (!w || !w->active || (FILCH__TSAN && !polls(w))) { /* see worker.c */
		filch__hunger_hide();
		return false;
	}
	filch__enter(w);
	again = hear(w, shown);
	filch__leave(w);
	return again;
}

FILCH_NOINLINE void filch__give(struct filch__worker *w)
{
	if (!w || !w->active || (FILCH__TSAN && !polls(w)) || /* see worker.c */
	    !filch__anyone_searches(w))
		return;
	filch__enter(w);
	answer(w, __builtin_frame_address(0), false, true);
	filch__leave(w);
}

FILCH_NOINLINE bool filch__hear_self(void)
{
	bool again;

	if (!filch__listens_self())
		return false;
	filch__apart_aside();
	again = filch__hear(filch__worker_self());
	filch__apart_back();
	return again;
}

/* ---- the signal ---- */

static void on_ask(int signal, siginfo_t *info, void *context)
{
	struct filch__worker *w = filch__worker_self();
	int saved = errno;

	(void)signal;
	(void)info;
	if (!w || !is_asked(w))
		return;
	if (w->inside || !w->active) {
		w->noted = 1;
	} else {
		/* Without the register all of the stack is searched: dead frames hold no
		 * live record. */
		char *sp = filch__signal_sp(context, w->active->lo);

		w->inside = 1;
		if (sp >= w->active->lo && sp < w->active->hi)
			answer(w, sp, true, false);
		else
			clear_question(w); /* on another stack: ask again */
		w->inside = 0;
	}
	errno = saved;
}

int filch__ask_open(int *signal)
{
	if (*signal)
		return filch__signal_take(*signal, on_ask) ? 0 : -EBUSY;
	if (!filch__signal_is_blocked(SIGURG) && filch__signal_take(SIGURG, on_ask)) {
		*signal = SIGURG;
		return 0;
	}
	for (int s = SIGRTMIN + 8; s <= SIGRTMAX; s++)
		if (filch__signal_take(s, on_ask)) {
			*signal = s;
			return 0;
		}
	return -EBUSY;
}
