/* SPDX-License-Identifier: MIT */
/* Load buffering: RC11 forbids that both see the other's later store. */
#include "litmus.h"

THREAD(1, r[0] = load_rlx(x); store_rlx(y, 1);)
THREAD(2, r[1] = load_rlx(y); store_rlx(x, 1);)
THREAD(3, )
THREAD(4, )

RUN("litmus/lb", 2, OBSERVE(r[0]); OBSERVE(r[1]); CHECK(!(r[0] && r[1]));)
