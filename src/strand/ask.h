/* SPDX-License-Identifier: MIT */
/*
 * Asking and answering. A hungry worker first tells all strands that it is (hunger.h): the
 * next join of one that spawns hears it, and exposes private tasks. Where no join comes,
 * because the worker is in a long leaf, it is asked by a signal.
 *
 * To expose a task and to wake a worker for it costs more than a small task takes. How large
 * a hidden task is cannot be seen, but how long it has been hidden can: the tasks beside it
 * have taken that long, so it is old when 4 us have passed. Hearing goes in phases:
 * - The first join that hears only dates the oldest task: it gives it the mark of the other
 *   word, which no spawn writes now.
 * - Joins that follow within 4 us do nothing. After six of these the word is taken back, and
 *   the oldest task is dated again. From then on only joins of tasks that are older than
 *   that hear, and they come the later the larger their tasks are.
 * - A later join gives, if the oldest task still has the mark that it was given, and if a
 *   worker is awake to take it. For 40 us and more it also wakes one.
 * Where no task lies in the part of the stack that is looked at, the times alone decide. A
 * task that was dated in an earlier phase and is still hidden is old, however seldom joins
 * come.
 *
 * A thief whose task was over at once keeps its victim from being asked again for a while;
 * where the last one had something to do, the first join that hears gives at once
 * (sched/work.c).
 *
 * The handler runs on the thread that owns the strand, so it comes before or after the
 * one instruction of a join. While the thread is inside the runtime, the handler only
 * notes the question, and the thread answers it when it leaves. A signal can be lost,
 * since a program may ignore it for a moment: a question that stands for 20 ms is
 * repeated.
 */
#ifndef FILCH_STRAND_ASK_H
#define FILCH_STRAND_ASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/atomic.h"

struct filch__worker;

/* The question to a worker. The workers that ask write it as well. */
struct filch__question {
	_Atomic(uint64_t) asked; /* when the worker was asked; 0: it has answered */
	_Atomic(uint32_t) again; /* how often it was asked again, unanswered; a hint */
	_Atomic(uint64_t) after; /* no hunger is heard before this time; thieves write */
	_Atomic(uint32_t) worth; /* of the latest thefts; thieves write a hint */
};

/* Whether joins hear of hunger. A phase begins with the first one. */
enum filch__hearing {
	FILCH__HEARS_NOTHING,
	FILCH__HEARS,      /* the word is shown */
	FILCH__HEARS_LATE, /* it was taken back; joins of older records still hear it */
};

/* How a worker answers. Only that worker uses this. */
struct filch__answers {
	int signal;         /* constant; 0: it only hears, at its joins */
	uint32_t batch;     /* how many records to expose when asked */
	uint64_t asked_at;  /* when it last answered */
	size_t gained;      /* how many records were exposed then */
	uint64_t hidden_at; /* how many records had been taken back by then */
	enum filch__hearing hearing;
	uint32_t hears; /* how many joins have heard in it */
	uint64_t since; /* when this part of it began, in ticks */
};

/* Asks `victim`, which runs strands, to expose tasks. Returns false if an earlier
 * question is not answered yet, or if the victim is not to be asked now. `for_old`: it hides
 * an old task, so the pause after a theft in vain is shorter. */
bool filch__ask(struct filch__worker *w, struct filch__worker *victim, bool for_old);

/* Forgets a question to this worker, which has stopped running strands. Caller: that
 * worker. */
void filch__ask_forget(struct filch__worker *w);

/* A thief tells that a task of this worker was worth its theft, or that it was over at
 * once: if that is so again and again, the worker is not to be asked for so long. */
void filch__theft_gained(struct filch__worker *victim);
void filch__theft_in_vain(struct filch__worker *victim, uint64_t later_ns);

/* The worker begins with something that the times of its joins so far tell nothing about. */
void filch__hear_anew(struct filch__worker *w);

/* Answers a question that came while the worker was inside, now that it leaves. */
void filch__answer_noted(struct filch__worker *w);

/* Hears that a worker was hungry a moment ago, and takes the word back. Exposes tasks if
 * it is time for that. Returns true if it is too early: then the caller should call this
 * again when it has run a task. `w` may be NULL, or run no strand. */
bool filch__hear(struct filch__worker *w);

/* The same for the calling thread, in the join of a task. */
bool filch__hear_self(void);

/* Exposes tasks if a worker is awake that looks for some: whatever this worker hides is
 * worth a theft. Does nothing if `w` is NULL or runs no strand. */
void filch__give(struct filch__worker *w);

/* Installs the handler of *signal, or, if that is 0, of SIGURG or else of the first free
 * real-time signal, which *signal then is. SIGURG counts as taken also if the caller has
 * blocked it: the program may wait for it by a signalfd. A question that is under way
 * when a task becomes another program by execve() reaches that program without its
 * handler: SIGURG is ignored there, and a real-time signal would end it.
 * Errors: -EBUSY: the program handles the signal itself, or no signal is free. */
int filch__ask_open(int *signal);

#endif
