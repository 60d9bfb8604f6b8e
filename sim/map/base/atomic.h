/* SPDX-License-Identifier: MIT */
/*
 * src/base/atomic.h for code that is simulated: the same operations, each of which tells
 * the simulator first and is then a plain access, since one thread runs at a time. The
 * orders make no difference; tests/tools/sim.sh compares the names.
 */
#ifndef FILCH_BASE_ATOMIC_H
#define FILCH_BASE_ATOMIC_H

#include "sim/cache.h"

#define _Atomic(type) type

#define SITE_(op_, p)                                                   \
	({                                                              \
		static struct sim_site site_ = {.file = __FILE__,       \
		                                .line = __LINE__,       \
		                                .op = (op_),            \
		                                .what = #p,             \
		                                .unit = __BASE_FILE__}; \
		&site_;                                                 \
	})

#define atomic_init(p, v) ((void)(*(p) = (v)))

#define LOAD_(op, p)                        \
	({                                  \
		__auto_type p_ = (p);       \
		sim_read(SITE_(op, p), p_); \
		*p_;                        \
	})
#define load_rlx(p) LOAD_("load_rlx", p)
#define load_acq(p) LOAD_("load_acq", p)
#define load_sc(p) LOAD_("load_sc", p)

#define STORE_(op, p, v, tell)             \
	({                                 \
		__typeof__(*(p)) v_ = (v); \
		__auto_type p_ = (p);      \
		tell(SITE_(op, p), p_);    \
		*p_ = v_;                  \
	})
#define store_rlx(p, v) STORE_("store_rlx", p, v, sim_write)
#define store_rel(p, v) STORE_("store_rel", p, v, sim_write)
#define store_sc(p, v) STORE_("store_sc", p, v, sim_update)

#define RMW_(op, p, v, expression)                     \
	({                                             \
		__typeof__(*(p)) v_ = (v), old_, new_; \
		__auto_type p_ = (p);                  \
		sim_update(SITE_(op, p), p_);          \
		old_ = *p_;                            \
		new_ = (__typeof__(*p_))(expression);  \
		*p_ = new_;                            \
		old_;                                  \
	})
#define xchg_rlx(p, v) RMW_("xchg_rlx", p, v, v_)
#define xchg_acq(p, v) RMW_("xchg_acq", p, v, v_)
#define xchg_rel(p, v) RMW_("xchg_rel", p, v, v_)
#define add_rlx(p, v) RMW_("add_rlx", p, v, old_ + v_)
#define add_rel(p, v) RMW_("add_rel", p, v, old_ + v_)
#define add_acq_rel(p, v) RMW_("add_acq_rel", p, v, old_ + v_)

#define CAS_(op, p, old, v)                        \
	({                                         \
		__typeof__(*(p)) v_ = (v), found_; \
		__typeof__(old) expected_ = (old); \
		__auto_type p_ = (p);              \
		bool same_;                        \
		sim_update(SITE_(op, p), p_);      \
		found_ = *p_;                      \
		same_ = found_ == *expected_;      \
		if (same_)                         \
			*p_ = v_;                  \
		else                               \
			*expected_ = found_;       \
		same_;                             \
	})
#define cas_rlx(p, old, v) CAS_("cas_rlx", p, old, v)
#define cas_acq_rel(p, old, v) CAS_("cas_acq_rel", p, old, v)
#define cas_rel(p, old, v) CAS_("cas_rel", p, old, v)
#define cas_sc(p, old, v) CAS_("cas_sc", p, old, v)

#define fence_sc() sim_fence()

#endif
