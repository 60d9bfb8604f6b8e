/* SPDX-License-Identifier: MIT */
/*
 * filch bench latency: how much of the time that values take to come is hidden by other
 * work. Filch, Filch with waits that block the worker, and the ideal: no latency but one.
 */
#include "bench/latency/run.h"

#define VALUES 5000

/* Where every wait blocks a worker, fewer values are measured (`values` says how many),
 * and compared by the time a value takes. */
/* clang-format off */
#define METRICS {{"time", "s", false}, {"values", "", true}, {"per_value", "us", false}}
#define PAIRS {{0, 2, "overhead", 0}, {0, 1, "speedup", 2}}

#define MAPREDUCE(ms, rounds)                                \
	{"mapreduce" #ms, VALUES, 200, rounds, 1, ms,        \
	 METRICS,                                            \
	 {{"filch@2", 2, latency_mapreduce_filch},           \
	  {"blocking@2", 2, latency_mapreduce_blocking},     \
	  {"ideal@2", 2, latency_mapreduce_ideal}},          \
	 PAIRS}
#define RATIO(waits)                                         \
	{"ratio" #waits, 1000, 200, 2, 1, waits,             \
	 METRICS,                                            \
	 {{"filch@2", 2, latency_ratio_filch},               \
	  {"blocking@2", 2, latency_ratio_blocking},         \
	  {"ideal@2", 2, latency_ratio_ideal}},              \
	 PAIRS}
/* clang-format on */

static const struct rounds_bench benches[] = {
	MAPREDUCE(1, 1),
	MAPREDUCE(5, 1),
	MAPREDUCE(10, 1),
	MAPREDUCE(50, 5),
	MAPREDUCE(100, 1),
	MAPREDUCE(500, 5),
	RATIO(0),
	RATIO(25),
	RATIO(50),
	RATIO(75),
	RATIO(100),
	{"compute",
         400,
         50,
         21,
         5,
         0,
         {{"time", "s", false}, {"fib", "s", false}, {"map", "s", false}},
         {{"filch_io", 2, latency_compute_io}, {"filch", 2, latency_compute}},
         {{0, 1, "overhead", 0}}},
};

static int run_suite(const struct bench_options *o)
{
	return rounds_suite(o, "latency", benches, sizeof benches / sizeof *benches);
}

const struct bench_suite bench_latency_suite = {
	.name = "latency",
	.text = "how much of a latency is hidden by other work",
	.run = run_suite};
