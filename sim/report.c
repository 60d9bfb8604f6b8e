/* SPDX-License-Identifier: MIT */
#include <jansson.h>
#include <stdio.h>

#include "sim/result.h"

static double speedup(const struct sim_result *r)
{
	return r->time ? (double)r->work / (double)r->time : 0;
}

static double per_steal(const struct sim_result *r)
{
	return (double)r->messages / (double)r->stats.stolen;
}

static double us(uint64_t ps)
{
	return (double)ps / 1e6;
}

/* ---- the table ---- */

void sim_report_row(const struct sim_options *o, const struct sim_result *r)
{
	static bool begun;
	char busy[32], each[32] = "-";

	if (!begun) {
		const struct sim_arguments *a = &o->arguments;

		printf("%s, --size %llu (%s), --grain %llu (%s)%s%s\n\n",
		       o->program->name, (unsigned long long)a->size, o->program->size_is,
		       (unsigned long long)a->grain, o->program->grain_is,
		       o->queue ? ", --queue " : "", o->queue ? o->queue : "");
		printf("%5s %9s %10s %12s %12s %9s %9s %9s %10s %9s\n", "cores",
		       "speedup", "efficiency", "time ms", "all busy us", "steals",
		       "asks", "wake-ups", "messages", "per steal");
		begun = true;
	}
	if (r->busy == r->cores)
		snprintf(busy, sizeof busy, "%.1f", us(r->spread));
	else
		snprintf(busy, sizeof busy, "only %u", r->busy);
	if (r->stats.stolen)
		snprintf(each, sizeof each, "%.1f", per_steal(r));
	printf("%5u %9.2f %10.3f %12.4f %12s %9llu %9llu %9llu %10llu %9s\n", r->cores,
	       speedup(r), speedup(r) / r->cores, us(r->time) / 1000, busy,
	       (unsigned long long)r->stats.stolen, (unsigned long long)r->stats.asked,
	       (unsigned long long)r->wakes, (unsigned long long)r->messages, each);
}

/* ---- places and lines ---- */

/* The names of all places of a result, first those of `place`, then those of `line`. */
static char name[2 * SIM_TOP_MOST][SIM_NAME];

static void find_names(const struct sim_result *r)
{
	const struct sim_place *all[2 * SIM_TOP_MOST];
	size_t n = 0;

	for (size_t i = 0; i < r->places; i++)
		all[n++] = &r->place[i];
	for (size_t i = 0; i < r->lines; i++)
		all[n++] = &r->line[i].most;
	sim_name_places(all, n, name);
}

void sim_report_top(const struct sim_options *o, const struct sim_result *r)
{
	find_names(r);
	printf("\n%s on %u cores: the places that waited longest for lines of other "
	       "cores\n%10s %12s  %s\n",
	       o->program->name, r->cores, "messages", "waited us", "place");
	for (size_t i = 0; i < r->places; i++)
		printf("%10llu %12.1f  %s\n", (unsigned long long)r->place[i].moves,
		       us(r->place[i].waited), name[i]);
	printf("\n%s on %u cores: the lines that moved most\n%10s %18s  %s\n",
	       o->program->name, r->cores, "messages", "address",
	       "the place that moved it most, and about how often");
	for (size_t i = 0; i < r->lines; i++)
		printf("%10llu %#18llx  %s: %llu\n", (unsigned long long)r->line[i].moves,
		       (unsigned long long)r->line[i].address, name[r->places + i],
		       (unsigned long long)r->line[i].most.moves);
}

/* ---- JSON ---- */

static json_t *number(uint64_t n)
{
	return json_integer((json_int_t)n);
}

static json_t *counters(const struct filch_stats *s)
{
	json_t *j = json_object();

#define COUNTER(name, text) json_object_set_new(j, #name, number(s->name));
	FILCH_COUNTERS(COUNTER)
#undef COUNTER
	return j;
}

static json_t *places(const struct sim_result *r)
{
	json_t *j = json_array();

	for (size_t i = 0; i < r->places; i++)
		json_array_append_new(j, json_pack("{s:s, s:o, s:f}", "place", name[i],
		                                   "messages", number(r->place[i].moves),
		                                   "waited_ns",
		                                   (double)r->place[i].waited / 1000));
	return j;
}

static json_t *lines(const struct sim_result *r)
{
	json_t *j = json_array();

	for (size_t i = 0; i < r->lines; i++)
		json_array_append_new(j, json_pack("{s:o, s:o, s:s, s:o}", "address",
		                                   number(r->line[i].address), "messages",
		                                   number(r->line[i].moves), "place",
		                                   name[r->places + i], "place_messages",
		                                   number(r->line[i].most.moves)));
	return j;
}

void sim_report_json(const struct sim_options *o, const struct sim_result *r)
{
	const struct sim_arguments *a = &o->arguments;
	json_t *j = json_pack("{s:s, s:s?, s:o, s:o, s:o, s:i, s:s, s:f, s:f, s:f, s:f}",
	                      "program", o->program->name, "queue", o->queue, "size",
	                      number(a->size), "grain", number(a->grain), "seed",
	                      number(a->seed), "cores", (int)r->cores, "topology",
	                      r->topology, "time_ns", (double)r->time / 1000, "work_ns",
	                      (double)r->work / 1000, "speedup", speedup(r), "efficiency",
	                      speedup(r) / r->cores);

	find_names(r);
	json_object_set_new(j, "busy_cores", json_integer(r->busy));
	json_object_set_new(j, "all_busy_ns",
	                    r->busy == r->cores ? json_real((double)r->spread / 1000)
	                                        : json_null());
	json_object_set_new(j, "steals", number(r->stats.stolen));
	json_object_set_new(j, "asks", number(r->stats.asked));
	json_object_set_new(j, "signals", number(r->signals));
	json_object_set_new(j, "wakes", number(r->wakes));
	json_object_set_new(j, "switches", number(r->switches));
	json_object_set_new(j, "messages", number(r->messages));
	json_object_set_new(j, "messages_per_steal",
	                    r->stats.stolen ? json_real(per_steal(r)) : json_null());
	json_object_set_new(j, "counters", counters(&r->stats));
	json_object_set_new(j, "places", places(r));
	json_object_set_new(j, "lines", lines(r));
	json_dumpf(j, stdout, JSON_REAL_PRECISION(12));
	putchar('\n');
	json_decref(j);
}
