/* SPDX-License-Identifier: MIT */
/*
 * A chart as SVG, 340 wide: about as wide as a phone, where its text keeps its size. Bars
 * lie and have their names and values beside them; lines have marks of several shapes,
 * since not everybody can tell the colours apart. Colours and fonts are the page's.
 */
#include <math.h>

#include "bench/report/report.h"

#define WIDTH 340.0

/* Values to places. */
struct scale {
	double low, high; /* values */
	double from, to;  /* places */
	bool log;
};

static double place(const struct scale *s, double value)
{
	double part;

	if (s->log)
		part = value > s->low ? log(value / s->low) / log(s->high / s->low) : 0;
	else
		part = (value - s->low) / (s->high - s->low);
	return s->from + (s->to - s->from) * fmin(fmax(part, 0), 1);
}

/* The smallest above zero, and the largest. False: there are none. */
static bool extremes(const struct report_chart *c, const struct report_rows *rows,
                     double *least, double *most)
{
	*least = INFINITY;
	*most = 0;
	for (size_t p = 0; p < report_points(c); p++)
		for (size_t s = 0; s < report_series(c); s++) {
			struct report_value v = report_value_at(c, p, s, rows);

			if (v.found && v.least > 0)
				*least = fmin(*least, v.least);
			if (v.found)
				*most = fmax(*most, v.most);
		}
	return *most > 0;
}

/* What is between two ticks, of which there are four or more: 1, 2 or 5 times a power of
 * ten. */
static double tick_step(double most)
{
	double unit = pow(10, floor(log10(most / 4)));

	return most / 4 < 2 * unit ? unit : most / 4 < 5 * unit ? 2 * unit : 5 * unit;
}

static struct scale value_scale(const struct report_chart *c, double least, double most,
                                double from, double to)
{
	struct scale s = {0, most, from, to, c->log_y};

	if (!s.log && c->x_title)
		s.high = tick_step(most) * ceil(most / tick_step(most));
	if (!s.log)
		return s;
	s.low = pow(10, floor(log10(c->x_title ? least : least / 1.5)));
	s.high = c->x_title ? pow(10, ceil(log10(most))) : most;
	if (s.high <= s.low)
		s.high = 10 * s.low;
	return s;
}

static void begin(FILE *out, double height, const struct report_chart *c)
{
	fprintf(out, "<svg viewBox=\"0 0 %g %g\" role=\"img\" aria-label=\"", WIDTH,
	        height);
	report_escape(out, c->unit);
	fputs("\">\n", out);
}

static void text(FILE *out, double x, double y, const char *class, const char *string)
{
	fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">", x, y, class);
	report_escape(out, string);
	fputs("</text>\n", out);
}

static void line(FILE *out, const char *class, double x1, double y1, double x2, double y2)
{
	fprintf(out,
	        "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
	        class, x1, y1, x2, y2);
}

/* ---- bars ---- */

#define BAR_LEFT 122.0
#define BAR_RIGHT 286.0
#define BAR_STEP 16.0
#define HEAD_STEP 20.0

static void bar(FILE *out, double y, const struct report_series *s,
                const struct report_value *v, const struct scale *scale)
{
	double end = place(scale, v->median), most = place(scale, v->most);
	char number[32];

	text(out, 0, y + 11, "t", s->label);
	fprintf(out,
	        "<rect class=\"c%d\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
	        "height=\"12\"/>\n",
	        (int)s->colour, scale->from, y + 1, fmax(end - scale->from, 0.5));
	if (v->most > v->least)
		line(out, "r", place(scale, v->least), y + 7, most, y + 7);
	report_number(number, sizeof number, v->median);
	text(out, fmax(end, most) + 4, y + 11, "t", number);
}

static double bars_height(const struct report_chart *c, const struct report_rows *rows)
{
	size_t points = report_points(c);
	double height = 4;

	for (size_t p = 0; p < points; p++) {
		size_t n = 0;

		for (size_t s = 0; s < report_series(c); s++)
			n += report_value_at(c, p, s, rows).found;
		height += (double)n * BAR_STEP + (n && points > 1 ? HEAD_STEP : 0);
	}
	return height;
}

static void bars(FILE *out, const struct report_chart *c, const struct report_rows *rows,
                 double least, double most)
{
	struct scale scale = value_scale(c, least, most, BAR_LEFT, BAR_RIGHT);
	double y = 0, height = bars_height(c, rows);

	begin(out, height, c);
	if (c->mark > scale.low && c->mark < scale.high)
		line(out, "k", place(&scale, c->mark), 0, place(&scale, c->mark), height);
	for (size_t p = 0; p < report_points(c); p++) {
		bool headed = report_points(c) == 1;

		for (size_t s = 0; s < report_series(c); s++) {
			struct report_value v = report_value_at(c, p, s, rows);

			if (!v.found)
				continue;
			if (!headed) {
				text(out, 0, y + 15, "h", c->point[p].label);
				y += HEAD_STEP;
			}
			headed = true;
			bar(out, y, &c->series[s], &v, &scale);
			y += BAR_STEP;
		}
	}
	fputs("</svg>\n", out);
}

/* ---- lines ---- */

#define TOP 8.0
#define BOTTOM 176.0
#define LEFT 44.0
#define RIGHT 328.0
#define LEGEND_STEP 17.0

static void mark(FILE *out, size_t shape, int colour, double x, double y)
{
	static const char *const path[] = {"m-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
	                                   "m-4 -4h8v8h-8z", "m0 -5l5 9h-10z",
	                                   "m0 -5l5 5l-5 5l-5 -5z", "m0 5l5 -9h-10z"};

	fprintf(out, "<path class=\"c%d\" d=\"M%.1f %.1f%s\"/>\n", colour, x, y,
	        path[shape % (sizeof path / sizeof *path)]);
}

static struct scale x_scale(const struct report_chart *c)
{
	size_t n = report_points(c);

	return (struct scale){c->point[0].x, c->point[n - 1].x, LEFT + 8, RIGHT - 8,
	                      c->log_x};
}

static void tick(FILE *out, const struct scale *y, double value)
{
	double at = place(y, value);
	char number[32];

	if (value >= 1e6)
		snprintf(number, sizeof number, "%gM", value * 1e-6);
	else if (value >= 1e4)
		snprintf(number, sizeof number, "%gk", value * 1e-3);
	else
		snprintf(number, sizeof number, "%g", value);
	line(out, "g", LEFT, at, RIGHT, at);
	text(out, LEFT - 4, at + 4, "e", number);
}

static void ticks(FILE *out, const struct scale *y)
{
	double v = y->log ? y->low : 0, step = tick_step(y->high);

	while (v < y->high * 1.01) {
		tick(out, y, v);
		v = y->log ? v * 10 : v + step;
	}
}

static void axes(FILE *out, const struct report_chart *c, const struct scale *x,
                 const struct scale *y)
{
	double last = -100;

	ticks(out, y);
	for (size_t p = 0; p < report_points(c); p++) {
		double at = place(x, c->point[p].x);

		if (at - last < 14)
			continue;
		text(out, at, BOTTOM + 15, "x", c->point[p].label);
		last = at;
	}
	text(out, (LEFT + RIGHT) / 2, BOTTOM + 31, "x", c->x_title);
}

static void curve(FILE *out, const struct report_chart *c, const struct report_rows *rows,
                  size_t s, const struct scale *x, const struct scale *y)
{
	int colour = (int)c->series[s].colour;
	bool first = true;

	fprintf(out, "<path class=\"l l%d\" d=\"", colour);
	for (size_t p = 0; p < report_points(c); p++) {
		struct report_value v = report_value_at(c, p, s, rows);

		if (v.found)
			fprintf(out, "%c%.1f %.1f", first ? 'M' : 'L',
			        place(x, c->point[p].x), place(y, v.median));
		first &= !v.found;
	}
	fputs(first ? "M0 0\"/>\n" : "\"/>\n", out);
	for (size_t p = 0; p < report_points(c); p++) {
		struct report_value v = report_value_at(c, p, s, rows);
		double at = place(x, c->point[p].x);

		if (!v.found)
			continue;
		if (v.most > v.least)
			line(out, "r", at, place(y, v.least), at, place(y, v.most));
		mark(out, s, colour, at, place(y, v.median));
	}
}

static void lines(FILE *out, const struct report_chart *c, const struct report_rows *rows,
                  double least, double most)
{
	struct scale x = x_scale(c), y = value_scale(c, least, most, BOTTOM, TOP);
	double legend = BOTTOM + 52;
	size_t n = report_series(c), legends = (n + 1) / 2; /* two in a line */

	begin(out, legend + LEGEND_STEP * (double)legends - 10, c);
	axes(out, c, &x, &y);
	/* The first last: Filch's lies on top. */
	for (size_t s = n; s-- > 0;)
		curve(out, c, rows, s, &x, &y);
	for (size_t s = 0; s < n; s++) {
		size_t line = s / 2;
		double at = s % 2 ? 184 : LEFT - 30, down = (double)line * LEGEND_STEP;

		mark(out, s, (int)c->series[s].colour, at, legend + down - 4);
		text(out, at + 10, legend + down, "t", c->series[s].label);
	}
	fputs("</svg>\n", out);
}

void report_chart(FILE *out, const struct report_chart *c, const struct report_rows *rows)
{
	double least, most;

	if (!extremes(c, rows, &least, &most))
		fputs("<p class=\"missing\">Nothing was measured for this chart.</p>\n",
		      out);
	else if (c->x_title)
		lines(out, c, rows, least, most);
	else
		bars(out, c, rows, least, most);
}
