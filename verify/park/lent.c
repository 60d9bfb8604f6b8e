/* SPDX-License-Identifier: MIT */
/*
 * A worker that lends its seat sleeps until it is called, and a producer.
 */
#include "park/lend.h"

CLIENT("park/lent")
{
	lend_and_borrow(&state, NULL);
}
