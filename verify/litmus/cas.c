/* SPDX-License-Identifier: MIT */
/* One of two compare-and-swaps wins, and the loser learns what is there. */
#include "litmus.h"

THREAD(1, int e = 0; r[0] = cas_rlx(x, &e, 1) ? 10 : e;)
THREAD(2, int e = 0; r[1] = cas_rlx(x, &e, 2) ? 10 : e;)
THREAD(3, )
THREAD(4, )

RUN("litmus/cas", 2, OBSERVE(r[0]); OBSERVE(r[1]); CHECK(!(r[0] == 10 && r[1] == 10));)
