/* SPDX-License-Identifier: MIT */
/*
 * Fibers for the client's threads. Each is made once; its body can be begun again from
 * wherever it stands, which is how an execution is abandoned.
 */
#ifndef VERIFY_EXPLORE_FIBER_H
#define VERIFY_EXPLORE_FIBER_H

#include <setjmp.h>
#include <ucontext.h>

struct fiber {
	jmp_buf at;      /* where it goes on */
	jmp_buf *origin; /* where its body begins */
	void (*body)(void *);
	void *arg;
	ucontext_t first;
	jmp_buf begin;
};

/* Makes a fiber that runs body(arg) when next switched to; body must not return. */
void fiber_make(struct fiber *f, void (*body)(void *), void *arg);

/* Lets it begin anew at the next switch to it. */
void fiber_rewind(struct fiber *f);

/* Leaves `from` (which need not be a made one) and goes on in `to`. */
void fiber_switch(struct fiber *from, struct fiber *to);

#endif
