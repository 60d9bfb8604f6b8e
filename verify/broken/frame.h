/* SPDX-License-Identifier: MIT */
/*
 * What the broken clients share: two atomic words, some data, and a pointer to allocate.
 */
#ifndef VERIFY_BROKEN_FRAME_H
#define VERIFY_BROKEN_FRAME_H

#include <stdlib.h>

#include "client.h"

struct state {
	_Atomic(int) x, y;
	long data;
	long *p;
};

static struct state *s;

static inline void begin(struct state *state)
{
	s = state;
	atomic_init(&s->x, 0);
	atomic_init(&s->y, 0);
}

#endif
