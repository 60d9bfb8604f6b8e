/* SPDX-License-Identifier: MIT */
/*
 * Lending: a thread outside that waits for a task of the pool becomes a worker of it
 * meanwhile. So its task begins at once, on its own processor, and no thread is woken for
 * that; and no more threads run than the pool has workers.
 *
 *   struct filch__loan loan;
 *
 *   if (filch__borrow(pool, &loan, &done)) {    it is a worker from here on
 *     filch__loan_call(&loan, record);            begins this task
 *     filch__loan_work(&loan);                    does any work until `done` is nonzero
 *     filch__give_back(&loan);                  it is none from here on
 *   }
 *
 * The pool's seats are all taken by its own threads. A worker that has nothing to do and
 * sleeps on its parker lends its seat: its thread touches nothing of it and sleeps on,
 * while the thread outside uses the seat as its own, with everything that lies there
 * (edge P3). If no worker sleeps there, there is nothing to borrow, and the thread waits
 * as if there were no lending.
 *
 * A thread that gives the seat back announces the worker for its own thread, issues the
 * fence of an announcement (P1), and looks whether something is left that an idle worker
 * would have to see to: something ready, a timer without a lookout, a busy worker for
 * which nobody begs. Then it calls the worker. Otherwise that worker's thread does not
 * even learn that its seat was lent.
 *
 * A worker that becomes busy calls another one to beg. A loan is often over before that one
 * has found anything. So in a pool that lends, a worker that was called begs for a while all
 * the same, and the next loans need not call it.
 *
 * The thread outside stays what it is: its name, its signal mask and its affinity are its
 * own. It gets a stack for handlers, if it has none, since the stacks of strands have no
 * room for them; and it cannot be cancelled while it is a worker.
 */
#ifndef FILCH_SCHED_LEND_H
#define FILCH_SCHED_LEND_H

#include "base/thread.h"
#include "sched/seat.h"

/* Lies in the frame of the thread that borrows. */
struct filch__loan {
	struct filch__seat *seat;
	_Atomic(uint32_t) *until; /* nonzero: what the thread waits for is done */
	bool masked;              /* the thread blocks the signal that asks */
	int cancel;               /* pthread_setcancelstate() before it */
	unsigned long slack;      /* filch__thread_slack() before it, or 0: not changed */
	/* The seat's and the thread's own, kept meanwhile. */
	uint64_t address;
	char *lo, *hi;
	struct filch__fiber base;
	struct filch__exceptions exceptions;
};

/* Makes the calling thread a worker of the pool, if a seat is to be had. Caller: no worker
 * of any pool; has a hold of this one, or is its guest. */
bool filch__borrow(struct filch_pool *pool, struct filch__loan *loan,
                   _Atomic(uint32_t) *until);

/* Begins a strand for this record, and runs it until it stops. */
void filch__loan_call(struct filch__loan *loan, struct filch__record *r);

/* Does whatever there is to do for a worker, until the loan is over. */
void filch__loan_work(struct filch__loan *loan);

/* Makes the calling thread no worker again. */
void filch__give_back(struct filch__loan *loan);

/* Called before the worker sleeps: the kernel is to wake its thread as soon as one of the
 * pool's own. */
void filch__loan_sleeps(struct filch__loan *loan);

/* Whether the worker's thread may end before the pool does: it has borrowed the seat, and is
 * not the program's first thread. */
static inline bool filch__loan_may_end(struct filch__seat *me)
{
	uint64_t address = load_rlx(&me->worker.address); /* its own */

	return me->loan && address >> 32 != (uint32_t)address;
}

/* Called by each thread that may be a worker: has the process end with a message if the
 * thread exits as one. */
void filch__thread_guard(void);

#endif
