/* SPDX-License-Identifier: MIT */
/*
 * Asking and answering: a hungry worker asks a busy one to expose private tasks, by a
 * signal (pthread_sigqueue(), whose value tells our own signals from others while no
 * question stands), or by a word that tells polling joins how far to shift a mark.
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
	_Atomic(uint64_t) after; /* not to be asked before this time; the worker writes */
};

/* How a worker answers. Only that worker uses this. */
struct filch__answers {
	int signal;         /* constant; 0: asked by the word that joins look at */
	uint32_t batch;     /* how many records to expose when asked */
	uint32_t barren;    /* how many answers in a row exposed nothing */
	uint64_t asked_at;  /* when it last answered */
	size_t gained;      /* how many records were exposed then */
	uint64_t hidden_at; /* how many records had been taken back by then */
};

/* Asks `victim`, which runs strands, to expose tasks. Returns false if an earlier
 * question is not answered yet, or if the victim is not to be asked now. */
bool filch__ask(struct filch__worker *w, struct filch__worker *victim);

/* Takes back the word that joins look at: the worker has found something, or gives up. */
void filch__ask_no_more(struct filch__worker *w);

/* Forgets a question to this worker, which has stopped running strands. Caller: that
 * worker. */
void filch__ask_forget(struct filch__worker *w);

/* Lets this worker be asked at once, however often it was asked in vain before. Caller:
 * that worker. */
void filch__ask_welcome(struct filch__worker *w);

/* Called in the child of a fork, where no worker asks. */
void filch__ask_after_fork(void);

/* Answers a question that came while the worker was inside, now that it leaves. */
void filch__answer_noted(struct filch__worker *w);

/* Answers a question that a join has seen. `w` may be NULL. */
void filch__answer_poll(struct filch__worker *w);

/* Installs the handler of *signal, or, if that is 0, of SIGURG or else of the first free
 * real-time signal, which *signal then is. SIGURG counts as taken also if the caller has
 * blocked it: the program may wait for it by a signalfd. A question that is under way
 * when a task becomes another program by execve() reaches that program without its
 * handler: SIGURG is ignored there, and a real-time signal would end it.
 * Errors: -EBUSY: the program handles the signal itself, or no signal is free. */
int filch__ask_open(int *signal);

#endif
