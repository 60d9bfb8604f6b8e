/* SPDX-License-Identifier: MIT */
#include "bench/app/run.h"

#include <string.h>

#include "base/clock.h"

const struct app *app_find(const struct app *const *table, const char *name)
{
	while (*table && strcmp((*table)->name, name))
		table++;
	return *table;
}

uint64_t app_run(const struct app *app, size_t size, void *pool, uint64_t *answer)
{
	struct app_host host = {1, pool};
	void *work = app->prepare(size);
	uint64_t start = filch__now_ns(), ns;

	app->run(work, &host);
	ns = filch__now_ns() - start;
	*answer = app->finish(work);
	return ns;
}
