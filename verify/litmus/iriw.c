/* SPDX-License-Identifier: MIT */
/* Independent reads of independent writes: two readers may disagree on their order. */
#include "litmus.h"

THREAD(1, store_rel(x, 1);)
THREAD(2, store_rel(y, 1);)
THREAD(3, r[0] = load_acq(x); r[1] = load_acq(y);)
THREAD(4, r[2] = load_acq(y); r[3] = load_acq(x);)

RUN("litmus/iriw", 4, OBSERVE(r[0]); OBSERVE(r[1]); OBSERVE(r[2]); OBSERVE(r[3]);)
