/* SPDX-License-Identifier: MIT */
/* Independent reads of independent writes, sequentially consistent: they agree. */
#include "litmus.h"

THREAD(1, store_sc(x, 1);)
THREAD(2, store_sc(y, 1);)
THREAD(3, r[0] = load_sc(x); r[1] = load_sc(y);)
THREAD(4, r[2] = load_sc(y); r[3] = load_sc(x);)

RUN("litmus/iriw_sc", 4, OBSERVE(r[0]); OBSERVE(r[1]); OBSERVE(r[2]); OBSERVE(r[3]);
    CHECK(!(r[0] && !r[1] && r[2] && !r[3]));)
