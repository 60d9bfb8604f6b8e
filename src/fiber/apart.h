/* SPDX-License-Identifier: MIT */
/*
 * Telling ThreadSanitizer that two parts of a program are parallel although one thread
 * runs both, one after the other: a task and what its spawner did in the meantime, or two
 * tasks of a group. Each call of filch__apart_call() is a thread of its own for TSan. It
 * is ordered after a filch__apart_from() and before what follows it, and after nothing
 * else. See README.md, "Apart". In builds without TSan it is a call.
 *
 *   filch__apart_from(&x);                  what came before this, the call knows
 *   ...                                     parallel to the call, for TSan
 *   filch__apart_call(fn, r, &x, lo);       fn(r)
 */
#ifndef FILCH_FIBER_APART_H
#define FILCH_FIBER_APART_H

#include "fiber/switch.h"

struct filch__record;

#if FILCH__TSAN

/* Begins and ends calls apart on this thread. Between the two it makes them; on other
 * threads they are plain calls. */
void filch__apart_begin(void);
void filch__apart_end(void);

/* Everything that the caller has done happened before the call with this `from`. */
void filch__apart_from(const void *from);

/* Calls fn(r) apart. `lo` is the low end of the caller's stack. */
void filch__apart_call(void (*fn)(struct filch__record *), struct filch__record *r,
                       const void *from, char *lo);

/* Orders the caller, if it is called apart, after what this thread did just before that
 * call. The runtime needs it before it uses data of its own thread. */
void filch__apart_catch_up(void);

/* Between these two, the caller is another fiber for TSan: one that knows all that
 * happened on the thread, and so can publish it, and that the caller is not ordered
 * after. TSan sees none of its plain accesses. */
void filch__apart_aside(void);
void filch__apart_back(void);

#else

static inline void filch__apart_begin(void)
{
}

static inline void filch__apart_end(void)
{
}

static inline void filch__apart_from(const void *from)
{
	(void)from;
}

static inline void filch__apart_catch_up(void)
{
}

static inline void filch__apart_aside(void)
{
}

static inline void filch__apart_back(void)
{
}

#endif

#endif
