/* SPDX-License-Identifier: MIT */
/*
 * What describing a pool needs of the room above this one: src/io defines this function.
 */
#ifndef FILCH_OBSERVE_ABOVE_H
#define FILCH_OBSERVE_ABOVE_H

#include <stddef.h>

/* Whether the system lets this process have what is needed of io_uring: 0, or a negative
 * errno; `why` (when not NULL) then says the reason in words. */
int filch__uring_probe(char *why, size_t size);

#endif
