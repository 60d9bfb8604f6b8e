/* SPDX-License-Identifier: MIT */
/* Two threads store to two locations in opposite order: each location may keep its first. */
#include "litmus.h"

THREAD(1, store_rlx(x, 1); store_rlx(y, 2);)
THREAD(2, store_rlx(y, 1); store_rlx(x, 2);)
THREAD(3, )
THREAD(4, )

RUN("litmus/2+2w", 2, OBSERVE(load_rlx(&state.x)); OBSERVE(load_rlx(&state.y));)
