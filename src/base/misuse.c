/* SPDX-License-Identifier: MIT */
#include "base/misuse.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

_Noreturn void filch__misuse(const char *call, const char *what, ...)
{
	va_list args;

	flockfile(stderr); /* for good: no other thread says something else meanwhile */
	va_start(args, what);
	fprintf(stderr, "filch: %s: ", call);
	vfprintf(stderr, what, args);
	fputc('\n', stderr);
	va_end(args);
	abort();
}
