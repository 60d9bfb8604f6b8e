/* SPDX-License-Identifier: MIT */
/*
 * src/base/atomic.h for code that runs under the model checker: the same operations, and
 * the same orders in their names (tests/tools/verify.sh compares the two).
 */
#ifndef FILCH_BASE_ATOMIC_H
#define FILCH_BASE_ATOMIC_H

#include "explore/explore.h"

/* A plain type: an access that is not one of the operations below is then seen as a plain
 * one, and reported. */
#define _Atomic(type) type

#define SITE_(op, p)                                                                   \
	({                                                                             \
		static const struct explore_site site_ = {__FILE__, __LINE__, op, #p}; \
		&site_;                                                                \
	})
#define VALUE_(v) ((uint64_t)(v))

#define atomic_init(p, v) explore_init(SITE_("init", p), (p), sizeof *(p), VALUE_(v))

#define LOAD_(op, p, order) \
	((__typeof__(*(p)))explore_load(SITE_(op, p), (p), sizeof *(p), EXPLORE_##order))
#define load_rlx(p) LOAD_("load_rlx", p, RLX)
#define load_acq(p) LOAD_("load_acq", p, ACQ)
#define load_sc(p) LOAD_("load_sc", p, SC)

#define STORE_(op, p, v, order) \
	explore_store(SITE_(op, p), (p), sizeof *(p), VALUE_(v), EXPLORE_##order)
#define store_rlx(p, v) STORE_("store_rlx", p, v, RLX)
#define store_rel(p, v) STORE_("store_rel", p, v, REL)
#define store_sc(p, v) STORE_("store_sc", p, v, SC)

#define RMW_(op, p, what, v, order)                                                    \
	((__typeof__(*(p)))explore_rmw(SITE_(op, p), (p), sizeof *(p), EXPLORE_##what, \
	                               VALUE_(v), EXPLORE_##order))
#define xchg_rlx(p, v) RMW_("xchg_rlx", p, XCHG, v, RLX)
#define xchg_acq(p, v) RMW_("xchg_acq", p, XCHG, v, ACQ)
#define xchg_rel(p, v) RMW_("xchg_rel", p, XCHG, v, REL)
#define add_rlx(p, v) RMW_("add_rlx", p, ADD, v, RLX)
#define add_rel(p, v) RMW_("add_rel", p, ADD, v, REL)
#define add_acq_rel(p, v) RMW_("add_acq_rel", p, ADD, v, ACQ_REL)

#define CAS_(op, p, old, v, ok, fail)                                              \
	({                                                                         \
		__typeof__(old) old_ = (old);                                      \
		uint64_t found_ = VALUE_(*old_);                                   \
		bool done_ = explore_cas(SITE_(op, p), (p), sizeof *(p), &found_,  \
		                         VALUE_(v), EXPLORE_##ok, EXPLORE_##fail); \
		*old_ = (__typeof__(*(p)))found_;                                  \
		done_;                                                             \
	})
#define cas_rlx(p, old, v) CAS_("cas_rlx", p, old, v, RLX, RLX)
#define cas_acq_rel(p, old, v) CAS_("cas_acq_rel", p, old, v, ACQ_REL, ACQ)
#define cas_rel(p, old, v) CAS_("cas_rel", p, old, v, REL, RLX)
#define cas_sc(p, old, v) CAS_("cas_sc", p, old, v, SC, SC)

#define fence_sc() explore_fence(SITE_("fence_sc", ), EXPLORE_SC)

#endif
