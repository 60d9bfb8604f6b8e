/* SPDX-License-Identifier: MIT */
/*
 * Asking and answering: a hungry worker asks a busy one to expose private tasks, by a
 * signal or by a word that joins look at. See README.md, "Asking".
 */
#ifndef FILCH_STRAND_ASK_H
#define FILCH_STRAND_ASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/atomic.h"

struct filch__worker;

/* How a worker is asked: written by those who ask as well. */
struct filch__question {
	_Atomic(uint32_t) asked; /* it was asked, and has not answered */
	_Atomic(uint64_t) after; /* it is not to be asked before this time; it writes */
};

/* How a worker answers: its own. */
struct filch__answers {
	int signal;         /* constant; 0: it is asked by the word that joins look at */
	uint32_t batch;     /* how many records to expose when asked */
	uint32_t barren;    /* how often it exposed nothing, since it last did */
	uint64_t asked_at;  /* when it last was */
	size_t gained;      /* how many records were exposed then */
	uint64_t hidden_at; /* how many had been taken back by then */
};

/* Asks a worker that runs strands. False if it was asked before, or is not to be asked
 * now. */
bool filch__ask(struct filch__worker *w, struct filch__worker *victim);

/* The worker has found something, or gives up: no join need answer it. */
void filch__ask_no_more(struct filch__worker *w);

/* Forgets a question to this worker, which has stopped running strands. Caller: it. */
void filch__ask_forget(struct filch__worker *w);

/* However often it was asked in vain before, it may be asked at once. Caller: it. */
void filch__ask_welcome(struct filch__worker *w);

/* In the child of a fork: nobody asks. */
void filch__ask_after_fork(void);

/* Answers what was asked while the worker was inside, now that it leaves. */
void filch__answer_noted(struct filch__worker *w);

/* Answers a question that a join has seen. `w` may be NULL. */
void filch__answer_poll(struct filch__worker *w);

/* Installs the handler of `signal`, or of the first free real-time one when it is 0.
 * Errors: -EBUSY: the program handles it itself. */
int filch__ask_open(int *signal);

#endif
