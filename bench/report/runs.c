/* SPDX-License-Identifier: MIT */
/*
 * The commands that figures have their rows from. The quick set is for a few minutes; the
 * full one takes the suites' own sizes.
 */
#include "bench/report/report.h"

#define QUEUES "(bwos_lifo|chase_lev|abp|locked)"

/* Steals at a frequency, by so many thieves: EMPER's shapes of a queue. */
#define HZ(shape, blocks, thieves, hz)                              \
	{                                                           \
		"hz" #hz "x" #thieves "_" #shape, "queue",          \
			"--blocks " #blocks " --block-size " #shape \
			" --thieves " #thieves " --steal-hz " #hz   \
			" --filter '^(owner|hz.*) " QUEUES "$'",    \
			{"--quick --slice-ms 10", ""},              \
		{                                                   \
			2, 5                                        \
		}                                                   \
	}
#define HZ_EACH(shape, blocks)                                               \
	HZ(shape, blocks, 1, 1000), HZ(shape, blocks, 1, 10000),             \
		HZ(shape, blocks, 1, 100000), HZ(shape, blocks, 1, 1000000), \
		HZ(shape, blocks, 5, 200), HZ(shape, blocks, 5, 2000),       \
		HZ(shape, blocks, 5, 20000), HZ(shape, blocks, 5, 200000)

const struct report_run report_runs[] = {
	{"queue",
         "queue",
         "--filter '^(owner|stolen.*) '",
         {"--quick", "--rounds 31"},
         {20, 75}},
	{"stolen5",
         "queue",
         "--stolen 5 --filter '^stolen5 '",
         {"--quick", "--rounds 31"},
         {7, 20}},
	{"pool",
         "pool",
         "--filter ' (bwos_lifo|abp|bwos_fifo|runq)[+]'",
         {"--quick", "--rounds 15"},
         {8, 60}},
	{"verify", NULL, "--filter '^queue/figure9[.](bwos|abp)'", {"", ""}, {60, 60}},
	HZ_EACH(64, 8),
	HZ_EACH(256, 4),
	HZ(64, 8, 2, 50000),
	{"quicksort",
         "app",
         "--stats --filter '^quicksort '",
         {"--quick --rounds 9", ""},
         {25, 120}},
	{"dupes", "dupes", "--filter '^queues '", {"--quick --rounds 9", ""}, {7, 120}},
	{"mapreduce",
         "latency",
         "--filter '^mapreduce'",
         {"--quick --rounds 5", ""},
         {30, 400}},
	{"ratio", "latency", "--filter '^ratio'", {"--quick --rounds 5", ""}, {20, 120}},
	{"compute",
         "latency",
         "--filter '^compute '",
         {"--quick --rounds 9", ""},
         {5, 60}},
	{"app1",
         "app",
         "--workers 1 --filter ' (serial|poll@1|filch@1|eager_(bwos_lifo|chase_lev|abp|"
         "locked)@1|openmp@1|libomp@1|tbb@1)$'",
         {"--quick --rounds 5", ""},
         {35, 600}},
	{"app2",
         "app",
         "--filter ' (serial|filch@2|poll@2|eager_(bwos_lifo|chase_lev|locked)@2|"
         "openmp@2|libomp@2|tbb@2)$'",
         {"--quick --rounds 5", ""},
         {35, 600}},
};
const size_t report_runs_n = sizeof report_runs / sizeof *report_runs;

void report_command(const struct report_run *run, int set, char *text, size_t size)
{
	const char *more = run->more[set];

	snprintf(text, size, "%s%s %s%s%s", run->suite ? "filch bench " : "verify/run",
	         run->suite ? run->suite : "", run->options, *more ? " " : "", more);
}
