/* SPDX-License-Identifier: MIT */
/* The cells as a map for people: 80 columns. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/envelope/run.h"

#define PLAIN "\033[0m"

static bool has_colours(void)
{
	const char *term = getenv("TERM"), *no = getenv("NO_COLOR");

	return isatty(STDOUT_FILENO) && term && *term && strcmp(term, "dumb") != 0 &&
	       (!no || !*no);
}

/* From green to red: white on the colours of a terminal that has 256. */
static const char *colour(double overhead)
{
	static const struct {
		double most;
		const char *text;
	} steps[] = {
		{0.95, "\033[97;48;5;28m"},  {1.05, "\033[97;48;5;22m"},
		{1.30, "\033[97;48;5;58m"},  {1.60, "\033[97;48;5;94m"},
		{2.20, "\033[97;48;5;130m"}, {1e300, "\033[97;48;5;124m"},
	};
	size_t i = 0;

	while (overhead > steps[i].most)
		i++;
	return steps[i].text;
}

static void print_shade(const struct envelope_shade *s, bool colours)
{
	if (s->overhead <= 0)
		printf(" %5s", "-");
	else
		printf(" %s%*.*f%c%s", colours ? colour(s->overhead) : "", 4,
		       s->overhead < 9.995   ? 2
		       : s->overhead < 99.95 ? 1
		                             : 0,
		       s->overhead, s->best, colours ? PLAIN : "");
}

void envelope_map(const char *title, const struct envelope_shade shade[ENVELOPE_CELLS])
{
	bool colours = has_colours();

	printf("\n%s\n%-14s", title, "  kind gap");
	for (size_t w = 0; w < ENVELOPE_WORKS; w++)
		printf(" %5s", envelope_works[w].name);
	for (size_t row = 0; row < ENVELOPE_KINDS * ENVELOPE_GAPS; row++) {
		char name[32];

		snprintf(name, sizeof name, "%s %s", envelope_kinds[row / ENVELOPE_GAPS],
		         envelope_gaps[row % ENVELOPE_GAPS].name);
		printf("\n%-14s", name);
		for (size_t w = 0; w < ENVELOPE_WORKS; w++)
			print_shade(&shade[row * ENVELOPE_WORKS + w], colours);
	}
	putchar('\n');
}
