/* SPDX-License-Identifier: MIT */
/* The area under x^3 + x from 0 to 10000, halving until halving changes it by less
 * than one by the size. */
#include "bench/app/app.h"

#define END 10000.0

static inline double curve(double x)
{
	return (x * x + 1.0) * x;
}

TASK(double, integrate, (double, x1), (double, y1), (double, x2), (double, y2),
     (double, area), (double, near))
{
	double half = (x2 - x1) / 2, x0 = x1 + half, y0 = curve(x0);
	double left = (y1 + y0) / 2 * half, right = (y0 + y2) / 2 * half;
	double both = left + right;

	if (both - area < near && area - both < near)
		return both;
	SPAWN(a, integrate, x1, y1, x0, y0, left, near);
	double b = CALL(integrate, x0, y0, x2, y2, right, near);
	return JOIN(a) + b;
}

struct work {
	double near, area;
};

static void *prepare(size_t size)
{
	struct work *w = (struct work *)app_alloc(sizeof *w);

	w->near = 1 / (double)size;
	return w;
}

static void run(void *work, const struct app_host *host)
{
	struct work *w = (struct work *)work;

	RUN(w->area, host, integrate, 0.0, 0.0, END, curve(END), 0.0, w->near);
}

static uint64_t finish(void *work)
{
	uint64_t answer = app_digest(&((struct work *)work)->area, 1);

	free(work);
	return answer;
}

APP(integrate);
