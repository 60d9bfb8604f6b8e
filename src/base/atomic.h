/* SPDX-License-Identifier: MIT */
/*
 * The only place where memory orders are spelled out.
 *
 * An operation carries its order in its name, so that a reader of a queue sees the order
 * where it matters and `tools/check-orders` can find every ordered access. Each ordered
 * use names an edge of its folder's README; each relaxed use says in a few words why it
 * may be relaxed.
 *
 *   rlx  relaxed      acq  acquire      rel  release      sc  sequentially consistent
 *
 * There is one fence, for store-buffering pairs of which one word belongs to another
 * layer (parking: an announcement, and the word by which a queue publishes).
 * ThreadSanitizer does not see fences; so a fence only decides which thread sees the
 * other's write, and the data that is then read is acquired by an edge of its own.
 */
#ifndef FILCH_BASE_ATOMIC_H
#define FILCH_BASE_ATOMIC_H

#include <stdatomic.h>

#define load_rlx(p) atomic_load_explicit((p), memory_order_relaxed)
#define load_acq(p) atomic_load_explicit((p), memory_order_acquire)
#define load_sc(p) atomic_load_explicit((p), memory_order_seq_cst)

#define store_rlx(p, v) atomic_store_explicit((p), (v), memory_order_relaxed)
#define store_rel(p, v) atomic_store_explicit((p), (v), memory_order_release)
#define store_sc(p, v) atomic_store_explicit((p), (v), memory_order_seq_cst)

#define xchg_rlx(p, v) atomic_exchange_explicit((p), (v), memory_order_relaxed)
#define xchg_acq(p, v) atomic_exchange_explicit((p), (v), memory_order_acquire)
#define xchg_rel(p, v) atomic_exchange_explicit((p), (v), memory_order_release)

#define add_rlx(p, v) atomic_fetch_add_explicit((p), (v), memory_order_relaxed)
#define add_rel(p, v) atomic_fetch_add_explicit((p), (v), memory_order_release)
#define add_acq_rel(p, v) atomic_fetch_add_explicit((p), (v), memory_order_acq_rel)

/* Strong compare-and-swap: `false` means that the word differed, never a spurious
 * failure. `old` points at the expected value and receives the one found. */
#define cas_rlx(p, old, v)                                                             \
	atomic_compare_exchange_strong_explicit((p), (old), (v), memory_order_relaxed, \
	                                        memory_order_relaxed)
#define cas_acq_rel(p, old, v)                                                         \
	atomic_compare_exchange_strong_explicit((p), (old), (v), memory_order_acq_rel, \
	                                        memory_order_acquire)
#define cas_rel(p, old, v)                                                             \
	atomic_compare_exchange_strong_explicit((p), (old), (v), memory_order_release, \
	                                        memory_order_relaxed)
#define cas_sc(p, old, v)                                                              \
	atomic_compare_exchange_strong_explicit((p), (old), (v), memory_order_seq_cst, \
	                                        memory_order_seq_cst)

#define fence_sc() atomic_thread_fence(memory_order_seq_cst)

#endif
