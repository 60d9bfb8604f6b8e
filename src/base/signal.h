/* SPDX-License-Identifier: MIT */
/*
 * Signals from one thread of a pool to another, and the stacks that they are handled on.
 * The simulator has its own (sim/map).
 */
#ifndef FILCH_BASE_SIGNAL_H
#define FILCH_BASE_SIGNAL_H

#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/thread.h"

typedef void filch__handler(int signal, siginfo_t *info, void *context);

/* Sends the thread at this address (base/thread.h) a signal. Returns false if there is no
 * such thread, or if the kernel has no room for one more. */
static inline bool filch__signal_send(uint64_t address, int signal)
{
	return !syscall(SYS_tgkill, (pid_t)(address >> 32), (pid_t)(uint32_t)address,
	                signal);
}

/* Returns where the stack of the interrupted code ends, or `otherwise` on a processor
 * whose registers this function does not know. */
static inline char *filch__signal_sp(void *context, char *otherwise)
{
#if defined(__x86_64__)
	(void)otherwise;
	return (char *)((ucontext_t *)context)->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
	(void)otherwise;
	return (char *)((ucontext_t *)context)->uc_mcontext.sp;
#else
	(void)context;
	return otherwise;
#endif
}

/* Makes `handler` the signal's handler if the program has left the default one in place.
 * Returns true if it is the handler, now or already. */
static inline bool filch__signal_take(int signal, filch__handler *handler)
{
	struct sigaction old, ours = {.sa_sigaction = handler,
	                              .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};

	if (sigaction(signal, NULL, &old))
		return false;
	if (old.sa_sigaction == handler)
		return true;
	if (old.sa_handler != SIG_DFL)
		return false;
	sigemptyset(&ours.sa_mask);
	return !sigaction(signal, &ours, NULL);
}

/* Whether the calling thread blocks the signal. */
static inline bool filch__signal_is_blocked(int signal)
{
	sigset_t blocked;

	pthread_sigmask(SIG_BLOCK, NULL, &blocked);
	return sigismember(&blocked, signal);
}

static inline void filch__signal_unblock(int signal)
{
	sigset_t one;

	sigemptyset(&one);
	sigaddset(&one, signal);
	pthread_sigmask(SIG_UNBLOCK, &one, NULL);
}

static inline void filch__signal_block(int signal)
{
	sigset_t one;

	sigemptyset(&one);
	sigaddset(&one, signal);
	pthread_sigmask(SIG_BLOCK, &one, NULL);
}

#define FILCH__HANDLER_STACK ((size_t)64 << 10) /* bytes */

/* Whether the calling thread has a stack for handlers. */
static inline bool filch__signal_has_stack(void)
{
	stack_t s;

	return !sigaltstack(NULL, &s) && !(s.ss_flags & SS_DISABLE);
}

/* Gives the calling thread a stack of its own for handlers. Returns the stack, or NULL if
 * there is no memory for one. */
static inline void *filch__signal_stack_open(size_t size)
{
	stack_t s = {.ss_size = size};

	s.ss_sp = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
	               -1, 0);
	if (s.ss_sp == MAP_FAILED)
		return NULL;
	sigaltstack(&s, NULL);
	return s.ss_sp;
}

static inline void filch__signal_stack_close(void *stack, size_t size)
{
	stack_t none = {.ss_flags = SS_DISABLE};

	if (!stack)
		return;
	sigaltstack(&none, NULL);
	munmap(stack, size);
}

#endif
