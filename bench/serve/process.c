/* SPDX-License-Identifier: MIT */
/* Programs that run beside this one, each tied to its processor. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/serve/run.h"

/* Of those that this process may use, `count` from the first one on. */
static void tie(size_t first, size_t count)
{
	cpu_set_t may, set;
	size_t seen = 0;

	CPU_ZERO(&set);
	if (sched_getaffinity(0, sizeof may, &may))
		return;
	for (size_t i = 0; i < CPU_SETSIZE; i++)
		if (CPU_ISSET(i, &may) && seen++ >= first && seen <= first + count)
			CPU_SET(i, &set);
	if (CPU_COUNT(&set))
		sched_setaffinity(0, sizeof set, &set);
}

static void raise_limit(void)
{
	struct rlimit r;

	if (getrlimit(RLIMIT_NOFILE, &r))
		return;
	r.rlim_cur = r.rlim_max;
	(void)setrlimit(RLIMIT_NOFILE, &r);
}

pid_t serve_start(char *const argv[], size_t first, size_t count, int out)
{
	pid_t p = fork();

	if (p < 0)
		rounds_fail_errno("no process", errno);
	if (p)
		return p;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	tie(first, count);
	raise_limit();
	dup2(out >= 0 ? out : open("/dev/null", O_WRONLY | O_CLOEXEC), STDOUT_FILENO);
	execv(argv[0], argv);
	_exit(127);
}

void serve_end(pid_t process)
{
	kill(process, SIGTERM);
	while (waitpid(process, NULL, 0) < 0 && errno == EINTR)
		;
}

const char *serve_find(const char *name, char *path)
{
	static const char *const folders[] = {"/usr/bin", "/usr/sbin", "/usr/local/bin",
	                                      "/usr/local/sbin"};

	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
		int n = snprintf(path, SERVE_PATH, "%s/%s", folders[i], name);

		if (n < SERVE_PATH && !access(path, X_OK))
			return path;
	}
	return NULL;
}
