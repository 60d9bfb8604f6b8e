/* SPDX-License-Identifier: MIT */
/* What all targets share: the function that libFuzzer calls, and what must hold. */
#ifndef FILCH_FUZZ_FUZZ_H
#define FILCH_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);

#define CHECK(what)                                             \
	do {                                                    \
		if (!(what)) {                                  \
			fprintf(stderr, "not so: %s\n", #what); \
			abort();                                \
		}                                               \
	} while (0)

#endif
