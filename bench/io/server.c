/* SPDX-License-Identifier: MIT */
/*
 * What all echo servers have in common: a listening socket, and a client that is started
 * and listened to.
 */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/io/run.h"

pthread_t io_thread(void *(*fn)(void *), void *arg)
{
	pthread_t t;

	if (pthread_create(&t, NULL, fn, arg))
		rounds_fail("the system refuses to start a thread");
	return t;
}

/* As many as the system lets us have. */
static bool enough_descriptors(size_t n)
{
	struct rlimit r;

	if (getrlimit(RLIMIT_NOFILE, &r))
		return false;
	r.rlim_cur = r.rlim_max;
	(void)setrlimit(RLIMIT_NOFILE, &r);
	return r.rlim_max >= n + 64;
}

static int listen_tcp(unsigned *port)
{
	struct sockaddr_in a = {.sin_family = AF_INET,
	                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof a;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || bind(fd, (struct sockaddr *)&a, sizeof a) || listen(fd, 65535) ||
	    getsockname(fd, (struct sockaddr *)&a, &size))
		rounds_fail_errno("no socket to listen to", errno);
	*port = ntohs(a.sin_port);
	return fd;
}

static int listen_unix(char *path, size_t size)
{
	struct sockaddr_un a = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(path, size, "/tmp/filch-bench-%ld.socket", (long)getpid());
	unlink(path);
	snprintf(a.sun_path, sizeof a.sun_path, "%s", path);
	if (fd < 0 || bind(fd, (struct sockaddr *)&a, sizeof a) || listen(fd, 65535))
		rounds_fail_errno("no socket to listen to", errno);
	return fd;
}

static void start_client(struct io_echo *e, const char *where, bool quick)
{
	char n[32], self[4096];
	char *argv[] = {"filch",
	                "bench",
	                "--echo-client",
	                (char *)where,
	                n,
	                quick ? "50" : "200",
	                quick ? "200" : "800",
	                NULL};
	ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
	posix_spawn_file_actions_t actions;
	int pipe[2], r;

	snprintf(n, sizeof n, "%zu", e->connections);
	if (length < 0 || pipe2(pipe, O_CLOEXEC))
		rounds_fail_errno("no client", errno);
	self[length] = 0;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, pipe[1], STDOUT_FILENO);
	r = posix_spawn(&e->client, self, &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (r)
		rounds_fail_errno("no client", r);
	close(pipe[1]);
	e->result = pipe[0];
}

/* Of this process, so far. */
static double cpu_us(void)
{
	struct rusage r;

	getrusage(RUSAGE_SELF, &r);
	return (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) * 1e6 +
	       (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec);
}

bool io_echo_begin(struct io_echo *e, const struct rounds_run *run)
{
	char port_text[16];
	unsigned port = 0;

	*e = (struct io_echo){.connections = run->size};
	if (!enough_descriptors(e->connections))
		return rounds_skip("too few descriptors (ulimit -n)");
	if (run->param == IO_TCP) {
		e->listener = listen_tcp(&port);
		snprintf(port_text, sizeof port_text, "%u", port);
	} else {
		e->listener = listen_unix(e->path, sizeof e->path);
	}
	e->cpu = cpu_us();
	start_client(e, *e->path ? e->path : port_text, run->quick);
	return true;
}

static int reap(struct io_echo *e)
{
	int status = 0;

	while (waitpid(e->client, &status, 0) < 0 && errno == EINTR)
		;
	close(e->result);
	close(e->listener);
	if (*e->path)
		unlink(e->path);
	return status;
}

void io_echo_end(struct io_echo *e, uint64_t bytes, double *out)
{
	char line[128] = "";
	unsigned long long messages = 0;
	double cpu = cpu_us() - e->cpu;
	ssize_t n = read(e->result, line, sizeof line - 1);

	if (reap(e) || n <= 0 ||
	    sscanf(line, "%llu %lf %lf %lf", &messages, &out[0], &out[1], &out[2]) != 4)
		rounds_fail("its client failed");
	rounds_check(messages * IO_MESSAGE == bytes);
	out[3] = cpu / (double)messages;
}

void io_echo_give_up(struct io_echo *e)
{
	kill(e->client, SIGKILL);
	reap(e);
}
