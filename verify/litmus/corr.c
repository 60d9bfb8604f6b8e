/* SPDX-License-Identifier: MIT */
/* Coherence: two loads do not see one location go back. */
#include "litmus.h"

THREAD(1, store_rlx(x, 1); store_rlx(x, 2);)
THREAD(2, r[0] = load_rlx(x); r[1] = load_rlx(x);)
THREAD(3, )
THREAD(4, )

RUN("litmus/corr", 2, OBSERVE(r[0]); OBSERVE(r[1]); CHECK(!(r[0] > r[1]));)
