/* SPDX-License-Identifier: MIT */
/* Updates are atomic: no two read the same store. */
#include "litmus.h"

THREAD(1, r[0] = add_rlx(x, 1);)
THREAD(2, r[1] = add_rlx(x, 1);)
THREAD(3, r[2] = add_rlx(x, 1);)
THREAD(4, )

RUN("litmus/atomicity", 3, OBSERVE(r[0]); OBSERVE(r[1]); OBSERVE(r[2]);
    CHECK(!(r[0] == r[1] || r[1] == r[2] || r[0] == r[2]));)
