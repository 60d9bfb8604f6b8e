/* SPDX-License-Identifier: MIT */
/* RC11 does not order a seq_cst store and a later release across threads as C11 did (Lahav et al., figure 3): all may happen. */
#include "litmus.h"

THREAD(1, store_sc(x, 1); store_rel(y, 1);)
THREAD(2, r[0] = add_sc(y, 1); r[1] = load_rlx(y);)
THREAD(3, store_sc(y, 3); r[2] = load_sc(x);)
THREAD(4, )

RUN("litmus/z6u", 3, OBSERVE(r[0]); OBSERVE(r[1]); OBSERVE(r[2]);)
