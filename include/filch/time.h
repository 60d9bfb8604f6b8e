/* SPDX-License-Identifier: MIT */
/*
 * Time, as deadlines use it: nanoseconds on a clock that never goes back
 * (CLOCK_MONOTONIC). A function whose name ends in _until takes such a time; with a
 * deadline that has passed, the call is a try. A strand may poll by such calls: at the
 * latest every 64th in a row lets other strands run.
 *
 *   filch_sleep(50 * FILCH_MS);
 *   n = filch_read_until(fd, buffer, size, filch_after(2 * FILCH_S));
 */
#ifndef FILCH_TIME_H
#define FILCH_TIME_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FILCH_NEVER UINT64_MAX

#define FILCH_US UINT64_C(1000)
#define FILCH_MS UINT64_C(1000000)
#define FILCH_S UINT64_C(1000000000)

/* Return the time now, and the time `ns` nanoseconds from now, or FILCH_NEVER if that is
 * beyond the range. */
uint64_t filch_now(void);
uint64_t filch_after(uint64_t ns);

/* Sleeps. If the caller is a strand, its worker does other work meanwhile; any other
 * thread just sleeps. A sleep that is over at once yields. Returns 0, or -ECANCELED if the
 * group or future that the caller's task belongs to is cancelled. */
int filch_sleep(uint64_t ns);
int filch_sleep_until(uint64_t deadline);

/* Lets other strands that are ready run first. */
void filch_yield(void);

#ifdef __cplusplus
}
#endif

#endif
