/* SPDX-License-Identifier: MIT */
/*
 * The state of the C++ runtime that belongs to a strand: which exceptions it has caught,
 * and how many leave its frames. In a program without C++ there is none.
 */
#ifndef FILCH_STRAND_EXCEPTIONS_H
#define FILCH_STRAND_EXCEPTIONS_H

#include "strand/strand.h"

/* The C++ runtime defines it. NOLINTNEXTLINE(bugprone-reserved-identifier) */
extern struct filch__exceptions *__cxa_get_globals(void) __attribute__((weak));

/* The state of the calling thread. */
static inline struct filch__exceptions filch__exceptions_now(void)
{
	return __cxa_get_globals ? *__cxa_get_globals() : (struct filch__exceptions){0};
}

static inline void filch__exceptions_set(struct filch__exceptions e)
{
	if (__cxa_get_globals) /* a C++ program */
		*__cxa_get_globals() = e;
}

/* Keeps the state while the strand is stopped. Caller: on the thread that leaves it. */
static inline void filch__exceptions_keep(struct filch__strand *s)
{
	if (__cxa_get_globals)
		s->exceptions = filch__exceptions_now();
}

/* Restores the state. Caller: on the thread that the strand runs on. */
static inline void filch__exceptions_restore(const struct filch__strand *s)
{
	filch__exceptions_set(s->exceptions);
}

/* Returns true while an exception leaves frames of the calling strand. */
static inline bool filch__is_unwinding(void)
{
	return __cxa_get_globals && __cxa_get_globals()->uncaught;
}

#endif
