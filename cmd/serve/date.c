/* SPDX-License-Identifier: MIT */
#include "cmd/serve/date.h"

#include <time.h>

const char date_months[12][4] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                 "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

static const char weekdays[7][4] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};

#define DAY 86400
#define ERA 146097 /* days of 400 years */

/* gmtime_r() of the C library takes a lock. Years that begin in March have their leap day
 * at the end, so days and years follow from each other by division. */
struct date date_of(int64_t seconds)
{
	uint64_t s = seconds < 0 ? 0 : (uint64_t)seconds;
	uint64_t days = s / DAY + 719468; /* since 0000-03-01 */
	uint64_t in_era = days % ERA;
	uint64_t year = (in_era - in_era / 1460 + in_era / 36524 - in_era / 146096) / 365;
	uint64_t day = in_era - (365 * year + year / 4 - year / 100);
	uint64_t month = (5 * day + 2) / 153; /* 0 is March */

	return (struct date){
		.year = (unsigned)(year + days / ERA * 400 + (month >= 10)),
		.month = (unsigned)(month < 10 ? month + 3 : month - 9),
		.day = (unsigned)(day - (153 * month + 2) / 5 + 1),
		.hour = (unsigned)(s % DAY / 3600),
		.minute = (unsigned)(s % 3600 / 60),
		.second = (unsigned)(s % 60),
		.weekday = (unsigned)((days + 3) % 7),
	};
}

static void two(char *out, unsigned value)
{
	out[0] = (char)('0' + value / 10 % 10);
	out[1] = (char)('0' + value % 10);
}

void date_write(int64_t seconds, char *out)
{
	struct date d = date_of(seconds);

	memcpy(out, weekdays[d.weekday], 3);
	memcpy(out + 3, ", ", 2);
	two(out + 5, d.day);
	out[7] = ' ';
	memcpy(out + 8, date_months[d.month - 1], 3);
	out[11] = ' ';
	two(out + 12, d.year / 100);
	two(out + 14, d.year);
	out[16] = ' ';
	two(out + 17, d.hour);
	out[19] = ':';
	two(out + 20, d.minute);
	out[22] = ':';
	two(out + 23, d.second);
	memcpy(out + 25, " GMT", 4);
}

/* Not inlined: a strand that has waited may be on another thread, so the address of
 * `last` must be computed anew in each call. */
__attribute__((noinline)) void date_write_now(char *out)
{
	static _Thread_local struct {
		time_t when;
		char text[DATE_LENGTH];
	} last;
	time_t now = time(NULL);

	if (now != last.when) {
		last.when = now;
		date_write(now, last.text);
	}
	memcpy(out, last.text, DATE_LENGTH);
}

bool date_read(struct text t, int64_t *seconds)
{
	static const char *const formats[] = {"%a, %d %b %Y %H:%M:%S GMT",
	                                      "%A, %d-%b-%y %H:%M:%S GMT",
	                                      "%a %b %d %H:%M:%S %Y"};
	char copy[64];

	if (!t.length || t.length >= sizeof copy)
		return false;
	memcpy(copy, t.at, t.length);
	copy[t.length] = 0;
	for (size_t i = 0; i < 3; i++) {
		struct tm tm = {0};
		const char *end = strptime(copy, formats[i], &tm);

		if (!end || *end)
			continue;
		*seconds = timegm(&tm);
		return true;
	}
	return false;
}
