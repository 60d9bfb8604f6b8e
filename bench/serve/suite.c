/* SPDX-License-Identifier: MIT */
/*
 * filch bench serve: `filch serve` beside nginx, each on the first processor, and wrk
 * on the second one.
 */
#include "bench/serve/run.h"

static const char help[] =
	"usage: filch bench serve [OPTION...]\n"
	"\n"
	"Starts `filch serve` and nginx in turn, each tied to the first processor, and "
	"wrk on\n"
	"the second one, which asks for one file over many connections: c100, c1000, "
	"c10000\n"
	"for a file of 1 KiB, 64k and 1m for larger ones. Needs nginx and wrk (make "
	"peers).\n"
	"\n"
	"  --filter REGEX      only what matches \"BENCH IMPL\" (extended regular "
	"expression)\n"
	"  --list              name everything that would run, and stop\n"
	"  --json              one JSON object a line instead of a table\n"
	"  --quick             a second each, and fewer rounds\n"
	"  --rounds N          rounds of interleaved runs (1 to 101)\n"
	"\n"
	"examples:\n"
	"  filch bench serve\n"
	"  filch bench serve --filter '^c1000 (filch|nginx)@1' --rounds 11\n"
	"  filch bench serve --quick --json --filter '^c100 '\n";

/* clang-format off */
#define SERVE(name, connections, size)                                            \
	{name, connections, connections, 5, 1, size,                              \
	 {{"throughput", "1/s", true}, {"p99", "us", false}, {"cpu", "us", false}, \
	  {"memory", "MiB", false}},                                              \
	 {{"filch@1", 0, serve_filch}, {"nginx@1", 0, serve_nginx},               \
	  {"filch@2", 0, serve_filch_2}},                                         \
	 {{0, 1, "speedup", SERVE_THROUGHPUT}, {0, 1, "overhead", SERVE_P99}}}
/* clang-format on */

static const struct rounds_bench benches[] = {
	SERVE("c100", 100, 1024),          SERVE("c1000", 1000, 1024),
	SERVE("c10000", 10000, 1024),      SERVE("64k", 100, 64 << 10),
	SERVE("1m", 100, (size_t)1 << 20),
};

static int run_suite(const struct bench_options *o)
{
	return rounds_suite(o, "serve", benches, sizeof benches / sizeof *benches);
}

const struct bench_suite bench_serve_suite = {
	.name = "serve",
	.text = "filch serve beside nginx, asked by wrk",
	.run = run_suite,
	.help = help};
