/* SPDX-License-Identifier: MIT */
/*
 * The kernel of the simulated machine: futexes, signals, threads, mutexes.
 */
#ifndef FILCH_SIM_KERNEL_H
#define FILCH_SIM_KERNEL_H

#include <signal.h>

#include "sim/engine.h"

/* One turn of a spin loop. */
void sim_pause(void);

/* Sleeps while *p is `expected`, for at most `ns` nanoseconds (UINT64_MAX: for ever). */
void sim_futex_wait(const uint32_t *p, uint32_t expected, uint64_t ns);
void sim_futex_wake(const uint32_t *p, int n);

struct sim_thread *sim_thread_start(void *(*fn)(void *), void *arg);
void sim_thread_join(struct sim_thread *t);

/* From now on the thread runs on these cores only. The caller moves at once; another
 * thread moves when it wakes up. Returns false if there is no memory. */
bool sim_bind(struct sim_thread *t, const cpu_set_t *may);

/* One handler for all signals; its context is the interrupted stack pointer. */
void sim_signal_take(void (*handler)(int signal, siginfo_t *info, void *context));
void sim_signal_send(struct sim_thread *t, int signal);

#endif
