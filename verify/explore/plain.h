/* SPDX-License-Identifier: MIT */
/*
 * Plain memory under the checker: which thread has read and written each word and when,
 * so that races, reads of what was never written and uses of freed memory are seen.
 * Memory that the client allocates is never used twice in an execution, and lies at the
 * same address in each.
 */
#ifndef VERIFY_EXPLORE_PLAIN_H
#define VERIFY_EXPLORE_PLAIN_H

#include "explore/explore.h"

void plain_reset(void);

/* A plain access by the running thread; `pc` is where the call of it returns to. */
void plain_read(uintptr_t at, size_t size, const void *pc);
void plain_write(uintptr_t at, size_t size, const void *pc);

/* An atomic access (or initialisation) of a word: it must be allocated, and not be used
 * as plain memory. */
void plain_atomic(const struct explore_site *s, int thread, uintptr_t at, size_t size);

/* Demands that all atomic accesses of the memory come before now. */
void plain_untouched(const char *what, int thread, uintptr_t at, size_t size);

/* The value that the thread has read of an atomic word at `time` is kept. C lets a relaxed
 * load see a store that is executed after it (RC11 does not), so whoever writes to the
 * word must come after this read, as if it were plain. */
void plain_used(int thread, uintptr_t at, uint16_t time);
void plain_overwritten(const struct explore_site *s, int thread, uintptr_t at);

/* True if the word had a value before the execution began. */
bool plain_static(uintptr_t at);

/* Adds who has read and written what, and when, to h. */
void plain_identify(uint64_t h[2]);

/* A hash of what plain memory holds. */
uint64_t plain_contents(void);

/* At the end of an execution: everything must have been freed. */
void plain_done(void);

/* Where `pc` is in the source: "file:line", or "?". Not to be kept. */
const char *plain_where(const void *pc);

/* A name for an address: "state+16", "block 3+64". Not to be kept. */
const char *plain_name(uintptr_t at);

#endif
