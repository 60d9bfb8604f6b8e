/* SPDX-License-Identifier: MIT */
/*
 * The way from any thread into a pool.
 */
#ifndef FILCH_ALGO_ENTER_H
#define FILCH_ALGO_ENTER_H

#include <stdbool.h>

/* True if the caller runs in a task of a pool. */
bool filch__inside(void);

/* Calls f(context). A caller inside a pool calls for hungry workers and then makes the
 * call itself; for a caller outside, f runs as a task of the default pool. If there can
 * be no default pool, the caller makes the call itself. Returns when f has returned. */
void filch__enter_pool(void (*f)(void *context), void *context);

#endif
