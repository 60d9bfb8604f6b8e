/* SPDX-License-Identifier: MIT */
/* A release sequence: an update by another thread carries the release on. */
#include "litmus.h"

THREAD(1, store_rlx(x, 1); store_rel(y, 1);)
THREAD(2, r[2] = add_rlx(y, 1);)
THREAD(3, r[0] = load_acq(y); r[1] = load_rlx(x);)
THREAD(4, )

RUN("litmus/rs", 3, OBSERVE(r[0]); OBSERVE(r[1]); OBSERVE(r[2]);
    CHECK(!(r[0] == 2 && r[2] == 1 && !r[1]));)
