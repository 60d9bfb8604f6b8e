/* SPDX-License-Identifier: MIT */
/*
 * src/base/futex.h for code that runs under the model checker.
 */
#ifndef FILCH_BASE_FUTEX_H
#define FILCH_BASE_FUTEX_H

#include "base/atomic.h"

#define filch__futex_wait(p, expected) explore_wait(SITE_("wait", p), (p), (expected))
#define filch__futex_wake(p, n) explore_wake(SITE_("wake", p), (p), (unsigned)(n))

#endif
