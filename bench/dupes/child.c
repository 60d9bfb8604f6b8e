/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <filch/time.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/dupes/run.h"

static int start(char *const *argv, const char *output, pid_t *pid)
{
	posix_spawn_file_actions_t actions;
	int r = posix_spawn_file_actions_init(&actions);

	if (r)
		return -r;
	r = posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output,
	                                     O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (!r)
		r = posix_spawnp(pid, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return -r;
}

int child_run(char *const *argv, const char *output, const volatile sig_atomic_t *stop,
              struct child *out)
{
	uint64_t begin = filch_now();
	struct rusage usage;
	pid_t pid = 0;
	int r = start(argv, output, &pid);

	if (r)
		return r;
	while (wait4(pid, &out->status, 0, &usage) < 0) {
		if (errno != EINTR)
			return -errno;
		if (*stop)
			kill(pid, SIGTERM);
	}
	out->seconds = (double)(filch_now() - begin) / 1e9;
	out->rss_mib = (double)usage.ru_maxrss / 1024;
	return *stop ? -EINTR : 0;
}
