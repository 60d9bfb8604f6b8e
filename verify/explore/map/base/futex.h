/* SPDX-License-Identifier: MIT */
/*
 * src/base/futex.h for code that runs under the model checker.
 */
#ifndef FILCH_BASE_FUTEX_H
#define FILCH_BASE_FUTEX_H

#include "base/atomic.h"

#define filch__futex_wait(p, expected) explore_wait(SITE_("wait", p), (p), (expected))
/* May end at any time, which is as if it had not slept: the thread's next write comes
 * whenever the search likes. */
#define filch__futex_wait_for(p, expected, ns) ((void)(p), (void)(expected), (void)(ns))
#define filch__futex_wake(p, n) explore_wake(SITE_("wake", p), (p), (unsigned)(n))

#endif
