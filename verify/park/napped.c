/* SPDX-License-Identifier: MIT */
/*
 * A worker that lends its seat naps first, and a producer.
 */
#include "park/lend.h"

CLIENT("park/napped")
{
	lend_and_borrow(&state, &state);
}
