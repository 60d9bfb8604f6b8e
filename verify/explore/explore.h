/* SPDX-License-Identifier: MIT */
/*
 * A stateless model checker for C11 atomics: runs the threads of a client again and
 * again, on fibers, until it has seen every execution that the memory model allows
 * (RC11, see README.md), or every one within the bounds asked for.
 *
 * A client is compiled with map/ before src/ on its include path, so that base/atomic.h
 * and a few others are the ones there and each operation arrives here, and with
 * -fsanitize=thread, so that each plain access does (plain.c). What a client may call is
 * in verify/client.h.
 */
#ifndef VERIFY_EXPLORE_H
#define VERIFY_EXPLORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum explore_order {
	EXPLORE_RLX,
	EXPLORE_ACQ,
	EXPLORE_REL,
	EXPLORE_ACQ_REL,
	EXPLORE_SC,
};

enum explore_rmw { EXPLORE_XCHG, EXPLORE_ADD };

/* One access in the source. */
struct explore_site {
	const char *file;
	int line;
	const char *op, *what;
};

/* ---- atomic accesses; `size` is 1 to 8 bytes ---- */

uint64_t explore_load(const struct explore_site *s, const void *p, size_t size,
                      enum explore_order o);
void explore_store(const struct explore_site *s, void *p, size_t size, uint64_t v,
                   enum explore_order o);
uint64_t explore_rmw(const struct explore_site *s, void *p, size_t size,
                     enum explore_rmw op, uint64_t v, enum explore_order o);
/* Strong; a failure is a load with order `fail`. */
bool explore_cas(const struct explore_site *s, void *p, size_t size, uint64_t *old,
                 uint64_t v, enum explore_order ok, enum explore_order fail);
void explore_fence(const struct explore_site *s, enum explore_order o);
/* Not atomic: a race with any access that does not come after it. */
void explore_init(const struct explore_site *s, void *p, size_t size, uint64_t v);

/* ---- threads ---- */

#define EXPLORE_THREADS 8 /* the first is the client's main() */

int explore_spawn(const char *name, void *(*body)(void *), void *arg);
void explore_join(int thread);

/* Futex: sleeps while *p is `expected`, which is looked at under the kernel's lock; may
 * return for no reason, once a thread. */
void explore_wait(const struct explore_site *s, const uint32_t *p, uint32_t expected);
void explore_wake(const struct explore_site *s, const uint32_t *p, unsigned n);

/* ---- the client ---- */

/* A number below n, each of which is tried. */
uint64_t explore_choose(uint64_t n);
/* Between two operations of a thread that keeps nothing of what it has done, in local
 * variables or in memory, but the `size` bytes at `kept` (NULL: plain
 * memory, all of it): how it got here is forgotten. */
void explore_step(const void *kept, size_t size);
/* The thread keeps the value v, which it has read of an atomic word: it must have done so
 * before any other thread could overwrite it (plain.h). Nothing if it was a plain one. */
void explore_kept(uint64_t v);
/* Gives up this execution without a verdict. */
void explore_assume(bool x);
/* Part of what this execution came to; distinct ones are counted. */
void explore_observe(uint64_t v);
/* Something that at least one execution must reach. */
void explore_cover(const char *what);
/* Reports and ends the program. */
_Noreturn void explore_fail(const char *file, int line, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

void *explore_malloc(size_t size);
void *explore_aligned_alloc(size_t align, size_t size);
void explore_free(void *p);

/* Defined by the client: its shared state, zeroed before each execution, and its main
 * thread. */
extern void *const explore_state;
extern const size_t explore_state_size;
extern const char *const explore_name;
void explore_client(void);

#endif
