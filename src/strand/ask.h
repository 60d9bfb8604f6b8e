/* SPDX-License-Identifier: MIT */
/*
 * Asking and answering. A hungry worker first tells all strands that it is (hunger.h): the
 * next join of one that spawns hears it, and exposes private tasks. Where no join comes,
 * because the worker is in a long leaf, it is asked by a signal (pthread_sigqueue(), whose
 * value tells our own signals from others while no question stands).
 *
 * To expose a task and to wake a worker for it costs more than a small task takes. So a join
 * that hears of hunger for the first time in a while does nothing yet; when 10 us have
 * passed, by the time of a later one, there is something worth sharing. Joins of records
 * that were spawned meanwhile come the later the larger their tasks are. And a thief whose
 * task was over at once keeps its victim from being asked again for a while
 * (sched/steal.c).
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
};

/* How a worker answers. Only that worker uses this. */
struct filch__answers {
	int signal;         /* constant; 0: it only hears, at its joins */
	uint32_t batch;     /* how many records to expose when asked */
	uint64_t asked_at;  /* when it last answered */
	size_t gained;      /* how many records were exposed then */
	uint64_t hidden_at; /* how many records had been taken back by then */
	uint64_t heard_at;  /* when a join last heard of hunger, in ticks */
	uint32_t hears;     /* how many did */
	bool open;          /* it has heard, and has not exposed anything yet */
};

/* Asks `victim`, which runs strands, to expose tasks. Returns false if an earlier
 * question is not answered yet, or if the victim is not to be asked now. */
bool filch__ask(struct filch__worker *w, struct filch__worker *victim);

/* Forgets a question to this worker, which has stopped running strands. Caller: that
 * worker. */
void filch__ask_forget(struct filch__worker *w);

/* A thief has found that a task of this worker was over at once: keeps the worker from
 * being asked for so long. */
void filch__ask_later(struct filch__worker *w, uint64_t ns);

/* Answers a question that came while the worker was inside, now that it leaves. */
void filch__answer_noted(struct filch__worker *w);

/* Hears that a worker was hungry a moment ago, and takes the word back. Exposes tasks if
 * it is time for that. Returns true if it is too early: then the caller should call this
 * again when it has run a task. `w` may be NULL, or run no strand. */
bool filch__hear(struct filch__worker *w);

/* The same for the calling thread, in the join of a task. */
bool filch__hear_self(void);

/* Installs the handler of *signal, or, if that is 0, of SIGURG or else of the first free
 * real-time signal, which *signal then is. SIGURG counts as taken also if the caller has
 * blocked it: the program may wait for it by a signalfd. A question that is under way
 * when a task becomes another program by execve() reaches that program without its
 * handler: SIGURG is ignored there, and a real-time signal would end it.
 * Errors: -EBUSY: the program handles the signal itself, or no signal is free. */
int filch__ask_open(int *signal);

#endif
