/* SPDX-License-Identifier: MIT */
/*
 * A table for debuggers: the pools there are, and where things lie in memory.
 * tools/filch-gdb.py reads it.
 */
#include <filch/group.h>
#include <filch/sync.h>

#include "base/layout.h"
#include "pool/pool.h"
#include "strand/loose.h"
#include "strand/root.h"
#include "wait/wait.h"

#define AT FILCH__LAYOUT_AT
#define SIZE FILCH__LAYOUT_SIZE
#define VALUE FILCH__LAYOUT_VALUE
#define COUNTER(name, text) {AT(filch__worker, counters.name)},

/* Members that come first in their struct, such as a record's mark, are not listed. */
/* clang-format off */
struct filch__debug filch__debug FILCH__FOR_DEBUGGERS = {.layout = {
	{AT(filch_pool, lot.parker)},
	{AT(filch_pool, driver)},
	{AT(filch_pool, holds.taken)},
	{AT(filch_pool, holds.released)},
	{AT(filch_pool, workers)},
	{AT(filch_pool, seat)},
	{AT(filch_pool, stacks)},
	{AT(filch__pool_whole, next)},
	{SIZE(filch_pool)},
	{AT(filch__stacks, stride)},
	{AT(filch__stacks, fresh)},
	{AT(filch__stacks, slabs)},
	{AT(filch__stacks, made)},
	{AT(filch__stacks, slab)},
	{SIZE(filch__stacks)},
	{VALUE(FILCH__DEPTHS)},
	{AT(filch__slab, lo)},
	{AT(filch__slab, end)},
	{SIZE(filch__slab)},
	{AT(filch__stack, hi)},
	{SIZE(filch__stack)},
	{AT(filch__parker, state)},
	{SIZE(filch__parker)},
	{AT(filch__seat, ready.head)},
	{AT(filch__seat, ready.tail)},
	{AT(filch__seat, holds.taken)},
	{AT(filch__seat, holds.released)},
	{AT(filch__worker, shelf.count)},
	{AT(filch__worker, active)},
	{AT(filch__worker, places.innermost)},
	{AT(filch__worker, places.lo)},
	{AT(filch__worker, places.hi)},
	{SIZE(filch__worker)},
	{SIZE(filch__seat)},
	{AT(filch__strand, state)},
	{AT(filch__strand, runs)},
	{AT(filch__strand, stack)},
	{AT(filch__strand, lo)},
	{AT(filch__strand, hi)},
	{AT(filch__strand, record)},
	{AT(filch__strand, loose.last)},
#if !FILCH_UCONTEXT
	{AT(filch__strand, fiber.context)},
#endif
	{SIZE(filch__strand)},
	{AT(filch__task, name)},
	{AT(filch__task, size)},
	{AT(filch__task, function)},
	{SIZE(filch__task)},
	{AT(filch__record, task)},
	{AT(filch__record, sync)},
	{SIZE(filch__record)},
	{AT(filch__loose, link)},
	{AT(filch__link, prev)},
	{AT(filch__loose, inner)},
	{AT(filch__wait, pool)},
	{AT(filch__wait, ticket.strand)},
	{AT(filch__wait, waiter)},
	{AT(filch__wait, waiters)},
	{SIZE(filch__wait)},
	{AT(filch__waiter, list)},
	{SIZE(filch__waiter)},
	{AT(filch_group, pending)},
	{AT(filch_group, waiter)},
	{AT(filch_group, pool)},
	{SIZE(filch_group)},
	{AT(filch_mutex, owner)},
	{AT(filch_rwlock, writer)},
	{VALUE(FILCH__SUSPENDED)},
	{VALUE(FILCH__STATE_BITS)},
	{VALUE(FILCH__IDLE)},
	{VALUE(FILCH__WATCHING)},
	{VALUE(FILCH__LIVE)},
	{VALUE(FILCH__SHOWS_FIRST)},
	{VALUE(FILCH__SHOWS_BEHIND)},
	{VALUE(FILCH__SHOWS_BITS)},
	{VALUE(FILCH__EXPOSED)},
	{VALUE(FILCH__LISTED)},
	{VALUE(FILCH__IS_ROOT)},
	{VALUE(FILCH__DONE)},
	{VALUE(FILCH_LINE)},
	FILCH_COUNTERS(COUNTER)
}};
