/* SPDX-License-Identifier: MIT */
/* Store buffering: both may miss the other's store. */
#include "litmus.h"

THREAD(1, store_rel(x, 1); r[0] = load_acq(y);)
THREAD(2, store_rel(y, 1); r[1] = load_acq(x);)
THREAD(3, )
THREAD(4, )

RUN("litmus/sb", 2, OBSERVE(r[0]); OBSERVE(r[1]);)
