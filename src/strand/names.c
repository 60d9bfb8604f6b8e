/* SPDX-License-Identifier: MIT */
#include "strand/names.h"

#include <pthread.h>
#include <stdio.h>

#include "base/atomic.h"
#include "base/secret.h"
#include "strand/hunger.h"
#include "trace/trace.h"

#define RANGES 1024

/* The tasks of each program or library: [start, stop). */
static struct {
	_Atomic(uintptr_t) start, stop;
} range[RANGES];
static _Atomic(uint32_t) ranges;

static uint64_t secret;           /* 0: not drawn yet */
static _Atomic(uint32_t) scanned; /* some records are to be found on the stack */
static _Atomic(uint32_t) listed;  /* some are in a list only */

/* Held while a name is read, so that its library stays meanwhile. */
static pthread_mutex_t reading = PTHREAD_MUTEX_INITIALIZER;

static void add_range(const struct filch__task *start, const struct filch__task *stop)
{
	uint32_t i = 0, n = load_rlx(&ranges); /* only the loader's thread writes */

	while (i < n && load_rlx(&range[i].start) != (uintptr_t)start) /* as above */
		i++;
	if (i == RANGES)
		return; /* its tasks stay private: correct, but not parallel */
	store_rlx(&range[i].start, (uintptr_t)start); /* before it counts */
	store_rlx(&range[i].stop, (uintptr_t)stop);   /* before it counts */
	if (i == n)
		store_rlx(&ranges, n + 1); /* a late reader finds no task there */
}

void filch__register_tasks(const struct filch__task *start,
                           const struct filch__task *stop, int listing, uint64_t *copy)
{
	if (!secret) /* only the loader's thread draws */
		secret = (filch__secret_draw() & ~(uint64_t)15) | FILCH__LIVE;
	*copy = secret;
	if (!start)
		return; /* it has no tasks */
	filch__hunger_tell(copy);
	/* A late reader of either misses no record of its own. */
	if (listing == FILCH__LISTING_ONLY)
		store_rlx(&listed, 1); /* as above */
	else
		store_rlx(&scanned, 1); /* as above */
	add_range(start, stop);
}

bool filch__records_are_scanned(void)
{
	return load_rlx(&scanned); /* set before the program has a strand */
}

static void keep_names(const struct filch__task *start, uintptr_t stop)
{
	for (const struct filch__task *t = start; (uintptr_t)t < stop; t++)
		filch__trace_keep_name(t->name);
}

bool filch__records_are_listed(void)
{
	return load_rlx(&listed); /* as above */
}

void filch__unregister_tasks(const struct filch__task *start,
                             const struct filch__task *stop, const uint64_t *copy)
{
	uint32_t i = 0, n = load_rlx(&ranges); /* only the loader's thread writes */

	filch__hunger_tell_no_more(copy);
	filch__trace_keep_functions();
	pthread_mutex_lock(&reading);
	while (i < n && load_rlx(&range[i].start) != (uintptr_t)start) /* constant */
		i++;
	if (i < n) {
		keep_names(start, load_rlx(&range[i].stop)); /* own entry */
		store_rlx(&range[i].stop, (uintptr_t)start); /* empty from now on */
	} else {
		keep_names(start, (uintptr_t)stop); /* there was no room for it */
	}
	pthread_mutex_unlock(&reading);
}

bool filch__is_task(const struct filch__task *t)
{
	uint32_t n = load_rlx(&ranges); /* a late one is not seen yet */

	for (uint32_t i = 0; i < n; i++) {
		uintptr_t start = load_rlx(&range[i].start); /* constant */

		if ((uintptr_t)t >= start &&
		    (uintptr_t)t < load_rlx(&range[i].stop)) /* a hint */
			return ((uintptr_t)t - start) % sizeof *t == 0;
	}
	return false;
}

struct filch__name filch__title_name(uintptr_t title)
{
	const struct filch__task *t = (const struct filch__task *)title;
	struct filch__name name = {""};

	if (filch__is_function(title)) {
		filch__symbol_name(title, name.text, sizeof name.text);
		return name;
	}
	pthread_mutex_lock(&reading);
	snprintf(name.text, sizeof name.text, "%s", filch__is_task(t) ? t->name : "?");
	pthread_mutex_unlock(&reading);
	return name;
}

void filch__names_after_fork(void)
{
	pthread_mutex_init(&reading, NULL);
}

/* ---- FILCH_DEBUG ---- */

static _Atomic(bool) debugs;

void filch__register_debug(void)
{
	store_rlx(&debugs, true); /* a flag only */
}

bool filch__program_debugs(void)
{
	return load_rlx(&debugs); /* a flag only */
}
