/* SPDX-License-Identifier: MIT */
/*
 * The common part of everything that can be waited for. All fields belong to the runtime;
 * an object that is all zero is ready for use.
 */
#ifndef FILCH_DETAIL_WAIT_H
#define FILCH_DETAIL_WAIT_H

#include <filch/detail/list.h>
#include <stdint.h>

/* A lock that is held for a few instructions only. */
struct filch__lock {
	uint32_t word;
};

/* The waiters for one thing, in the order in which they came; protected by the lock. */
struct filch__waiters {
	struct filch__lock lock;
	struct filch__list list;
};

#define FILCH__WAITERS_INIT  \
	{                    \
		{0},         \
		{            \
			0, 0 \
		}            \
	}

#endif
