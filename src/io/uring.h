/* SPDX-License-Identifier: MIT */
/*
 * Rings: an io_uring for each worker, made when the worker first needs one. Operations on
 * files are submitted there. The rings' descriptors are in the reactor's epoll set, which
 * thus reports completions. See README.md.
 */
#ifndef FILCH_IO_URING_H
#define FILCH_IO_URING_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "observe/above.h"

struct filch__op;
struct filch__rings;

/* Allocates the rings of `workers` workers. Returns NULL if there is no memory. */
struct filch__rings *filch__rings_new(int epoll, uint32_t workers);
void filch__rings_free(struct filch__rings *rs);

/* Events with this bit in `data` are a ring's; the bits below it are the worker's
 * index. */
#define FILCH__RING_EVENT (UINT64_C(1) << 32)

/* Takes the completions that such an event reports. */
void filch__rings_serve(struct filch__rings *rs, uint64_t data);

/* Does the same as filch__op_run(), on the calling worker's ring. -ENOBUFS means that the
 * operation was not begun, and must be done in another way. */
ssize_t filch__rings_run(struct filch__rings *rs, const struct filch__op *op,
                         uint64_t deadline, bool cancellable);

/* The number of entries of each ring that is made. Tests change it. */
extern unsigned filch__ring_entries;

#endif
