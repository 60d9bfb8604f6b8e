/* SPDX-License-Identifier: MIT */
/*
 * Lines of the file that is parsed: events of a shop on the web, one JSON object each.
 * Most are of 200 bytes to 4 KiB, one in 4096 of 100 to 900 KB; some are no JSON, or no
 * event.
 */
#ifndef FILCH_BENCH_JSON_LINE_H
#define FILCH_BENCH_JSON_LINE_H

#include "base/random.h"
#include "bench/json/summary.h"

#define LINE_MOST ((size_t)1 << 20) /* bytes: longer than any line */

/* Makes the next line, with its end, and adds what it says to a summary. Returns its size. */
size_t line_make(char *text, struct filch__random *r, struct summary *says);

#endif
