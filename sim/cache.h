/* SPDX-License-Identifier: MIT */
/*
 * Cache lines: which cores have one, which may write it, and until when it is under way.
 * A core that needs a line that it does not have waits for it; cores that need the same
 * one wait one after the other. Caches are as large as they need to be: no line is ever
 * dropped for want of room.
 */
#ifndef FILCH_SIM_CACHE_H
#define FILCH_SIM_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A place in the source that accesses shared memory. */
struct sim_site {
	const char *file;
	int line;
	const char *op, *what; /* "cas_rlx", "&p->busy" */
	const char *unit;      /* the source that `file` is part of; NULL: the same */
	uint64_t moves;        /* lines that it has fetched from another core */
	uint64_t waited;       /* picoseconds that it has waited for them */
	struct sim_site *next; /* of all that have been reached */
	bool known;
};

/* A read, a write, an update of the word at p. The caller makes the access itself right
 * afterwards. A write does not wait for its line: the store buffer does. */
void sim_read(struct sim_site *site, const volatile void *p);
void sim_write(struct sim_site *site, const volatile void *p);
void sim_update(struct sim_site *site, const volatile void *p);

/* Waits until the core's stores have arrived. */
void sim_fence(void);

/* A plain access of the runtime's, by the compiler's hooks (hooks.c). */
void sim_plain(const volatile void *p, bool writes, void *pc);

/* Forgets all lines; forgets what was counted. */
void sim_cache_clear(void);
void sim_cache_mark(void);

/* How many lines were fetched from other cores since then. */
uint64_t sim_cache_moves(void);

/* The most expensive places, and the lines that moved most. */
struct sim_place {
	const struct sim_site *site; /* or NULL: a plain access at `pc` */
	void *pc;
	uint64_t moves, waited;
};
struct sim_hot {
	uint64_t moves;
	uint64_t address;
	struct sim_place most; /* the place that moved it most */
};
size_t sim_cache_places(struct sim_place *top, size_t n);
size_t sim_cache_lines(struct sim_hot *top, size_t n);

#endif
