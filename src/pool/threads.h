/* SPDX-License-Identifier: MIT */
/*
 * The threads of a pool.
 */
#ifndef FILCH_POOL_THREADS_H
#define FILCH_POOL_THREADS_H

#include "pool/pool.h"

/* Starts as many threads as the system allows. Errors: -EAGAIN: it allows none. */
int filch__threads_start(struct filch__pool_whole *p);

/* Ends the threads, and waits for them. */
void filch__threads_stop(struct filch__pool_whole *p);

#endif
