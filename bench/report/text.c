/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "bench/report/report.h"

void report_escape(FILE *out, const char *text)
{
	for (; *text; text++)
		switch (*text) {
		case '&':
			fputs("&amp;", out);
			break;
		case '<':
			fputs("&lt;", out);
			break;
		case '>':
			fputs("&gt;", out);
			break;
		case '"':
			fputs("&quot;", out);
			break;
		default:
			putc(*text, out);
		}
}

void report_number(char *text, size_t size, double value)
{
	double amount = fabs(value);

	if (amount >= 100 || (amount >= 1 && value == floor(value)) || amount == 0)
		snprintf(text, size, "%.0f", value);
	else if (amount >= 10)
		snprintf(text, size, "%.1f", value);
	else if (amount >= 0.1)
		snprintf(text, size, "%.2f", value);
	else if (amount >= 0.001)
		snprintf(text, size, "%.4f", value);
	else
		snprintf(text, size, "%.1e", value);
}

/* "1.25", or "1.25 (1.1 to 1.3)" if it was measured several times. */
static void value_text(char *text, size_t size, const struct report_value *v)
{
	char median[32], least[32], most[32];

	report_number(median, sizeof median, v->median);
	report_number(least, sizeof least, v->least);
	report_number(most, sizeof most, v->most);
	if (!strcmp(least, most))
		snprintf(text, size, "%s", median);
	else
		snprintf(text, size, "%s (%s to %s)", median, least, most);
}

void report_findings(FILE *out, const struct report_figure *f,
                     const struct report_rows *rows, const char *before,
                     const char *after, void (*put)(FILE *out, const char *text))
{
	for (size_t i = 0; i < REPORT_FINDINGS && f->finding[i].text; i++) {
		struct report_value v = report_rows_find(rows, &f->finding[i].cell);
		const char *text = f->finding[i].text, *hash = strchr(text, '#');
		char number[128], line[384];

		if (!v.found)
			continue;
		value_text(number, sizeof number, &v);
		snprintf(line, sizeof line, "%.*s%s%s", (int)(hash - text), text, number,
		         hash + 1);
		fputs(before, out);
		put(out, line);
		fputs(after, out);
	}
}

static bool has_any(const struct report_chart *c, size_t series,
                    const struct report_rows *rows)
{
	for (size_t p = 0; p < report_points(c); p++)
		if (report_value_at(c, p, series, rows).found)
			return true;
	return false;
}

/* Adds a name, unless the list has it. */
static void list_name(char *text, size_t size, const char *name)
{
	size_t length = strlen(text), n = strlen(name);

	for (const char *at = text; (at = strstr(at, name)); at += n)
		if ((at == text || at[-1] == ' ') && (!at[n] || at[n] == ','))
			return;
	snprintf(text + length, size - length, "%s%s", length ? ", " : "", name);
}

bool report_absent(const struct report_figure *f, const struct report_rows *rows,
                   char *text, size_t size)
{
	*text = 0;
	for (size_t i = 0; i < REPORT_CHARTS && f->chart[i].unit; i++) {
		const struct report_chart *c = &f->chart[i];
		bool any = false;

		for (size_t s = 0; s < report_series(c); s++)
			any |= has_any(c, s, rows);
		for (size_t s = 0; any && s < report_series(c); s++)
			if (!has_any(c, s, rows))
				list_name(text, size, c->series[s].label);
	}
	return *text;
}
