/* SPDX-License-Identifier: MIT */
#include <jansson.h>
#include <stdio.h>

#include "base/clock.h"
#include "bench/json/run.h"

#define TOLD 3 /* rejected lines that are named */

/* Once: all implementations find the same. */
static void tell(const struct events_file *f, const struct summary *s)
{
	static bool told;

	if (told)
		return;
	told = true;
	fprintf(stderr,
	        "filch bench json: %.1f MB, %llu lines, %zu paths; %zu lines are no "
	        "events:\n",
	        (double)f->size * 1e-6, (unsigned long long)s->lines, s->rows,
	        s->rejects);
	for (size_t i = 0; i < s->rejects && i < TOLD; i++)
		fprintf(stderr, "  line %llu: %s\n",
		        (unsigned long long)s->reject[i].line, s->reject[i].why);
	if (s->rejects > TOLD)
		fputs("  ...\n", stderr);
}

bool events_measure(const struct rounds_run *run, double *out,
                    void (*summarise)(const struct events_file *f, struct summary *s,
                                      struct filch_pool *pool))
{
	const struct events_file *f = events_file(run->size);
	struct summary s = {0};
	uint64_t began;

	if (run->param == JSON_ON_DISK && !events_file_cool(f))
		return rounds_skip("the file stays in memory here; TMPDIR can name a "
		                   "directory on a disk");
	json_object_seed(1); /* of jansson's hash tables: not by chance, nor in time */
	began = filch__now_ns();
	summarise(f, &s, run->pool);
	out[0] = (double)(filch__now_ns() - began) * 1e-9;
	out[1] = (double)f->size * 1e-6 / out[0];
	rounds_check(summary_equal(&s, &f->says));
	tell(f, &s);
	summary_free(&s);
	return true;
}
