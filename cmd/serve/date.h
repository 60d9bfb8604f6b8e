/* SPDX-License-Identifier: MIT */
/* Dates as HTTP writes them: Sun, 06 Nov 1994 08:49:37 GMT. */
#ifndef FILCH_CMD_SERVE_DATE_H
#define FILCH_CMD_SERVE_DATE_H

#include <stdbool.h>
#include <stdint.h>

#include "cmd/serve/text.h"

#define DATE_LENGTH 29u

/* Writes DATE_LENGTH characters. `seconds` count from 1970; the year is 1970 to 9999. */
void date_write(int64_t seconds, char *out);

/* Writes the current date. */
void date_write_now(char *out);

/* Reads a date, also in the two older formats (RFC 9110, 5.6.7). */
bool date_read(struct text t, int64_t *seconds);

/* The parts of a date in UTC. */
struct date {
	unsigned year, month, day; /* from 1 */
	unsigned hour, minute, second;
	unsigned weekday; /* 0 is Sunday */
};

struct date date_of(int64_t seconds);
extern const char date_months[12][4];

#endif
