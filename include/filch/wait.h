/* SPDX-License-Identifier: MIT */
/*
 * What everything that can be waited for has inside. All fields are the runtime's; all
 * zero is ready for use.
 */
#ifndef FILCH_WAIT_H
#define FILCH_WAIT_H

#include <stdint.h>

struct filch__wait;
struct filch__waiter;

/* Held for a few instructions only. */
struct filch__lock {
	uint32_t word;
};

/* Who waits for one thing, first come first; under the lock. */
struct filch__waiters {
	struct filch__lock lock;
	struct filch__waiter *first, *last;
};

#define FILCH__WAITERS_INIT \
	{                   \
		{0}, 0, 0   \
	}

#endif
