/* SPDX-License-Identifier: MIT */
/* Message passing without release: the flag may overtake the data. */
#include "litmus.h"

THREAD(1, store_rlx(x, 1); store_rlx(y, 1);)
THREAD(2, r[0] = load_acq(y); r[1] = load_rlx(x);)
THREAD(3, )
THREAD(4, )

RUN("litmus/mp_rlx", 2, OBSERVE(r[0]); OBSERVE(r[1]);)
