/* SPDX-License-Identifier: MIT */
/*
 * A program for one peer (an OpenMP runtime, oneTBB): a process of its own, because two
 * OpenMP runtimes do not share one, and so that what it leaves spinning ends with it.
 *
 *   filch-bench-PEER PROGRAM SIZE WORKERS    prints the answer and the nanoseconds
 */
#include "bench/app/app.h"

#include "base/clock.h"

static uint64_t timed(const struct app *app, size_t size, unsigned workers, uint64_t *ns)
{
	struct app_host host = {workers, NULL};
	void *work = app->prepare(size);
	uint64_t start = filch__now_ns();

	app->run(work, &host);
	*ns = filch__now_ns() - start;
	return app->finish(work);
}

int main(int argc, char **argv)
{
	uint64_t answer, ns;

	if (argc != 4)
		return 2;
	for (const struct app *const *p = app_table_peer; *p; p++)
		if (!strcmp((*p)->name, argv[1])) {
			unsigned workers = (unsigned)strtoul(argv[3], NULL, 10);

			/* Lets the runtime start its threads. */
			timed(app_table_peer[0], 20, workers, &ns);
			answer = timed(*p, strtoull(argv[2], NULL, 10), workers, &ns);
			printf("%llu %llu\n", (unsigned long long)answer,
			       (unsigned long long)ns);
			return 0;
		}
	return 2;
}
