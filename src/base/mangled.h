/* SPDX-License-Identifier: MIT */
/*
 * From symbols to names as people write them. In C both are the same. In C++ a symbol also
 * has the types of the parameters, and the function that Filch is given is often one that
 * filch.hpp has made for the user's lambda: then the name is that of the function that
 * contains the lambda. The demangler of the C++ library allocates memory, which a signal
 * handler must not, and a program in C does not have it.
 */
#ifndef FILCH_BASE_MANGLED_H
#define FILCH_BASE_MANGLED_H

#include <stddef.h>

/* Symbols are cut to this many bytes, their ends included. */
#define FILCH__SYMBOL_SIZE 1024

/* Writes the name of a symbol, cut to `size` bytes: "body" for body, "a::body" for
 * _ZN1a4bodyEmmPv, "lambda in main()" for the body of a loop whose lambda is in main(). A
 * symbol that is not understood is copied. Async-signal-safe. */
void filch__symbol_read(const char *symbol, char *out, size_t size);

#endif
