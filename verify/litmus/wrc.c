/* SPDX-License-Identifier: MIT */
/* Write to read causality: what T2 has seen and passed on, T3 sees. */
#include "litmus.h"

THREAD(1, store_rlx(x, 1);)
THREAD(2, r[0] = load_rlx(x); store_rel(y, 1);)
THREAD(3, r[1] = load_acq(y); r[2] = load_rlx(x);)
THREAD(4, )

RUN("litmus/wrc", 3, OBSERVE(r[0]); OBSERVE(r[1]); OBSERVE(r[2]);
    CHECK(!(r[0] && r[1] && !r[2]));)
