/* SPDX-License-Identifier: MIT */
/* What the page shows, in words, as Markdown: docs/results.md. */
#include <string.h>

#include "bench/report/report.h"

static void plain(FILE *out, const char *text)
{
	fputs(text, out);
}

static void figure(FILE *out, const struct report_figure *f,
                   const struct report_rows *rows)
{
	char absent[512];

	fprintf(out, "\n### %s: %s\n\nPaper: %s\n\nHere:\n\n", f->name, f->title,
	        f->headline);
	report_findings(out, f, rows, "- ", "\n", plain);
	fprintf(out, "\n%s\n", f->note);
	if (report_absent(f, rows, absent, sizeof absent))
		fprintf(out, "\nNot measured: %s.\n", absent);
	fputs("\n```sh\n", out);
	for (size_t i = 0; i < report_runs_n; i++) {
		const struct report_end *end = report_rows_ended(rows, report_runs[i].id);

		if (report_uses(f, report_runs[i].id) && end)
			fprintf(out, "%s%s%s\n", end->command,
			        *end->error ? " # failed: " : "", end->error);
	}
	fputs("```\n", out);
}

void report_words(FILE *out, const struct report_choice *choice,
                  const struct report_rows *rows)
{
	const struct report_machine *m = &rows->machine;

	fputs("# Results\n\n"
	      "What the papers that Filch is built on have measured, beside the same "
	      "measured here. Written by `filch bench report --words`; the page of the "
	      "same run has the plots:\n\n"
	      "```sh\n",
	      out);
	fprintf(out,
	        "build/filch bench report --%s --rows rows.json --words docs/results.md\n"
	        "build/filch bench report --from rows.json --words "
	        "docs/results.md\n```\n\n",
	        *m->set ? m->set : "quick");
	fprintf(out,
	        "Measured with %s, %s, %s of memory, %s, %s; Filch %s; load %s. Numbers "
	        "are medians; where there were several runs, the least and the most are "
	        "beside them.",
	        m->processor, m->processors, m->memory, m->system, m->compiler,
	        m->version, *m->load ? m->load : "unknown");
	fputs(strcmp(m->set, "full") ? " This is the quick set: problems are smaller and "
	                               "rounds fewer than those of the suites by "
	                               "themselves, whose figures are in the README.\n"
	                             : "\n",
	      out);
	for (size_t p = 0; p < report_papers_n; p++) {
		const struct report_paper *paper = &report_papers[p];
		bool begun = false;

		for (size_t i = 0; i < paper->n; i++) {
			if (!report_chosen(choice, &paper->figure[i]))
				continue;
			if (!begun)
				fprintf(out, "\n## %s\n\n%s.\n", paper->title,
				        paper->citation);
			begun = true;
			figure(out, &paper->figure[i], rows);
		}
	}
}
