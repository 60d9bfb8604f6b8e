/* SPDX-License-Identifier: MIT */
/*
 * The tasks that this process has, of the program and of its libraries, and their names.
 * Libraries come and go (dlclose()), and a strand may remember a task a little longer
 * than its library lasts: so nobody reads a task that is not registered.
 *
 * What a strand runs is remembered by its title, one word: a task, or, for a task that only
 * calls a function of the user's such as the body of a loop, the address of that function
 * with FILCH__FUNCTION set (base/symbol.h). The name is looked up when it is shown.
 */
#ifndef FILCH_STRAND_NAMES_H
#define FILCH_STRAND_NAMES_H

#include <assert.h>
#include <filch/detail/record.h>
#include <stdbool.h>

#include "base/symbol.h"
#include "strand/record.h"

/* Returns true if this is a registered task. */
bool filch__is_task(const struct filch__task *t);

/* Returns whether the tasks of some program or library are found by looking through
 * stacks: not all were compiled with FILCH_EXACT. */
bool filch__records_are_scanned(void);

/* Returns whether those of some program or library are found by lists alone. */
bool filch__records_are_listed(void);

/* Returns the title of a record of a task that a user, or src/algo, has written. Caller:
 * the record is not done. */
static inline uintptr_t filch__title_of(const struct filch__record *r)
{
	const struct filch__task *t = filch__record_task(r);
	const uintptr_t *first = (const uintptr_t *)(r + 1); /* the first argument */

	switch (t->size & FILCH__SHOWS_BITS) {
	case FILCH__SHOWS_FIRST:
		return *first ? *first | FILCH__FUNCTION : (uintptr_t)t;
	case FILCH__SHOWS_BEHIND:
		assert(*first);
		return *(const uintptr_t *)*first | FILCH__FUNCTION;
	default:
		return (uintptr_t)t;
	}
}

/* A name, for a message or a view; a longer one is cut. */
struct filch__name {
	char text[128];
};

/* Looks up the name of a title: "?" for a task that is not registered, or no longer; for a
 * function as filch__symbol_name() does. Caller: any thread. */
struct filch__name filch__title_name(uintptr_t title);

/* Returns true if a part of the program was compiled with FILCH_DEBUG. */
bool filch__program_debugs(void);

/* Called in the child of a fork, where no other thread reads names. */
void filch__names_after_fork(void);

#endif
