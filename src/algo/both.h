/* SPDX-License-Identifier: MIT */
/*
 * Two calls at once, for the algorithms that divide their work themselves.
 */
#ifndef FILCH_ALGO_BOTH_H
#define FILCH_ALGO_BOTH_H

#include "algo/enter.h"

/* Calls f(one) and f(other), the latter as a task that is shown as `shown`. Unlike
 * filch_both(), it does not enter a pool: outside one it makes both calls here. */
void filch__both_inside(filch__function *shown, void (*f)(void *part), void *one,
                        void *other);

#endif
