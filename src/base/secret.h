/* SPDX-License-Identifier: MIT */
/*
 * A random number that nobody outside the process knows.
 */
#ifndef FILCH_BASE_SECRET_H
#define FILCH_BASE_SECRET_H

#include <stdint.h>

/* Returns 64 random bits, of the kernel's if it has any. */
uint64_t filch__secret_draw(void);

#endif
