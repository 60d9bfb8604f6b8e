/* SPDX-License-Identifier: MIT */
/*
 * A warning for programs that were compiled with a sanitizer if the library was not, or the
 * other way round. ASan must be told of every switch to another stack, and TSan of every
 * strand and task; only a library that was compiled with them does so.
 */
#include <filch/detail/register.h>
#include <stdbool.h>
#include <stdio.h>

static const char *name_of(unsigned sanitizer)
{
	static const char *const names[] = {"no sanitizer", "AddressSanitizer",
	                                    "ThreadSanitizer"};

	return sanitizer < 3 ? names[sanitizer] : "another sanitizer";
}

void filch__compiled_with(unsigned sanitizer)
{
	static const char *const builds[] = {"without FILCH_SANITIZE",
	                                     "with -DFILCH_SANITIZE=address",
	                                     "with -DFILCH_SANITIZE=thread"};
	static bool said;

	if (sanitizer == FILCH__SANITIZER || said)
		return;
	said = true; /* constructors run one after the other */
	fprintf(stderr,
	        "filch: the program was compiled with %s, its Filch library with %s: "
	        "reports may be wrong, and races or bad accesses missed; link it with a "
	        "library that was configured %s\n",
	        name_of(sanitizer), name_of(FILCH__SANITIZER),
	        builds[sanitizer < 3 ? sanitizer : 0]);
}
