/* SPDX-License-Identifier: MIT */
/*
 * The switch by the C library, for processors that have no switch of their own in this
 * folder. It also saves the signal mask, which costs a system call.
 */
#ifndef FILCH_FIBER_SWITCH_UCONTEXT_H
#define FILCH_FIBER_SWITCH_UCONTEXT_H

#include <ucontext.h>

struct filch__context {
	ucontext_t at;
	void *sp; /* all frames of the fiber are above this */
	void (*fn)(void *);
	void *arg;
};

static inline void filch__context_switch(struct filch__context *from,
                                         struct filch__context *to)
{
	from->sp = __builtin_frame_address(0);
	swapcontext(&from->at, &to->at);
}

void filch__context_init(struct filch__context *c, void *lo, void *hi, void (*fn)(void *),
                         void *arg);

#endif
