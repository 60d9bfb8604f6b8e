/* SPDX-License-Identifier: MIT */
/*
 * The decision which processors the workers of a pool keep to. See README.md, "Homes".
 */
#ifndef FILCH_POOL_BIND_H
#define FILCH_POOL_BIND_H

#include "pool/pool.h"

/* Decides which homes the workers have in a pool with these settings, made by a thread
 * with the affinity `may` (NULL: the system does not say); `others`: the workers of
 * another pool of this process have homes. The text in `why` says why. */
enum filch__home_kind filch__bind_decide(const struct filch__settings *s,
                                         const struct filch__topology *t,
                                         const cpu_set_t *may, bool others, char *why,
                                         size_t why_size);

/* Does the same for a pool that the caller would make now. */
enum filch__home_kind filch__bind_describe(const struct filch__settings *s,
                                           const struct filch__topology *t, char *why,
                                           size_t why_size);

/* Decides it for this pool; the topology then begins with the unit that the first worker
 * is to be near. Caller: the thread that makes the pool. */
void filch__bind_open(struct filch__pool_whole *p);
void filch__bind_close(struct filch__pool_whole *p);

/* Gives worker i its home. */
void filch__bind_seat(struct filch__pool_whole *p, uint32_t i);

/* Called in the child of a fork. If a bound worker made the child, it may run where the
 * thread that made the pool could. */
void filch__bind_after_fork(void);

#endif
