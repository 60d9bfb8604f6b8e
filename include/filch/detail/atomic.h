/* SPDX-License-Identifier: MIT */
/*
 * The atomic accesses that the public headers make. They are named as in
 * src/base/atomic.h, which C++ code cannot include.
 */
#ifndef FILCH_DETAIL_ATOMIC_H
#define FILCH_DETAIL_ATOMIC_H

#define filch__load_rlx(p) __atomic_load_n((p), __ATOMIC_RELAXED)
#define filch__xchg_rlx(p, v) __atomic_exchange_n((p), (v), __ATOMIC_RELAXED)

#endif
