/* SPDX-License-Identifier: MIT */
/*
 * filch bench report: runs the suites, and draws what the papers draw, in one page.
 *
 *	figures*.c  which figures there are, and which rows they show
 *	runs.c      which commands give those rows
 *	measure.c   runs them, child.c one of them
 *	rows.c      what they said; kept in a file, one JSON object a line
 *	machine.c   where that was
 *	chart.c     a chart as SVG
 *	page.c      the page, words.c the same in words, text.c what both need
 */
#ifndef FILCH_BENCH_REPORT_REPORT_H
#define FILCH_BENCH_REPORT_REPORT_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* ---- runs ---- */

enum { REPORT_QUICK, REPORT_FULL };

/* A command whose rows figures show. */
struct report_run {
	const char *id;
	const char *suite; /* of filch bench; NULL: verify/run, of the sources */
	const char *options;
	const char *more[2];       /* options of the quick set and of the full one */
	unsigned short seconds[2]; /* what it takes, about */
};

extern const struct report_run report_runs[];
extern const size_t report_runs_n;

/* The command as one would type it. */
void report_command(const struct report_run *run, int set, char *text, size_t size);

/* ---- rows ---- */

/* Names a row. In the table of figures, what is NULL is left to others to say. */
struct report_cell {
	const char *run, *bench, *impl, *to, *metric;
};

/* A row, measured once or several times. */
struct report_value {
	bool found;
	double median, least, most;
};

/* How a run ended. */
struct report_end {
	char run[32], command[512];
	char error[256]; /* empty: well */
};

struct report_machine {
	char date[32], set[8];
	char processor[96], processors[64], memory[32], system[96];
	char compiler[96], version[96];
	char load[48]; /* what else ran when it began */
};

struct report_rows {
	struct report_row *row;
	size_t n, room;
	struct report_end *end;
	size_t ends, end_room;
	struct report_machine machine;
	FILE *keep; /* NULL, or where each line goes too */
};

/* All end the command if there is no memory. */
void report_rows_take(struct report_rows *rows, const char *run, const char *line);
void report_rows_end(struct report_rows *rows, const struct report_end *end);
void report_rows_machine(struct report_rows *rows);

/* Adds a file that was kept. 0, or -1 after a message. */
int report_rows_read(struct report_rows *rows, const char *path);
void report_rows_free(struct report_rows *rows);

struct report_value report_rows_find(const struct report_rows *rows,
                                     const struct report_cell *cell);

/* How that run ended at last; NULL: it was not run. */
const struct report_end *report_rows_ended(const struct report_rows *rows,
                                           const char *run);

/* ---- figures ---- */

#define REPORT_POINTS 12
#define REPORT_SERIES 13
#define REPORT_CHARTS 2
#define REPORT_FINDINGS 8

/* Colours by meaning: Filch's are the same everywhere. */
enum report_colour {
	COLOUR_FILCH,
	COLOUR_FILCH_2, /* Filch in other ways */
	COLOUR_FILCH_3,
	COLOUR_PEER_1,
	COLOUR_PEER_2,
	COLOUR_PEER_3,
	COLOUR_PEER_4,
	COLOUR_LIMIT, /* ideal, serial: what one is measured by */
	COLOURS,
};

struct report_chart {
	const char *title;   /* NULL: it is the figure's only one */
	const char *unit;    /* of what is measured */
	const char *x_title; /* NULL: bars; else lines */
	bool log_x, log_y;
	bool ns_per_operation;   /* made of Mops/s */
	double mark;             /* a value to be marked: 1 for ratios */
	struct report_cell cell; /* what all have in common */
	struct report_point {
		const char *label;
		double x;
		struct report_cell cell;
	} point[REPORT_POINTS];
	struct report_series {
		const char *label;
		enum report_colour colour;
		struct report_cell cell;
	} series[REPORT_SERIES];
};

/* A sentence with # for the number. */
struct report_finding {
	const char *text;
	struct report_cell cell;
};

struct report_figure {
	const char *id, *name; /* "001-5.3", "Figure 5.3" */
	const char *title;
	const char *headline; /* the paper's */
	const char *note;     /* what is different here */
	struct report_finding finding[REPORT_FINDINGS];
	struct report_chart chart[REPORT_CHARTS];
};

struct report_paper {
	const char *id, *title, *citation;
	const struct report_figure *figure;
	size_t n;
};

extern const struct report_figure report_figures_bwos[], report_figures_emper[],
	report_figures_latency[], report_figures_baggage[];
extern const struct report_paper report_papers[];
extern const size_t report_papers_n;

/* The figures that were asked for. */
struct report_choice {
	const char *only[32]; /* figures, or papers; none: all */
	size_t n;
};

bool report_chosen(const struct report_choice *choice, const struct report_figure *f);

/* True if a chart or a sentence of the figure has rows of that run. */
bool report_uses(const struct report_figure *f, const char *run);

/* The first of these that says something, field by field. */
struct report_cell report_cell_merge(const struct report_cell *a,
                                     const struct report_cell *b,
                                     const struct report_cell *c);

/* ---- measuring and writing ---- */

/* Runs all that the figures need. Returns 0, 1 if a run failed, or 128 and the signal
 * that ended it. */
int report_measure(const struct report_choice *choice, int set, struct report_rows *rows);

/* What runs now, for the handler of signals; 0: nothing. */
extern volatile sig_atomic_t report_child_pid;

/* Runs one command and takes its rows. */
void report_child(const struct report_run *run, int set, struct report_rows *rows,
                  struct report_end *end);

/* Says where and with what it is measured. */
void report_machine(struct report_machine *machine, int set);

void report_chart(FILE *out, const struct report_chart *chart,
                  const struct report_rows *rows);
void report_page(FILE *out, const struct report_choice *choice,
                 const struct report_rows *rows);
void report_words(FILE *out, const struct report_choice *choice,
                  const struct report_rows *rows);

/* "oneTBB, lock": the series of which a chart of the figure has nothing, while it has of
 * others. False: there are none. */
bool report_absent(const struct report_figure *f, const struct report_rows *rows,
                   char *text, size_t size);

/* The sentences of the figure that have a number, each between these. */
void report_findings(FILE *out, const struct report_figure *f,
                     const struct report_rows *rows, const char *before,
                     const char *after, void (*put)(FILE *out, const char *text));

/* A number with three digits that count. */
void report_number(char *text, size_t size, double value);

/* The value of a point of a series. */
struct report_value report_value_at(const struct report_chart *chart, size_t point,
                                    size_t series, const struct report_rows *rows);
size_t report_points(const struct report_chart *chart);
size_t report_series(const struct report_chart *chart);

/* Text in HTML and SVG. */
void report_escape(FILE *out, const char *text);

int bench_report(int argc, char **argv);

#endif
