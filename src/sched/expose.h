/* SPDX-License-Identifier: MIT */
/*
 * How private tasks become stealable: a hungry worker asks a busy one, by a signal or by
 * a word that joins look at, and that one looks through its strand's stack for records.
 * See src/sched/README.md, "Records".
 */
#ifndef FILCH_SCHED_EXPOSE_H
#define FILCH_SCHED_EXPOSE_H

#include "sched/worker.h"

/* Exposes up to `most` of the strand's private records, the oldest first. `sp`: where its
 * youngest frame ends. Returns how many thieves have gained. Caller: inside. Takes no
 * memory when `handler`. */
size_t filch__expose(struct filch__worker *w, struct filch__strand *s, char *sp,
                     size_t most, bool handler);

/* The same for tasks of groups only, all of them. Caller: about to stop the strand. */
void filch__expose_loose(struct filch__worker *w, struct filch__strand *s);

/* The same, when one was just spawned in a pool whose queue no handler can fill: nobody could
 * ask for it while its strand computes. Caller: inside. */
void filch__expose_spawned(struct filch__worker *w, struct filch__strand *s);

/* Exposes all that a strand hides that has stopped, and lists its deque. False if there was
 * nothing. Caller: in the scheduler, holds the strand. */
bool filch__expose_stopped(struct filch__worker *w, struct filch__strand *s);

/* Asks a busy worker to expose something. False if it was asked before, or is not busy. */
bool filch__ask(struct filch__worker *w, struct filch__worker *victim);

/* A worker has found something, or gives up: no join need answer it. */
void filch__ask_no_more(struct filch__worker *w);

/* In the child of a fork: nobody asks. */
void filch__ask_forget(void);

/* Answers whoever asked, on the worker's own thread. Caller: inside, or a handler. */
void filch__answer(struct filch__worker *w, char *sp, bool handler);

/* A join was told that somebody is hungry. */
void filch__answer_poll(struct filch__worker *w);

/* Installs the handler of `signal`, or of the first free real-time one when 0.
 * Errors: -EBUSY: the program handles it itself. */
int filch__signal_open(int *signal);

#endif
