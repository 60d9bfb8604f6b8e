/* SPDX-License-Identifier: MIT */
/* Latency hiding: what sections 5.2 to 5.4 are about. */
#include "bench/report/report.h"

#define THREE                                                                \
	{                                                                    \
		{"Filch", COLOUR_FILCH, {.impl = "filch@2"}},                \
			{"blocking", COLOUR_PEER_1, {.impl = "blocking@2"}}, \
			{"ideal", COLOUR_LIMIT, {.impl = "ideal@2"}},        \
	}
#define AGAINST_IDEAL(text, run_, bench_)                                \
	{                                                                \
		text,                                                    \
		{                                                        \
			.run = run_, .bench = bench_, .impl = "filch@2", \
			.to = "ideal@2", .metric = "overhead"            \
		}                                                        \
	}
#define AGAINST_BLOCKING(text, run_, bench_)                             \
	{                                                                \
		text,                                                    \
		{                                                        \
			.run = run_, .bench = bench_, .impl = "filch@2", \
			.to = "blocking@2", .metric = "speedup"          \
		}                                                        \
	}

const struct report_figure report_figures_latency[] = {
	{"003-5.2",
         "Section 5.2",
         "How much of a latency is hidden",
         "An ideal scheduler would leave only the one latency that is on the critical "
         "path. "
         "The experiment is given, 5000 remote values each mapped to fib(30); the "
         "report's "
         "text has no figures for it.",
         "The same parameters (200 values in the quick set). Blocking: the wait holds "
         "the worker, so fewer values are "
         "measured. Ideal: a run without latency, and one latency added to its time, "
         "where the report's has none; it is "
         "measured, too, so a ratio may come out below 1.",
         {AGAINST_IDEAL("Filch: # times the ideal with 1 ms", "mapreduce", "mapreduce1"),
          AGAINST_IDEAL("Filch: # times the ideal with 50 ms", "mapreduce",
                        "mapreduce50"),
          AGAINST_IDEAL("Filch: # times the ideal with 500 ms", "mapreduce",
                        "mapreduce500"),
          AGAINST_BLOCKING("Filch: # times as fast as blocking with 50 ms", "mapreduce",
                           "mapreduce50"),
          AGAINST_BLOCKING("Filch: # times as fast as blocking with 500 ms", "mapreduce",
                           "mapreduce500")},
         {{.unit = "us a value",
           .x_title = "latency of a value, ms",
           .log_x = true,
           .log_y = true,
           .cell = {.run = "mapreduce", .metric = "per_value"},
           .point = {{"1", 1, {.bench = "mapreduce1"}},
                     {"5", 5, {.bench = "mapreduce5"}},
                     {"10", 10, {.bench = "mapreduce10"}},
                     {"50", 50, {.bench = "mapreduce50"}},
                     {"100", 100, {.bench = "mapreduce100"}},
                     {"500", 500, {.bench = "mapreduce500"}}},
           .series = THREE}}},
	{"003-5.3",
         "Section 5.3",
         "From work that computes to work that waits",
         "The report's text has the title only: compute-bound against I/O-bound "
         "workloads.",
         "1000 values (200 in the quick set), of which some are only waited for (50 ms), "
         "the "
         "others only computed (fib(30)).",
         {AGAINST_IDEAL("Filch: # times the ideal when all compute", "ratio", "ratio0"),
          AGAINST_IDEAL("Filch: # times the ideal when half of them wait", "ratio",
                        "ratio50"),
          AGAINST_IDEAL("Filch: # times the ideal when all wait", "ratio", "ratio100"),
          AGAINST_BLOCKING("Filch: # times as fast as blocking when half of them wait",
                           "ratio", "ratio50")},
         {{.unit = "us a value",
           .x_title = "values that are waited for, %",
           .log_y = true,
           .cell = {.run = "ratio", .metric = "per_value"},
           .point = {{"0", 0, {.bench = "ratio0"}},
                     {"25", 25, {.bench = "ratio25"}},
                     {"50", 50, {.bench = "ratio50"}},
                     {"75", 75, {.bench = "ratio75"}},
                     {"100", 100, {.bench = "ratio100"}}},
           .series = THREE}}},
	{"003-5.4",
         "Section 5.4",
         "What being able to wait costs those who never do",
         "The report's text has the title only: the overhead of the scheduler.",
         "The same computation in a pool with 1000 strands asleep and 64 in reads, and "
         "in one "
         "that never waited.",
         {{"With strands that wait it takes # times as long",
           {"compute", "compute", "filch_io", "filch", "overhead"}}},
         {{.unit = "seconds",
           .cell = {.run = "compute", .bench = "compute"},
           .point = {{"fib without cutoff", 0, {.metric = "fib"}},
                     {"map", 0, {.metric = "map"}},
                     {"both", 0, {.metric = "time"}}},
           .series = {{"others wait", COLOUR_FILCH, {.impl = "filch_io"}},
                      {"nobody waits", COLOUR_LIMIT, {.impl = "filch"}}}}}},
};
