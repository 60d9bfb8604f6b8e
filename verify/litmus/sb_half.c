/* SPDX-License-Identifier: MIT */
/* Store buffering with one fence missing: both may miss. */
#include "litmus.h"

THREAD(1, store_rlx(x, 1); fence_sc(); r[0] = load_rlx(y);)
THREAD(2, store_rlx(y, 1); r[1] = load_rlx(x);)
THREAD(3, )
THREAD(4, )

RUN("litmus/sb_half", 2, OBSERVE(r[0]); OBSERVE(r[1]);)
