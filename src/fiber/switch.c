/* SPDX-License-Identifier: MIT */
/*
 * The calls that tell sanitizers of fibers. ASan is told the bounds of the stack before
 * each switch, and after it that the switch is over, also when a fiber begins; a stack
 * that is used again is unpoisoned first. TSan is told which fiber runs, and each switch
 * orders what the two fibers did. stack.c tells LeakSanitizer of every stack but its
 * guard, if the program has LeakSanitizer (the library need not): memory that only a
 * stopped fiber points to is not a leak. Under Valgrind stacks have at least 4 MiB, so
 * that it notices a switch. Builds without sanitizers have only two tests: one when a
 * pool is made (for Valgrind, if its header was found at compile time), and one when a
 * stack is made (for LeakSanitizer).
 */
#include "fiber/switch.h"

#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#if FILCH__ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if FILCH__TSAN
#include <sanitizer/tsan_interface.h>

_Thread_local struct filch__apart *filch__apart_top;
#endif

#if FILCH_UCONTEXT
/* makecontext() passes only ints. */
static void start(unsigned high, unsigned low)
{
	struct filch__context *c = (void *)((uintptr_t)high << 16 << 16 | low);

	c->fn(c->arg);
	abort();
}

void filch__context_init(struct filch__context *c, void *lo, void *hi, void (*fn)(void *),
                         void *arg)
{
	uintptr_t p = (uintptr_t)c;

	c->fn = fn;
	c->arg = arg;
	getcontext(&c->at);
	c->at.uc_link = NULL;
	c->at.uc_stack.ss_sp = lo;
	c->at.uc_stack.ss_size = (size_t)((char *)hi - (char *)lo);
	makecontext(&c->at, (void (*)(void))start, 2, (unsigned)(p >> 16 >> 16),
	            (unsigned)p);
}
#endif

#if !FILCH__FIBER_WATCHED

void filch__fiber_init(struct filch__fiber *f, void *lo, void *hi, void (*fn)(void *),
                       void *arg)
{
	assert((char *)hi - (char *)lo >= 1024);
	filch__context_init(&f->context, lo, hi, fn, arg);
}

void filch__fiber_adopt(struct filch__fiber *f)
{
	(void)f; /* a switch away from the fiber writes its context */
}

void filch__fiber_destroy(struct filch__fiber *f)
{
	(void)f;
}

#else

/* Runs first on a new stack: tells ASan that the switch is over. */
static void enter(void *arg)
{
	struct filch__fiber *f = arg;

#if FILCH__ASAN
	__sanitizer_finish_switch_fiber(NULL, NULL, NULL);
#endif
	f->fn(f->arg);
	abort();
}

void filch__fiber_init(struct filch__fiber *f, void *lo, void *hi, void (*fn)(void *),
                       void *arg)
{
	*f = (struct filch__fiber){.fn = fn, .arg = arg, .lo = lo};
	f->size = (size_t)((char *)hi - (char *)lo);
#if FILCH__ASAN
	/* The frames of a fiber that ended here were never left. */
	__asan_unpoison_memory_region(lo, f->size);
#endif
#if FILCH__TSAN
	f->tsan = f->stopped = __tsan_create_fiber(0);
#endif
	filch__context_init(&f->context, lo, hi, enter, f);
}

void filch__fiber_adopt(struct filch__fiber *f)
{
	*f = (struct filch__fiber){.adopted = true};
#if FILCH__ASAN
	pthread_attr_t attr;

	if (pthread_getattr_np(pthread_self(), &attr))
		abort();
	pthread_attr_getstack(&attr, &f->lo, &f->size);
	pthread_attr_destroy(&attr);
#endif
#if FILCH__TSAN
	f->tsan = f->stopped = __tsan_get_current_fiber();
#endif
}

void filch__fiber_destroy(struct filch__fiber *f)
{
#if FILCH__TSAN
	if (!f->adopted)
		__tsan_destroy_fiber(f->tsan);
#endif
	f->tsan = NULL;
}

/* This function is not instrumented: TSan must see no access between the call that tells
 * it of the switch and the switch itself. */
__attribute__((noinline, no_sanitize("thread"))) void filch__fiber_switch_watched(
	struct filch__fiber *from, struct filch__fiber *to, bool ends)
{
#if FILCH__ASAN
	__sanitizer_start_switch_fiber(ends ? NULL : &from->fake, to->lo, to->size);
#endif
#if FILCH__TSAN
	(void)ends;
	from->stopped = __tsan_get_current_fiber();
	from->apart = filch__apart_top;
	filch__apart_top = to->apart;
	__tsan_switch_to_fiber(to->stopped, 0);
#endif
	filch__context_switch(&from->context, &to->context);
#if FILCH__ASAN
	__sanitizer_finish_switch_fiber(from->fake, NULL, NULL);
#endif
}

#endif
