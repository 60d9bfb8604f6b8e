/* SPDX-License-Identifier: MIT */
/*
 * The page: one file, no script, no font, nothing from elsewhere. Readable on a phone and
 * in the dark, where all colours are others.
 */
#include <string.h>

#include "bench/report/report.h"

/* Colours are those of Okabe and Ito, which people who are colour-blind can tell apart,
 * lighter in the dark. */
static const char head[] =
	"<!DOCTYPE html>\n"
	"<html lang=\"en\">\n"
	"<head>\n"
	"<meta charset=\"utf-8\">\n"
	"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	"<meta name=\"color-scheme\" content=\"light dark\">\n"
	"<title>Filch beside the papers</title>\n"
	"<style>\n"
	":root{--back:#fff;--card:#f6f7f9;--text:#1b1f24;--soft:#555e68;--rule:#d5d9de;"
	"--link:#00568a;--c0:#0072b2;--c1:#3a8fc7;--c2:#7a86c8;--c3:#d55e00;--c4:#00875f;"
	"--c5:#b0558a;--c6:#a97800;--c7:#6f7780}\n"
	"@media (prefers-color-scheme:dark){:root{--back:#14171a;--card:#1e2226;"
	"--text:#e8eaed;--soft:#b0b7bf;--rule:#3a4046;--link:#8cc8f2;--c0:#56b4e9;"
	"--c1:#3b8fc4;--c2:#98a4e6;--c3:#ff8b3d;--c4:#2fc796;--c5:#e59cc6;--c6:#f0c040;"
	"--c7:#99a1a9}}\n"
	"*{box-sizing:border-box}\n"
	"body{margin:0 auto;max-width:64rem;padding:0 .6rem 3rem;background:var(--back);"
	"color:var(--text);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}\n"
	"h1{font-size:1.6rem;line-height:1.2}h2{margin-top:2.5rem}h3{margin:0 0 .5rem}\n"
	"a{color:var(--link)}\n"
	"section section{background:var(--card);border:1px solid var(--rule);"
	"border-radius:.5rem;margin:1rem 0;padding:.7rem}\n"
	"section section section{border:0;margin:0;padding:0}\n"
	"svg{display:block;width:100%;max-width:30rem;height:auto}\n"
	"svg text{font:12px system-ui,sans-serif;fill:var(--text);"
	"paint-order:stroke;stroke:var(--card);stroke-width:3px}\n"
	"svg .h{font-weight:bold}svg .e{text-anchor:end}svg .x{text-anchor:middle}\n"
	"svg .g{stroke:var(--rule)}svg .l{fill:none;stroke-width:2}\n"
	"svg .r{stroke:var(--text);stroke-width:1.5}\n"
	"svg .k{stroke:var(--text);stroke-dasharray:3 3}\n"
	".cite,.unit,.foot,.missing{color:var(--soft);font-size:.9rem}\n"
	".unit{margin:.5rem 0}.foot{margin:.6rem 0 0}\n"
	".wide{overflow-x:auto}\n"
	"table{border-collapse:collapse;font-size:.9rem}\n"
	"th,td{padding:.15rem .5rem;text-align:right;border-bottom:1px solid var(--rule);"
	"overflow-wrap:normal}\n"
	"th:first-child{text-align:left}\n"
	"dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem "
	".8rem;margin:0}\n"
	"dt{color:var(--soft)}dd{margin:0}ul{margin:.3rem 0;padding-left:1.2rem}\n"
	"code{font:.85em ui-monospace,monospace}\n"
	"summary{cursor:pointer;margin-top:.6rem}\n"
	"@media (min-width:52rem){.sides{display:grid;grid-template-columns:30rem 1fr;"
	"gap:1.5rem}}\n";

static void colours(FILE *out)
{
	for (int i = 0; i < COLOURS; i++)
		fprintf(out, "svg .c%d{fill:var(--c%d)}svg .l%d{stroke:var(--c%d)}\n", i,
		        i, i, i);
}

/* <p><b>who</b> text</p> */
static void paragraph(FILE *out, const char *who, const char *text)
{
	fprintf(out, "<p><b>%s</b> ", who);
	report_escape(out, text);
	fputs("</p>\n", out);
}

static void number_cell(FILE *out, const struct report_value *v)
{
	char number[32];

	if (v->found)
		report_number(number, sizeof number, v->median);
	fprintf(out, "<td>%s", v->found ? number : "");
	if (v->found && v->most > v->least) {
		report_number(number, sizeof number, v->least);
		fprintf(out, " (%s to ", number);
		report_number(number, sizeof number, v->most);
		fprintf(out, "%s)", number);
	}
	fputs("</td>", out);
}

/* The numbers of a chart. A row a series: there are more of them than of points. */
static void table(FILE *out, const struct report_chart *c, const struct report_rows *rows)
{
	fputs("<div class=\"wide\"><table><tr><th>", out);
	report_escape(out, c->x_title ? c->x_title : "");
	fputs("</th>", out);
	for (size_t s = 0; s < report_series(c); s++) {
		fputs("<th>", out);
		report_escape(out, c->series[s].label);
		fputs("</th>", out);
	}
	fputs("</tr>\n", out);
	for (size_t p = 0; p < report_points(c); p++) {
		fputs("<tr><th>", out);
		report_escape(out, c->point[p].label);
		fputs("</th>", out);
		for (size_t s = 0; s < report_series(c); s++) {
			struct report_value v = report_value_at(c, p, s, rows);

			number_cell(out, &v);
		}
		fputs("</tr>\n", out);
	}
	fputs("</table></div>\n", out);
}

static void charts(FILE *out, const struct report_figure *f,
                   const struct report_rows *rows)
{
	char absent[512];

	for (size_t i = 0; i < REPORT_CHARTS && f->chart[i].unit; i++) {
		const struct report_chart *c = &f->chart[i];

		fputs("<p class=\"unit\">", out);
		if (c->title) {
			fputs("<b>", out);
			report_escape(out, c->title);
			fputs("</b>, ", out);
		}
		report_escape(out, c->unit);
		fputs("</p>\n", out);
		report_chart(out, c, rows);
	}
	if (report_absent(f, rows, absent, sizeof absent)) {
		fputs("<p class=\"missing\">Not measured here: ", out);
		report_escape(out, absent);
		fputs(".</p>\n", out);
	}
}

static void tables(FILE *out, const struct report_figure *f,
                   const struct report_rows *rows)
{
	fputs("<details><summary>The numbers</summary>\n", out);
	for (size_t i = 0; i < REPORT_CHARTS && f->chart[i].unit; i++) {
		paragraph(out, f->chart[i].title ? f->chart[i].title : "",
		          f->chart[i].unit);
		table(out, &f->chart[i], rows);
	}
	fputs("</details>\n", out);
}

/* A command, and what became of it if it failed. */
static void command(FILE *out, const struct report_run *run,
                    const struct report_rows *rows)
{
	const struct report_end *end = report_rows_ended(rows, run->id);
	char text[512];

	report_command(run, !strcmp(rows->machine.set, "full"), text, sizeof text);
	fputs("<p class=\"foot\"><code>", out);
	report_escape(out, end ? end->command : text);
	fputs("</code>", out);
	if (!end || *end->error)
		fputs(end ? " <b>failed:</b> " : " <b>was not run</b>", out);
	report_escape(out, end ? end->error : "");
	fputs("</p>\n", out);
}

/* Behind a summary if they are many. */
static void commands(FILE *out, const struct report_figure *f,
                     const struct report_rows *rows)
{
	size_t n = 0;

	for (size_t i = 0; i < report_runs_n; i++)
		n += report_uses(f, report_runs[i].id);
	if (n > 2)
		fprintf(out, "<details><summary>The %zu commands</summary>\n", n);
	for (size_t i = 0; i < report_runs_n; i++)
		if (report_uses(f, report_runs[i].id))
			command(out, &report_runs[i], rows);
	if (n > 2)
		fputs("</details>\n", out);
}

static void figure(FILE *out, const struct report_figure *f,
                   const struct report_rows *rows)
{
	const struct report_machine *m = &rows->machine;

	fprintf(out, "<section id=\"f%s\">\n<h3>%s: ", f->id, f->name);
	report_escape(out, f->title);
	fputs("</h3>\n<div class=\"sides\"><div>\n", out);
	charts(out, f, rows);
	fputs("</div><div>\n", out);
	paragraph(out, "Paper:", f->headline);
	fputs("<p><b>Here:</b></p>\n<ul>\n", out);
	report_findings(out, f, rows, "<li>", "</li>\n", report_escape);
	fputs("</ul>\n", out);
	paragraph(out, "What is different:", f->note);
	fputs("</div></div>\n", out);
	tables(out, f, rows);
	fputs("<p class=\"foot\">", out);
	report_escape(out, m->processor);
	fputs(", ", out);
	report_escape(out, m->processors);
	fputs("; Filch ", out);
	report_escape(out, m->version);
	fputs("; ", out);
	report_escape(out, m->date);
	fputs("</p>\n", out);
	commands(out, f, rows);
	fputs("</section>\n", out);
}

static void machine(FILE *out, const struct report_machine *m)
{
	const struct {
		const char *name, *value;
	} row[] = {{"Processor", m->processor},
	           {"Used", m->processors},
	           {"Memory", m->memory},
	           {"System", m->system},
	           {"Compiler", m->compiler},
	           {"Filch", m->version},
	           {"Load", *m->load ? m->load : "unknown"},
	           {"Date", m->date},
	           {"Set", m->set}};

	fputs("<dl>\n", out);
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		fprintf(out, "<dt>%s</dt><dd>", row[i].name);
		report_escape(out, row[i].value);
		fputs("</dd>\n", out);
	}
	fputs("</dl>\n", out);
}

/* Links to the figures. */
static void contents(FILE *out, const struct report_choice *choice)
{
	fputs("<nav><ul>\n", out);
	for (size_t p = 0; p < report_papers_n; p++) {
		const struct report_paper *paper = &report_papers[p];

		for (size_t i = 0; i < paper->n; i++)
			if (report_chosen(choice, &paper->figure[i])) {
				fprintf(out, "<li><a href=\"#f%s\">%s, %s</a>: ",
				        paper->figure[i].id, paper->id,
				        paper->figure[i].name);
				report_escape(out, paper->figure[i].title);
				fputs("</li>\n", out);
			}
	}
	fputs("</ul></nav>\n", out);
}

static void paper(FILE *out, const struct report_paper *paper,
                  const struct report_choice *choice, const struct report_rows *rows)
{
	bool any = false;

	for (size_t i = 0; i < paper->n; i++)
		any |= report_chosen(choice, &paper->figure[i]);
	if (!any)
		return;
	fputs("<section>\n<h2>", out);
	report_escape(out, paper->title);
	fputs("</h2>\n<p class=\"cite\">", out);
	report_escape(out, paper->citation);
	fputs("</p>\n", out);
	for (size_t i = 0; i < paper->n; i++)
		if (report_chosen(choice, &paper->figure[i]))
			figure(out, &paper->figure[i], rows);
	fputs("</section>\n", out);
}

void report_page(FILE *out, const struct report_choice *choice,
                 const struct report_rows *rows)
{
	fputs(head, out);
	colours(out);
	fputs("</style>\n</head>\n<body>\n<h1>Filch beside the papers</h1>\n"
	      "<p>What the papers that Filch is built on have measured, measured here: "
	      "implementations run interleaved, answers are checked, values are medians, "
	      "thin lines go from the least to the most of several runs, and a dashed "
	      "one "
	      "marks where a ratio is 1. The papers' machines had up to 96 cores: read "
	      "ratios, not times.</p>\n",
	      out);
	machine(out, &rows->machine);
	contents(out, choice);
	for (size_t i = 0; i < report_papers_n; i++)
		paper(out, &report_papers[i], choice, rows);
	fputs("</body>\n</html>\n", out);
}
