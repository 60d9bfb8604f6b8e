/* SPDX-License-Identifier: MIT */
/*
 * The counters of a worker, for filch_pool_stats(). The worker writes them, and any
 * thread reads them.
 */
#ifndef FILCH_STRAND_COUNTERS_H
#define FILCH_STRAND_COUNTERS_H

#include <filch/pool.h>
#include <stdint.h>

#include "base/atomic.h"

struct filch__counters {
#define FILCH__COUNTER(counter, text) _Atomic(uint64_t) counter;
	FILCH_COUNTERS(FILCH__COUNTER)
#undef FILCH__COUNTER
};

/* Adds to a counter, without a read-modify-write, since only its worker writes it. */
#define FILCH__COUNT(w, name, n) \
	store_rlx(&(w)->counters.name, load_rlx(&(w)->counters.name) + (n)) /* own */

#endif
