/* SPDX-License-Identifier: MIT */
/* No release sequence through a plain relaxed store, not even one by the same thread (C++20). */
#include "litmus.h"

THREAD(1, store_rlx(x, 1); store_rel(y, 1); store_rlx(y, 2);)
THREAD(2, r[0] = load_acq(y); r[1] = load_rlx(x);)
THREAD(3, )
THREAD(4, )

RUN("litmus/rs_store", 2, OBSERVE(r[0]); OBSERVE(r[1]); CHECK(!(r[0] == 1 && !r[1]));)
