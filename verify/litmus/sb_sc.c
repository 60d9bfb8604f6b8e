/* SPDX-License-Identifier: MIT */
/* Store buffering, sequentially consistent: one sees the other. */
#include "litmus.h"

THREAD(1, store_sc(x, 1); r[0] = load_sc(y);)
THREAD(2, store_sc(y, 1); r[1] = load_sc(x);)
THREAD(3, )
THREAD(4, )

RUN("litmus/sb_sc", 2, OBSERVE(r[0]); OBSERVE(r[1]); CHECK(!(!r[0] && !r[1]));)
