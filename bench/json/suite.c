/* SPDX-License-Identifier: MIT */
/*
 * filch bench json: a file of JSON objects, one a line, parsed and summed up by a pipeline;
 * beside it the same library in a plain loop, and in two threads.
 */
#include "bench/json/run.h"

static const char help[] =
	"usage: filch bench json [OPTION...]\n"
	"\n"
	"Parses a file of JSON objects, one a line, and sums up what it says of each of "
	"4000\n"
	"keys; the library is jansson. 256 MB are written into TMPDIR, or /tmp, first.\n"
	"\n"
	"  parse   the file is in memory (the page cache)\n"
	"  cold    it is on the disk\n"
	"\n"
	"  filch@2, filch@1   a pipeline: pieces are read while others are parsed\n"
	"  serial             a plain loop\n"
	"  thread@2           two threads, each with half of the file\n"
	"\n"
	"  --filter REGEX   only what matches \"BENCH IMPL\" (extended regular "
	"expression)\n"
	"  --list           name everything that would run, and stop\n"
	"  --json           one JSON object a line instead of a table\n"
	"  --quick          one round, 8 MB\n"
	"  --rounds N       rounds of interleaved runs (1 to 101)\n"
	"  --help           this text\n"
	"\n"
	"Lines that are no such object are left out; the first of them are named.\n"
	"\n"
	"Examples:\n"
	"  filch bench json --quick\n"
	"  filch bench json --filter '^parse (filch@2|serial)$'\n"
	"  TMPDIR=/var/tmp filch bench json --filter '^cold'\n";

/* clang-format off */
#define EVENTS(name, rounds, where)                                           \
	{name, (size_t)256 << 20, (size_t)8 << 20, rounds, 1, where,          \
	 {{"time", "s", false}, {"throughput", "MB/s", true}},                \
	 {{"filch@2", 2, events_filch}, {"filch@1", 1, events_filch},         \
	  {"serial", 0, events_serial}, {"thread@2", 0, events_thread}},      \
	 {{0, 2, "speedup", 0}, {1, 2, "overhead", 0}, {0, 3, "speedup", 0}}}
/* clang-format on */

static const struct rounds_bench benches[] = {
	EVENTS("parse", 7, JSON_IN_MEMORY),
	EVENTS("cold", 3, JSON_ON_DISK),
};

static int run_suite(const struct bench_options *o)
{
	return rounds_suite(o, "json", benches, sizeof benches / sizeof *benches);
}

const struct bench_suite bench_json_suite = {
	.name = "json",
	.text = "JSON parsed while it is read, against a plain loop",
	.run = run_suite,
	.help = help};
