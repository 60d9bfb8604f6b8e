/* SPDX-License-Identifier: MIT */
/*
 * A program for one peer (an OpenMP runtime, oneTBB, Filch with another queue): a process of
 * its own, because two OpenMP runtimes do not share one, and so that what it leaves spinning
 * ends with it.
 *
 *   filch-bench-PEER PROGRAM SIZE WORKERS [BLOCK_SIZE]
 *
 * prints the answer and the nanoseconds; Filch adds its counters. A Filch with another queue
 * is the command's `dupes` as well: filch-bench-QUEUE dupes ... The others also take turns for
 * the suite envelope: filch-bench-PEER envelope-turns WORKERS.
 */
#include "bench/app/app.h"

#include "base/clock.h"
#include "bench/envelope/turn.h"
#ifdef SEAM_FILCH
#include "bench/app/pool.h"
#include "cmd/filch.h"
#endif

static uint64_t timed(const struct app *app, size_t size, struct app_host *host,
                      uint64_t *ns)
{
	void *work = app->prepare(size);
	uint64_t start = filch__now_ns();

	app->run(work, host);
	*ns = filch__now_ns() - start;
	return app->finish(work);
}

static int run(const struct app *app, size_t size, struct app_host *host)
{
	uint64_t answer, ns;

#ifndef SEAM_FILCH /* whose pool has its threads, and counts what it does */
	/* Lets the runtime start its threads. */
	timed(app_table_peer[0], 20, host, &ns);
#endif
	answer = timed(app, size, host, &ns);
	printf("%llu %llu", (unsigned long long)answer, (unsigned long long)ns);
	return 0;
}

#ifdef SEAM_FILCH
static int run_filch(const struct app *app, size_t size, unsigned workers,
                     size_t block_size)
{
	struct filch_pool_options o = {
		.workers = workers,
		.block_size = block_size,
		.ask = KIND_POLLED ? "poll" : NULL,
	};
	struct filch_stats counters = {0};
	struct app_host host = {workers, app_pool_create(&o)};

	if (!host.pool)
		return 1;
	run(app, size, &host);
	app_pool_destroy(host.pool, &counters);
#define PRINT(name, text) printf(" %llu", (unsigned long long)counters.name);
	FILCH_COUNTERS(PRINT)
#undef PRINT
	return 0;
}
#endif

int main(int argc, char **argv)
{
#ifdef SEAM_FILCH
	if (argc > 1 && !strcmp(argv[1], "dupes"))
		return cmd_dupes(argc - 1, argv + 1);
#else
	if (argc == 3 && !strcmp(argv[1], "envelope-turns"))
		return envelope_serve_peer((unsigned)strtoul(argv[2], NULL, 10));
#endif
	if (argc < 4)
		return 2;
	for (const struct app *const *p = app_table_peer; *p; p++) {
		size_t size = strtoull(argv[2], NULL, 10);
		struct app_host host = {(unsigned)strtoul(argv[3], NULL, 10), NULL};

		if (strcmp((*p)->name, argv[1]))
			continue;
#ifdef SEAM_FILCH
		return run_filch(*p, size, host.workers,
		                 argc > 4 ? strtoull(argv[4], NULL, 10) : 0);
#else
		return run(*p, size, &host);
#endif
	}
	return 2;
}
