/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/report/report.h"

/* What is not there is empty. */
struct report_row {
	char run[32], bench[48], impl[48], to[48], metric[32];
	double value;
};

static void *grow(void *p, size_t n, size_t *room, size_t size)
{
	if (n < *room)
		return p;
	*room = *room ? 2 * *room : 256;
	p = realloc(p, *room * size);
	if (!p) {
		fputs("filch bench report: out of memory\n", stderr);
		exit(1);
	}
	return p;
}

static void copy(char *to, size_t size, const json_t *object, const char *name)
{
	const char *text = json_string_value(json_object_get(object, name));

	snprintf(to, size, "%s", text ? text : "");
}
#define COPY(to, object, name) copy(to, sizeof(to), object, name)

static void add_row(struct report_rows *rows, const json_t *object)
{
	const json_t *value = json_object_get(object, "value");
	struct report_row *row;

	if (!json_is_number(value))
		return;
	rows->row = grow(rows->row, rows->n, &rows->room, sizeof *row);
	row = &rows->row[rows->n++];
	COPY(row->run, object, "run");
	COPY(row->bench, object, "bench");
	COPY(row->impl, object, "impl");
	COPY(row->to, object, "to");
	COPY(row->metric, object, "metric");
	row->value = json_number_value(value);
}

static void keep(struct report_rows *rows, const json_t *object)
{
	if (!rows->keep)
		return;
	json_dumpf(object, rows->keep, JSON_COMPACT | JSON_REAL_PRECISION(6));
	putc('\n', rows->keep);
	fflush(rows->keep); /* so that it is there whatever happens later */
}

void report_rows_take(struct report_rows *rows, const char *run, const char *line)
{
	json_t *object = json_loads(line, 0, NULL), *name = json_string(run);

	if (json_is_object(object) && name) {
		json_object_set(object, "run", name);
		add_row(rows, object);
		keep(rows, object);
	}
	json_decref(name);
	json_decref(object);
}

void report_rows_end(struct report_rows *rows, const struct report_end *end)
{
	json_t *object = json_pack("{s:s,s:s,s:s}", "run", end->run, "command",
	                           end->command, "error", end->error);

	rows->end = grow(rows->end, rows->ends, &rows->end_room, sizeof *end);
	rows->end[rows->ends++] = *end;
	keep(rows, object);
	json_decref(object);
}

/* The fields of a machine, by name. */
#define MACHINE(X) \
	X(date)    \
	X(set)     \
	X(processor) X(processors) X(memory) X(system) X(compiler) X(load) X(version)

void report_rows_machine(struct report_rows *rows)
{
	json_t *object = json_object();

	json_object_set_new(object, "report", json_integer(1));
#define SET(name) json_object_set_new(object, #name, json_string(rows->machine.name));
	MACHINE(SET)
#undef SET
	keep(rows, object);
	json_decref(object);
}

/* The first line of a file that was kept. Of several files the first one's counts. False if
 * a page could not say of all of them where they are from. */
static bool take_machine(struct report_rows *rows, const json_t *object)
{
	struct report_machine m = {0}, *first = &rows->machine;

#define GET(name) COPY(m.name, object, #name);
	MACHINE(GET)
#undef GET
	if (!*first->date)
		*first = m;
	return !strcmp(m.set, first->set) && !strcmp(m.processor, first->processor) &&
	       !strcmp(m.processors, first->processors) &&
	       !strcmp(m.compiler, first->compiler) && !strcmp(m.version, first->version);
}

/* Another line of it. */
static void take_kept(struct report_rows *rows, const json_t *object)
{
	if (json_object_get(object, "command")) {
		struct report_end end;

		COPY(end.run, object, "run");
		COPY(end.command, object, "command");
		COPY(end.error, object, "error");
		report_rows_end(rows, &end);
	} else {
		add_row(rows, object);
	}
}

int report_rows_read(struct report_rows *rows, const char *path)
{
	FILE *file = fopen(path, "re");
	size_t room = 0, number = 0;
	char *line = NULL;
	int r = 0;

	if (!file) {
		fprintf(stderr, "filch bench report: cannot read %s: %s\n", path,
		        strerror(errno));
		return -1;
	}
	while (!r && getline(&line, &room, file) >= 0) {
		json_t *object = json_loads(line, 0, NULL);

		number++;
		/* The first line says what the file is. */
		if (!json_is_object(object) ||
		    (number == 1 && !json_object_get(object, "report"))) {
			fprintf(stderr,
			        "filch bench report: %s:%zu: not what --rows writes; "
			        "give a file that 'filch bench report --rows' has made\n",
			        path, number);
			r = -1;
		} else if (!json_object_get(object, "report")) {
			take_kept(rows, object);
		} else if (!take_machine(rows, object)) {
			fprintf(stderr,
			        "filch bench report: %s is of another machine, compiler, "
			        "commit or set than the files before; give those of one "
			        "only\n",
			        path);
			r = -1;
		}
		json_decref(object);
	}
	if (!r && !number) {
		fprintf(stderr, "filch bench report: %s is empty\n", path);
		r = -1;
	}
	free(line);
	fclose(file);
	return r;
}

void report_rows_free(struct report_rows *rows)
{
	free(rows->row);
	free(rows->end);
}

static bool same(const char *have, const char *want)
{
	return !strcmp(have, want ? want : "");
}

struct report_value report_rows_find(const struct report_rows *rows,
                                     const struct report_cell *cell)
{
	struct report_value value = {0};
	double found[BENCH_ROUNDS_MOST];
	size_t n = 0;

	for (size_t i = 0; i < rows->n && n < BENCH_ROUNDS_MOST; i++) {
		const struct report_row *row = &rows->row[i];

		if (same(row->metric, cell->metric) && same(row->impl, cell->impl) &&
		    same(row->bench, cell->bench) && same(row->run, cell->run) &&
		    same(row->to, cell->to))
			found[n++] = row->value;
	}
	if (!n)
		return value;
	value.found = true;
	value.median = bench_median(found, n); /* sorts them */
	value.least = found[0];
	value.most = found[n - 1];
	return value;
}

const struct report_end *report_rows_ended(const struct report_rows *rows,
                                           const char *run)
{
	for (size_t i = rows->ends; i > 0; i--)
		if (!strcmp(rows->end[i - 1].run, run))
			return &rows->end[i - 1];
	return NULL;
}
