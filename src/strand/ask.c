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
#define WORTH_US 4                 /* between two joins: there is something to share */
#define PHASE_US 200               /* ... but joins so far apart say nothing */
#define HEARS_MOST 6               /* joins that hear before the word is taken back */
#define LOST_NS (uint64_t)20000000 /* a question unanswered for this time is repeated */
#define LOST_MOST 5                /* the time doubles at most this often */

/* ---- asking ---- */

/* Our own signals carry the address of this, which tells them from other signals. */
static char cookie;

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

bool filch__ask(struct filch__worker *w, struct filch__worker *victim)
{
	struct filch__question *q = &victim->question;
	uint64_t now = filch__now_ns();

	assert(w != victim && w->pool == victim->pool && w->inside);
	if (now < load_rlx(&q->after)) /* a hint */
		return false;
	/* This is done even if the victim was asked before: a join may have taken the word
	 * back since, in another strand. */
	filch__hunger_show();
	if (!put_question(q, now))
		return false;
	FILCH__COUNT(w, asked, 1);
	if (!polls(w) &&
	    !filch__signal_send(load_rlx(&victim->address), /* a hint; see on_ask() */
	                        w->answers.signal, &cookie)) {
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

void filch__ask_later(struct filch__worker *w, uint64_t ns)
{
	store_rlx(&w->question.after, filch__now_ns() + ns); /* a hint */
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

/* Answers a question. Caller: the worker's own thread, inside or in the handler. */
static void answer(struct filch__worker *w, char *sp, bool handler)
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
		store_rlx(&w->question.after, now + BARREN_NS); /* a hint */
}

FILCH_NOINLINE void filch__answer_noted(struct filch__worker *w)
{
	while (w->noted && w->active) {
		w->noted = 0;
		filch__enter(w);
		answer(w, __builtin_frame_address(0), false);
		filch__signal_fence();
		w->inside = 0; /* not by filch__leave(), which would call this again */
		filch__signal_fence();
	}
}

/* Whether the tasks of this strand seem to be worth sharing: the time between two joins
 * that hear of hunger is that of the tasks which the second one joins, and older ones are
 * larger. */
static bool is_worth(struct filch__answers *a)
{
	uint64_t now = filch__ticks(), us = filch__ticks_per_us();
	uint64_t since = now - a->heard_at;

	a->heard_at = now;
	if (since > PHASE_US * us)
		a->hears = 0;
	return since >= WORTH_US * us && since <= PHASE_US * us;
}

FILCH_NOINLINE bool filch__hear(struct filch__worker *w)
{
	bool shown = filch__hunger_is_shown(), asked;

	if (!w || !w->active || (FILCH__TSAN && !polls(w))) { /* see worker.c */
		filch__hunger_hide();
		return false;
	}
	asked = load_rlx(&w->question.asked); /* a hint */
	if (!shown && !asked && !w->answers.open)
		return false;
	w->answers.open = !is_worth(&w->answers) && !asked;
	if (!w->answers.open || ++w->answers.hears >= HEARS_MOST)
		filch__hunger_hide(); /* what is spawned from here on is not heard */
	if (w->answers.open)
		return true;
	if (!asked && (filch__now_ns() < load_rlx(&w->question.after) || /* a hint */
	               !filch__anyone_hungry(w)))
		return false;
	filch__enter(w);
	answer(w, __builtin_frame_address(0), false);
	filch__leave(w);
	return false;
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

/* Whether a signal asks this worker. The kernel may have dropped the value, because too
 * many signals are pending, or have merged ours with another one: so any signal counts
 * while a question stands. An answer to nobody does no harm. */
static bool asks(struct filch__worker *w, const siginfo_t *info)
{
	return filch__signal_has(info, &cookie) ||
	       load_rlx(&w->question.asked); /* a hint */
}

static void on_ask(int signal, siginfo_t *info, void *context)
{
	struct filch__worker *w = filch__worker_self();
	int saved = errno;

	(void)signal;
	if (!w || !asks(w, info))
		return;
	if (w->inside || !w->active) {
		w->noted = 1;
	} else {
		/* Without the register all of the stack is searched: dead frames hold no
		 * live record. */
		char *sp = filch__signal_sp(context, w->active->lo);

		w->inside = 1;
		if (sp >= w->active->lo && sp < w->active->hi)
			answer(w, sp, true);
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
