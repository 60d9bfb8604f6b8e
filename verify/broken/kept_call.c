/* SPDX-License-Identifier: MIT */
/* fails: lost wake-up */
/*
 * Parking, with a worker that was called, found work by itself, and does not pass the call
 * on: the other one sleeps though there is an item.
 */
#define PASS_ON false
#include "park/two.c"
