/* SPDX-License-Identifier: MIT */
/* Store buffering with sequentially consistent fences. */
#include "litmus.h"

THREAD(1, store_rlx(x, 1); fence_sc(); r[0] = load_rlx(y);)
THREAD(2, store_rlx(y, 1); fence_sc(); r[1] = load_rlx(x);)
THREAD(3, )
THREAD(4, )

RUN("litmus/sb_fence", 2, OBSERVE(r[0]); OBSERVE(r[1]); CHECK(!(!r[0] && !r[1]));)
