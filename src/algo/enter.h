/* SPDX-License-Identifier: MIT */
/*
 * From wherever the caller is into a pool.
 */
#ifndef FILCH_ALGO_ENTER_H
#define FILCH_ALGO_ENTER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"

/* True if the caller is in a task of a pool. */
bool filch__inside(void);

/* Calls f: here if the caller is in a task, else as a task of the default pool; here, too,
 * if there can be no default pool. */
void filch__enter_pool(void (*f)(void *context), void *context);

/* About so many ticks a microsecond: good enough to tell short from long. */
uint64_t filch__ticks_per_us(void);

/* What a caller does itself before it offers anything to others: that costs both sides some
 * microseconds. */
#define FILCH__ALONE_US 10

#endif
