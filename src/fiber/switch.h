/* SPDX-License-Identifier: MIT */
/*
 * Fibers: a stack, and the place where it resumes. See README.md.
 *
 *   struct filch__fiber self, other;
 *
 *   filch__fiber_adopt(&self);                    this thread's own stack
 *   filch__fiber_init(&other, lo, hi, fn, arg);
 *   filch__fiber_switch(&self, &other, false);    fn(arg) runs; the last thing it does
 *                                                 is a switch from other, with true
 *   filch__fiber_destroy(&other);
 *
 * A fiber that was stopped on one thread can resume on another. So nothing that is
 * thread-local may be kept across a switch, not even its address.
 */
#ifndef FILCH_FIBER_SWITCH_H
#define FILCH_FIBER_SWITCH_H

#include <stdbool.h>
#include <stddef.h>

#include "base/cpu.h"

/* 1: fibers switch by swapcontext(), where there is no other way, or as a test. */
#ifndef FILCH_UCONTEXT
#if defined(__x86_64__) || defined(__aarch64__)
#define FILCH_UCONTEXT 0
#else
#define FILCH_UCONTEXT 1
#endif
#endif

/* 1: each fiber has floating-point modes (rounding, exceptions, flush to zero) of its
 * own. 0: they belong to the thread. The README gives the cost of each. */
#ifndef FILCH_KEEP_FP
#define FILCH_KEEP_FP FILCH_UCONTEXT
#endif

#if defined(__SANITIZE_ADDRESS__)
#define FILCH__ASAN 1
#elif defined(__SANITIZE_THREAD__)
#define FILCH__TSAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FILCH__ASAN 1
#elif __has_feature(thread_sanitizer)
#define FILCH__TSAN 1
#endif
#endif
#ifndef FILCH__ASAN
#define FILCH__ASAN 0
#endif
#ifndef FILCH__TSAN
#define FILCH__TSAN 0
#endif
#define FILCH__FIBER_WATCHED (FILCH__ASAN || FILCH__TSAN)

#if FILCH_UCONTEXT
#include "fiber/switch_ucontext.h"
#elif defined(__x86_64__)
#include "fiber/switch_x86_64.h"
#else
#include "fiber/switch_aarch64.h"
#endif

#if FILCH__TSAN
/* A call that TSan takes for a thread of its own; in the frame that makes it. apart.c. */
struct filch__apart {
	void *fiber, *below;        /* TSan's handles: of the call, of its caller */
	struct filch__apart *outer; /* the call that this one was made in, or NULL */
	bool behind;                /* not ordered after its caller yet */
	bool aside;                 /* between filch__apart_aside() and _back() */
};

/* The innermost such call on this thread's present stack, or NULL. */
extern _Thread_local struct filch__apart *filch__apart_top;
#endif

struct filch__fiber {
	/* Where the fiber resumes; the thread that switches writes and reads it. */
	struct filch__context context;
#if FILCH__FIBER_WATCHED
	void (*fn)(void *);
	void *arg;
	void *lo; /* the stack, for ASan */
	size_t size;
	void *fake; /* ASan's other stack, while this fiber is stopped */
	void *tsan; /* TSan's handle of the fiber */
	bool adopted;
#endif
#if FILCH__TSAN
	void *stopped;              /* TSan's handle of what runs on the stack */
	struct filch__apart *apart; /* filch__apart_top, while this fiber is stopped */
#endif
};

/* Makes a fiber that calls fn(arg) on the stack [lo, hi) when it is first switched to.
 * fn never returns: the last thing it does is a switch with `ends`. */
void filch__fiber_init(struct filch__fiber *f, void *lo, void *hi, void (*fn)(void *),
                       void *arg);

/* Makes *f stand for the calling thread's own stack. */
void filch__fiber_adopt(struct filch__fiber *f);

/* Frees the memory that the sanitizers keep for the fiber. Caller: is not on this
 * fiber. */
void filch__fiber_destroy(struct filch__fiber *f);

void filch__fiber_switch_watched(struct filch__fiber *from, struct filch__fiber *to,
                                 bool ends);

/* Stops the running fiber `from` here, and resumes `to`. `ends` says that no thread will
 * ever switch to `from` again. */
static inline void filch__fiber_switch(struct filch__fiber *from, struct filch__fiber *to,
                                       bool ends)
{
#if FILCH__FIBER_WATCHED
	filch__fiber_switch_watched(from, to, ends);
#else
	(void)ends;
	filch__context_switch(&from->context, &to->context);
#endif
}

#endif
