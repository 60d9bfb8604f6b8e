/* SPDX-License-Identifier: MIT */
/*
 * The function that describing a pool needs of the room above this one; src/io defines
 * it.
 */
#ifndef FILCH_OBSERVE_ABOVE_H
#define FILCH_OBSERVE_ABOVE_H

#include <stddef.h>

/* Returns 0 if the system lets this process use what is needed of io_uring, else a
 * negative errno; `why` (when not NULL) then says the reason in words. */
int filch__uring_probe(char *why, size_t size);

#endif
