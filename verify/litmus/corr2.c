/* SPDX-License-Identifier: MIT */
/* Coherence: two readers agree on the order of two writers' stores. */
#include "litmus.h"

THREAD(1, store_rlx(x, 1);)
THREAD(2, store_rlx(x, 2);)
THREAD(3, r[0] = load_rlx(x); r[1] = load_rlx(x);)
THREAD(4, r[2] = load_rlx(x); r[3] = load_rlx(x);)

RUN("litmus/corr2", 4, OBSERVE(r[0]); OBSERVE(r[1]); OBSERVE(r[2]); OBSERVE(r[3]);
    CHECK(!((r[0] == 1 && r[1] == 2 && r[2] == 2 && r[3] == 1) ||
            (r[0] == 2 && r[1] == 1 && r[2] == 1 && r[3] == 2)));)
