/* SPDX-License-Identifier: MIT */
/* The same, sequentially consistent: not both keep their first. */
#include "litmus.h"

THREAD(1, store_sc(x, 1); store_sc(y, 2);)
THREAD(2, store_sc(y, 1); store_sc(x, 2);)
THREAD(3, )
THREAD(4, )

RUN("litmus/2+2w_sc", 2, OBSERVE(load_rlx(&state.x)); OBSERVE(load_rlx(&state.y));
    CHECK(!(load_rlx(&state.x) == 1 && load_rlx(&state.y) == 1));)
