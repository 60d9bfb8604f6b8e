/* SPDX-License-Identifier: MIT */
/* filch dupes: walks the directories, matches the files, prints the sets. See README.md. */
#include "cmd/dupes/dupes.h"

#include <filch.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cmd/filch.h"

/* Descriptors that are kept for other uses than files and directories. */
enum { OTHER_DESCRIPTORS = 32 };

FILCH_STATIC_TASK(bool, run, (struct dupes *, d))
{
	dupes_walk(d);
	d->found = d->catalog.files;
	dupes_match(d);
	dupes_progress_end(d);
	return dupes_print(d);
}

/* Raises the limit as far as the system allows, and returns how many descriptors the walk
 * and the matching may have open. */
static unsigned descriptors(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return 1;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
	getrlimit(RLIMIT_NOFILE, &limit);
	if (limit.rlim_cur > 4096)
		return 4096;
	return limit.rlim_cur > OTHER_DESCRIPTORS
	               ? (unsigned)limit.rlim_cur - OTHER_DESCRIPTORS
	               : 1;
}

static void dupes_free(struct dupes *d)
{
	catalog_free(&d->catalog, d->o->roots);
	free(d->sets.start);
	free(d->o->exclude);
}

int cmd_dupes(int argc, char **argv)
{
	struct dupes_options o;
	struct dupes d = {.o = &o};
	struct filch_pool_options pool_options = {.stack_size = 128 << 10};
	struct filch_pool *pool;
	const char *why;
	bool written;
	int code;

	if (!dupes_options_parse(&o, argc, argv, &code))
		return code;
	signal(SIGPIPE, SIG_IGN); /* instead, a failed write is reported */
	d.descriptors = descriptors();
	pool_options.workers = o.workers;
	if (filch_pool_create(&pool, &pool_options, &why)) {
		fprintf(stderr, "filch dupes: cannot start: %s\n", why);
		return 1;
	}
	if (!o.quiet && isatty(STDERR_FILENO))
		dupes_progress_begin(&d);
	written = FILCH_RUN_ON(pool, run, &d);
	filch_pool_destroy(pool);
	dupes_free(&d);
	return !written || d.errors;
}
