/* SPDX-License-Identifier: MIT */
#include "bench/envelope/child.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* Returns once all its threads are stopped; false if it has ended. */
static bool stop(const struct envelope_child *c)
{
	int status;

	kill(c->process, SIGSTOP);
	while (waitpid(c->process, &status, WUNTRACED) < 0)
		if (errno != EINTR)
			return false;
	return WIFSTOPPED(status);
}

static double processor_seconds(const struct envelope_child *c)
{
	struct timespec t;

	if (clock_gettime(c->clock, &t))
		return 0;
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static _Noreturn void become(char *const argv[], const char *const variables[],
                             int socket)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (; *variables; variables += 2)
		setenv(variables[0], variables[1], 1);
	if (dup2(socket, STDIN_FILENO) >= 0 && dup2(socket, STDOUT_FILENO) >= 0)
		execv(argv[0], argv);
	_exit(127);
}

bool envelope_child_start(struct envelope_child *c, char *const argv[],
                          const char *const variables[])
{
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		return false;
	c->process = fork();
	if (!c->process)
		become(argv, variables, pair[1]);
	close(pair[1]);
	c->socket = pair[0];
	if (c->process > 0 && !clock_getcpuclockid(c->process, &c->clock) && stop(c))
		return true;
	close(c->socket);
	return false;
}

double envelope_child_ask(struct envelope_child *c, const struct envelope_turn *turns,
                          size_t n, struct envelope_answer *answer)
{
	double before = processor_seconds(c);
	bool ok = true;

	kill(c->process, SIGCONT);
	for (size_t i = 0; i < n && ok; i++)
		ok = send(c->socket, &turns[i], sizeof turns[i], MSG_NOSIGNAL) ==
		             (ssize_t)sizeof turns[i] &&
		     read(c->socket, answer, sizeof *answer) == (ssize_t)sizeof *answer;
	return stop(c) && ok ? processor_seconds(c) - before : -1;
}

void envelope_child_end(struct envelope_child *c)
{
	close(c->socket);
	kill(c->process, SIGKILL); /* it has nothing to clean up */
	while (waitpid(c->process, NULL, 0) < 0 && errno == EINTR)
		;
}
