/* SPDX-License-Identifier: MIT */
/*
 * The way from any thread into a pool.
 */
#ifndef FILCH_ALGO_ENTER_H
#define FILCH_ALGO_ENTER_H

#include <stdbool.h>

/* A function of the user's. The tasks of this folder are shown by the names of such
 * functions, not by their own. */
typedef void filch__function(void);

/* True if the caller runs in a task of a pool. */
bool filch__inside(void);

/* Calls f(context), shown as `shown` or, in the second case, as f. A caller inside a pool calls for hungry workers and then makes the
 * call itself; for a caller outside, f runs as a task of the default pool. If there can
 * be no default pool, the caller makes the call itself. Returns when f has returned. */
void filch__enter_pool_as(filch__function *shown, void (*f)(void *context),
                          void *context);
void filch__enter_pool(void (*f)(void *context), void *context);

#endif
