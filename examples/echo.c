/* SPDX-License-Identifier: MIT */
/* An echo server, and clients that try it: a strand for each connection. */
#include <arpa/inet.h>
#include <filch.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#define CLIENTS 100

static uint64_t deadline; /* of everything: a client that fails must not be waited for */

/* Until the client has closed its end, or says nothing for a second. */
FILCH_STATIC_TASK_VOID(serve, (int, fd))
{
	char buffer[256];
	ssize_t n;

	while ((n = filch_recv_until(fd, buffer, sizeof buffer, 0,
	                             filch_after(FILCH_S))) > 0)
		filch_send(fd, buffer, (size_t)n, 0);
	filch_close(fd);
}

FILCH_STATIC_TASK_VOID(server, (int, listener))
{
	struct filch_group connections;

	filch_group_begin(&connections);
	for (int i = 0; i < CLIENTS; i++) {
		int fd = filch_accept_until(listener, NULL, NULL, 0, deadline);

		if (fd < 0)
			break;
		FILCH_GROUP_SPAWN(&connections, serve, fd);
	}
	filch_close(listener); /* who waits there in vain is told */
	filch_group_wait(&connections);
}

FILCH_STATIC_TASK(int, client, (const struct sockaddr_in *, to))
{
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	char back[16] = "";
	int good;

	if (fd < 0)
		return 0;
	good = !filch_connect_until(fd, (const struct sockaddr *)to, sizeof *to,
	                            deadline) &&
	       filch_send_until(fd, "hello", 5, 0, deadline) == 5 &&
	       filch_recv_until(fd, back, 5, MSG_WAITALL, deadline) == 5 &&
	       !strcmp(back, "hello");
	filch_close(fd);
	return good;
}

FILCH_STATIC_TASK(int, both, (int, listener), (const struct sockaddr_in *, to))
{
	FILCH_FRAME(client) clients[CLIENTS];
	int good = 0;

	FILCH_SPAWN(s, server, listener);
	for (int i = 0; i < CLIENTS; i++)
		FILCH_SPAWN_AT(&clients[i], client, to);
	for (int i = CLIENTS; i-- > 0;)
		good += FILCH_JOIN_AT(&clients[i], client);
	FILCH_JOIN(s);
	return good;
}

int main(void)
{
	struct sockaddr_in to = {.sin_family = AF_INET,
	                         .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof to;
	int listener = socket(AF_INET, SOCK_STREAM, 0), good;

	if (listener < 0 || bind(listener, (struct sockaddr *)&to, size) ||
	    listen(listener, CLIENTS) ||
	    getsockname(listener, (struct sockaddr *)&to, &size)) {
		perror("listen");
		return 1;
	}
	deadline = filch_after(10 * FILCH_S);
	good = FILCH_RUN(both, listener, &to);
	printf("%d of %d clients heard their echo\n", good, CLIENTS);
	return good != CLIENTS;
}
