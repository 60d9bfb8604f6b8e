/* SPDX-License-Identifier: MIT */
/* Message passing by fences. */
#include "litmus.h"

THREAD(1, store_rlx(x, 1); fence_rel(); store_rlx(y, 1);)
THREAD(2, r[0] = load_rlx(y); fence_acq(); r[1] = load_rlx(x);)
THREAD(3, )
THREAD(4, )

RUN("litmus/mp_fence", 2, OBSERVE(r[0]); OBSERVE(r[1]); CHECK(!(r[0] && !r[1]));)
