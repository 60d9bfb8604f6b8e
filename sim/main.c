/* SPDX-License-Identifier: MIT */
/*
 * filch-sim, which `filch sim` runs: simulates a program on one machine after the other.
 */
#include <stdio.h>
#include <string.h>
#include <sys/personality.h>
#include <unistd.h>

#include "sim/bench/bench.h"
#include "sim/calibrate/calibrate.h"
#include "sim/result.h"

/* Which accesses share a cache line depends on addresses. So that the same run gives the
 * same result, these must not be random: the program starts itself once more. */
static void fix_addresses(char **argv)
{
	int is = personality(0xffffffff);

	if (is != -1 && is & ADDR_NO_RANDOMIZE)
		return;
	if (is != -1 && personality((unsigned long)is | ADDR_NO_RANDOMIZE) != -1)
		execv("/proc/self/exe", argv);
	fputs("filch sim: this system does not let a program choose where its memory "
	      "lies; two runs may differ\n",
	      stderr);
}

/* Each kind of queue has a program of its own, which lies beside this one. Returns true if
 * this one is it; otherwise becomes it, or returns false, with a message. */
static bool has_queue(const char *kind, char **argv)
{
	static char path[4200];
	ssize_t n = readlink("/proc/self/exe", path, 4096);

	if (!kind || !strcmp(kind, SIM_QUEUE))
		return true;
	if (n > 0) {
		path[n] = 0;
		snprintf(strrchr(path, '/'), 64, "/filch-sim-%s", kind);
		execv(path, argv);
	}
	fprintf(stderr,
	        "filch sim: --queue %s needs filch-sim-%s, which cmake --build build "
	        "--target filch_sim_kinds makes\n",
	        kind, kind);
	return false;
}

/* Simulations that are still to come must find the heap as it was, or their results
 * depend on their neighbours: until then nothing here allocates memory. */
static int run_all(const struct sim_options *o)
{
	static struct sim_result result[SIM_MACHINES_MOST];
	static char buffer[BUFSIZ];
	size_t largest = sim_options_largest(o);

	setvbuf(stdout, buffer, _IOLBF, sizeof buffer);
	for (size_t i = 0; i < o->machines; i++) {
		int code = sim_measure(o, i, &result[i]);

		if (code)
			return code;
		if (!o->json)
			sim_report_row(o, &result[i]);
	}
	for (size_t i = 0; i < o->machines; i++)
		if (o->json)
			sim_report_json(o, &result[i]);
		else if (o->top && (o->verbose || i == largest))
			sim_report_top(o, &result[i]);
	return ferror(stdout) || fflush(stdout) ? 1 : 0;
}

int main(int argc, char **argv)
{
	struct sim_options o;
	int code;

	if (argc > 1 && !strcmp(argv[1], "calibrate"))
		return sim_calibrate(argc - 1, argv + 1);
	if (argc > 1 && !strcmp(argv[1], "bench")) {
		fix_addresses(argv);
		return sim_bench(argc - 1, argv + 1);
	}
	code = sim_options_read(&o, argc, argv);
	if (code >= 0)
		return code;
	if (!has_queue(o.queue, argv))
		return 2;
	fix_addresses(argv);
	return run_all(&o);
}
