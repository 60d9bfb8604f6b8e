/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "bench/report/report.h"

const struct report_paper report_papers[] = {
	{"000", "Block-based work stealing",
         "Wang, Trach, Fu, Behrens, Schwender, Liu, Lei, Vafeiadis, Härtig, Chen: BWoS: "
         "Formally Verified Block-based Work Stealing for Parallel Processing, OSDI 2023",
         report_figures_bwos, 4},
	{"001", "BWoS in EMPER",
         "Duwadi: Analysis of Novel Approaches for Work-Stealing Scheduling, master's "
         "thesis, University of Bamberg, 2025",
         report_figures_emper, 11},
	{"003", "Hiding latency",
         "Weidinger: Need for Speed: Latency-Hiding Work-Stealing, project report, "
         "University of Edinburgh, 2022",
         report_figures_latency, 3},
	{"004", "The overhead of a task",
         "Kumar, Frampton, Blackburn, Grove, Tardieu: Work-Stealing Without the Baggage, "
         "OOPSLA 2012",
         report_figures_baggage, 4},
};
const size_t report_papers_n = sizeof report_papers / sizeof *report_papers;

bool report_chosen(const struct report_choice *choice, const struct report_figure *f)
{
	for (size_t i = 0; i < choice->n; i++) {
		size_t n = strlen(choice->only[i]);

		/* The figure, or the paper that it is from. */
		if (!strncmp(f->id, choice->only[i], n) && (!f->id[n] || f->id[n] == '-'))
			return true;
	}
	return !choice->n;
}

static bool says(const struct report_cell *cell, const char *run)
{
	return cell->run && !strcmp(cell->run, run);
}

static bool chart_uses(const struct report_chart *c, const char *run)
{
	bool found = says(&c->cell, run);

	for (size_t i = 0; i < report_points(c); i++)
		found |= says(&c->point[i].cell, run);
	for (size_t i = 0; i < report_series(c); i++)
		found |= says(&c->series[i].cell, run);
	return found;
}

bool report_uses(const struct report_figure *f, const char *run)
{
	bool found = false;

	for (size_t i = 0; i < REPORT_CHARTS; i++)
		found |= chart_uses(&f->chart[i], run);
	for (size_t i = 0; i < REPORT_FINDINGS; i++)
		found |= says(&f->finding[i].cell, run);
	return found;
}

size_t report_points(const struct report_chart *chart)
{
	size_t n = 0;

	while (n < REPORT_POINTS && chart->point[n].label)
		n++;
	return n;
}

size_t report_series(const struct report_chart *chart)
{
	size_t n = 0;

	while (n < REPORT_SERIES && chart->series[n].label)
		n++;
	return n;
}

static const char *first(const char *a, const char *b, const char *c)
{
	return a ? a : b ? b : c;
}

struct report_cell report_cell_merge(const struct report_cell *a,
                                     const struct report_cell *b,
                                     const struct report_cell *c)
{
	return (struct report_cell){
		first(a->run, b->run, c->run), first(a->bench, b->bench, c->bench),
		first(a->impl, b->impl, c->impl), first(a->to, b->to, c->to),
		first(a->metric, b->metric, c->metric)};
}

struct report_value report_value_at(const struct report_chart *chart, size_t point,
                                    size_t series, const struct report_rows *rows)
{
	struct report_cell cell = report_cell_merge(
		&chart->series[series].cell, &chart->point[point].cell, &chart->cell);
	struct report_value value = report_rows_find(rows, &cell);

	if (chart->ns_per_operation)
		value.found &= value.least > 0;
	if (value.found && chart->ns_per_operation) {
		/* Of a million a second: the fewest take longest. */
		double most = 1000 / value.least;

		value.median = 1000 / value.median;
		value.least = 1000 / value.most;
		value.most = most;
	}
	return value;
}
