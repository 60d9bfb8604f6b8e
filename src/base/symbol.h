/* SPDX-License-Identifier: MIT */
/*
 * The names of functions that the program passes by their addresses, such as the bodies of
 * loops. A name is looked up when it is to be shown, and only then: first the file that the
 * address was mapped from (/proc/self/maps), then the symbol table of that file. Static
 * functions are found as well, which dladdr() misses.
 *
 * A word that says what runs is either a pointer to something that has its own name, or
 * the address of a function with FILCH__FUNCTION set.
 */
#ifndef FILCH_BASE_SYMBOL_H
#define FILCH_BASE_SYMBOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* No address of a user's process has this bit, with either processor. */
#define FILCH__FUNCTION ((uintptr_t)1 << 63)

static inline bool filch__is_function(uintptr_t word)
{
	return word & FILCH__FUNCTION;
}

/* Writes the name of the function at this address (FILCH__FUNCTION makes no difference),
 * cut to `size` bytes with its end: "body", "lambda in main()". Without a symbol the name
 * is "function at program+0x1139", which addr2line understands, and without a file it is
 * "function at 0x7f0123456789".
 * Caller: any thread, also in a signal handler. Needs some 6 KiB of stack. */
void filch__symbol_name(uintptr_t function, char *out, size_t size);

#endif
