/* SPDX-License-Identifier: MIT */
/*
 * A server: HTTP, a strand a connection, time limits, and a stop that finishes what is under
 * way.
 *
 *   server PORT     serves until it gets SIGINT or SIGTERM
 *   server          tries itself: takes a free port, asks itself, and stops
 */
#include <arpa/inet.h>
#include <errno.h>
#include <filch.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#define CONNECTIONS 100        /* at most, at once */
#define PATIENCE (2 * FILCH_S) /* for a request to come, and for an answer to go */

struct server {
	int listener;
	struct filch_group accepting, connections;
	struct filch_semaphore room;
	struct filch_mutex lock; /* of what follows */
	long answered;
};

/* ---- one connection ---- */

/* Reads until the blank line that ends a request's head. 0, or a negative errno. */
static int read_head(int fd, char *head, size_t size, uint64_t deadline)
{
	size_t have = 0;

	while (have < size - 1) {
		ssize_t n =
			filch_recv_until(fd, head + have, size - 1 - have, 0, deadline);

		if (n <= 0)
			return n < 0 ? (int)n : -ECONNRESET;
		have += (size_t)n;
		head[have] = 0;
		if (strstr(head, "\r\n\r\n"))
			return 0;
	}
	return -EMSGSIZE;
}

/* All of it, or a negative errno: a send may take less than it is given. */
static int send_all(int fd, const char *text, size_t size, uint64_t deadline)
{
	while (size > 0) {
		ssize_t n = filch_send_until(fd, text, size, 0, deadline);

		if (n < 0)
			return (int)n;
		text += n;
		size -= (size_t)n;
	}
	return 0;
}

static int answer(int fd, const char *status, const char *body)
{
	char text[512];
	int n = snprintf(
		text, sizeof text,
		"HTTP/1.1 %s\r\nContent-Length: %zu\r\nConnection: close\r\n\r\n%s",
		status, strlen(body), body);

	return send_all(fd, text, (size_t)n, filch_after(PATIENCE));
}

static int answer_request(int fd, const char *head)
{
	if (!strncmp(head, "GET / ", 6))
		return answer(fd, "200 OK", "hello\n");
	if (!strncmp(head, "GET /slow ", 10)) {
		filch_sleep(100 * FILCH_MS); /* costs nobody anything */
		return answer(fd, "200 OK", "at last\n");
	}
	return answer(fd, "404 Not Found", "there is no such page\n");
}

FILCH_STATIC_TASK_VOID(serve, (struct server *, s), (int, fd))
{
	char head[2048];
	int result = read_head(fd, head, sizeof head, filch_after(PATIENCE));

	if (result == 0)
		result = answer_request(fd, head);
	else if (result == -ETIMEDOUT)
		result = answer(fd, "408 Request Timeout", "too slow\n");
	else if (result == -EMSGSIZE)
		result = answer(fd, "431 Request Header Fields Too Large", "too long\n");
	filch_mutex_lock(&s->lock);
	s->answered += result == 0;
	filch_mutex_unlock(&s->lock);
	filch_close(fd);
	filch_semaphore_release(&s->room, 1);
}

/* ---- all of them ---- */

/* Until its group is cancelled. Then no more connections come in; those that are there
 * belong to another group, and go on. */
FILCH_STATIC_TASK_VOID(accept_all, (struct server *, s))
{
	while (filch_semaphore_acquire(&s->room) == 0) {
		int fd = filch_accept(s->listener, NULL, NULL, SOCK_CLOEXEC);

		if (fd >= 0) {
			FILCH_GROUP_SPAWN(&s->connections, serve, s, fd);
			continue;
		}
		filch_semaphore_release(&s->room, 1);
		if (fd == -ECANCELED)
			return;
		filch_sleep(10 *
		            FILCH_MS); /* no descriptors left: others will close some */
	}
}

FILCH_STATIC_TASK_VOID(run, (struct server *, s), (int, signals))
{
	struct signalfd_siginfo info;

	filch_group_begin(&s->connections);
	filch_group_begin(&s->accepting);
	FILCH_GROUP_SPAWN(&s->accepting, accept_all, s);
	filch_read(signals, &info, sizeof info); /* until there is one */
	printf("%s: stopping\n", info.ssi_signo == SIGTERM ? "SIGTERM" : "SIGINT");
	filch_group_cancel(&s->accepting);
	filch_group_wait(&s->accepting);
	filch_group_wait(&s->connections); /* twice PATIENCE at most: to hear, to answer */
	printf("%ld answered\n", s->answered);
}

/* ---- trying it ---- */

FILCH_STATIC_TASK_VOID(ask, (struct sockaddr_in, to), (const char *, request))
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	char text[512] = "";

	if (fd >= 0 && !filch_connect(fd, (struct sockaddr *)&to, sizeof to) &&
	    !send_all(fd, request, strlen(request), filch_after(PATIENCE)))
		filch_recv(fd, text, sizeof text - 1, MSG_WAITALL);
	printf("%.*s -> %.*s\n", (int)strcspn(request, "\r"), request,
	       (int)strcspn(text, "\r"), text);
	filch_close(fd);
}

FILCH_STATIC_TASK_VOID(try_it, (struct server *, s), (struct sockaddr_in, to),
                       (int, signals))
{
	FILCH_SPAWN(server, run, s, signals);
	FILCH_CALL(ask, to, "GET / HTTP/1.1\r\n\r\n");
	FILCH_CALL(ask, to, "GET /slow HTTP/1.1\r\n\r\n");
	FILCH_CALL(ask, to, "GET /nothing HTTP/1.1\r\n\r\n");
	kill(getpid(), SIGTERM);
	FILCH_JOIN(server);
}

/* ---- beginning ---- */

/* Blocked before the pool starts its threads, which inherit that: so signals are read. */
static int open_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	return signalfd(-1, &set, SFD_CLOEXEC);
}

static int open_listener(struct sockaddr_in *at)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;
	socklen_t size = sizeof *at;

	if (fd >= 0 && (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) ||
	                bind(fd, (struct sockaddr *)at, size) || listen(fd, 128) ||
	                getsockname(fd, (struct sockaddr *)at, &size))) {
		close(fd);
		return -1;
	}
	return fd;
}

int main(int argc, char **argv)
{
	struct sockaddr_in at = {.sin_family = AF_INET,
	                         .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	static struct server s = {.room = FILCH_SEMAPHORE_INIT(CONNECTIONS)};
	int signals = open_signals();

	at.sin_port = htons(argc > 1 ? (uint16_t)atoi(argv[1]) : 0);
	s.listener = open_listener(&at);
	if (signals < 0 || s.listener < 0) {
		perror("server: cannot listen");
		return 1;
	}
	if (argc > 1)
		FILCH_RUN(run, &s, signals);
	else
		FILCH_RUN(try_it, &s, at, signals);
	filch_close(s.listener);
	filch_close(signals);
}
