/* SPDX-License-Identifier: MIT */
/*
 * The set of states already explored, by 128-bit hash.
 */
#ifndef VERIFY_EXPLORE_SEEN_H
#define VERIFY_EXPLORE_SEEN_H

#include <stdbool.h>
#include <stdint.h>

/* Adds a state. False if it was there before. */
bool seen_add(uint64_t a, uint64_t b);
uint64_t seen_count(void);
void seen_clear(void);

#endif
