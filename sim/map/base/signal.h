/* SPDX-License-Identifier: MIT */
/*
 * src/base/signal.h for code that is simulated: a signal interrupts a simulated thread
 * while it works, or at its next access.
 */
#ifndef FILCH_BASE_SIGNAL_H
#define FILCH_BASE_SIGNAL_H

#include <signal.h>

#include "base/thread.h"

typedef void filch__handler(int signal, siginfo_t *info, void *context);

static inline bool filch__signal_send(uint64_t address, int signal)
{
	sim_signal_send((struct sim_thread *)(uintptr_t)address, signal);
	return true;
}

static inline char *filch__signal_sp(void *context, char *otherwise)
{
	(void)otherwise;
	return context;
}

static inline bool filch__signal_take(int signal, filch__handler *handler)
{
	(void)signal;
	sim_signal_take(handler);
	return true;
}

static inline bool filch__signal_is_blocked(int signal)
{
	(void)signal;
	return false;
}

static inline void filch__signal_unblock(int signal)
{
	(void)signal;
}

static inline void filch__signal_block(int signal)
{
	(void)signal;
}

#define FILCH__HANDLER_STACK ((size_t)64 << 10)

static inline bool filch__signal_has_stack(void)
{
	return true;
}

static inline void *filch__signal_stack_open(size_t size)
{
	(void)size;
	return NULL;
}

static inline void filch__signal_stack_close(void *stack, size_t size)
{
	(void)stack;
	(void)size;
}

#endif
