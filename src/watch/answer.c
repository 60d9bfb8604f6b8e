/* SPDX-License-Identifier: MIT */
#include "watch/answer.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define REFUSED_MS 100 /* the time until the next accept when no descriptors are left */

enum { STOP, LISTENER, FIRST_CLIENT };

static const char crowded[] = FILCH_WATCH_ERROR ":\"too many look at this process\"}\n";

/* Whether the client belongs to the same user, or to root, who can look at any
 * process. */
static bool may_look(int fd)
{
	struct ucred who;
	socklen_t size = sizeof who;

	return !getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size) &&
	       (who.uid == geteuid() || who.uid == 0);
}

/* Accepts a client. Returns false if the system has no descriptor for it now. */
static bool let_in(struct filch__answerer *a)
{
	int fd = accept4(a->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	if (fd < 0) /* EBADF, ENOTSOCK, EINVAL: the program closed the listener */
		return errno != EMFILE && errno != ENFILE && errno != ENOMEM &&
		       errno != ENOBUFS && errno != EBADF && errno != ENOTSOCK &&
		       errno != EINVAL;
	if (!may_look(fd)) {
		close(fd);
		return true;
	}
	for (int i = 0; i < FILCH_WATCH_CLIENTS; i++)
		if (!a->client[i].here) {
			a->client[i].fd = fd; /* before `here`: another thread may fork */
			__asm__ volatile("" ::: "memory");
			a->client[i].here = true;
			return true;
		}
	(void)send(fd, crowded, sizeof crowded - 1, MSG_NOSIGNAL);
	close(fd);
	return true;
}

static void leave(struct filch__client *c)
{
	filch__text_free(&c->answer);
	c->sent = 0;
	c->here = false; /* before the close, since another thread may fork */
	close(c->fd);
}

/* Reads from a client. Returns whether the client asks for a snapshot. */
static bool asks(struct filch__client *c)
{
	char line[256];
	ssize_t n = recv(c->fd, line, sizeof line, 0);

	if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
		leave(c);
	return n > 0 && memchr(line, '\n', (size_t)n);
}

static void send_more(struct filch__client *c)
{
	ssize_t n = send(c->fd, c->answer.at + c->sent, c->answer.length - c->sent,
	                 MSG_NOSIGNAL);

	if (n < 0 && errno != EAGAIN && errno != EINTR) {
		leave(c);
		return;
	}
	c->sent += n > 0 ? (size_t)n : 0;
	if (c->sent == c->answer.length) {
		filch__text_free(&c->answer);
		c->sent = 0;
	}
}

static void serve(struct filch__answerer *a, struct filch__client *c)
{
	if (!c->answer.at) {
		if (!asks(c))
			return;
		a->describe(&c->answer);
		filch__text_add(&c->answer, "\n");
		if (c->answer.failed) {
			leave(c);
			return;
		}
	}
	send_more(c);
}

static void prepare(struct filch__answerer *a, struct pollfd *p, bool deaf)
{
	p[STOP] = (struct pollfd){.fd = a->stop, .events = POLLIN};
	p[LISTENER] = (struct pollfd){.fd = deaf ? -1 : a->listener, .events = POLLIN};
	for (int i = 0; i < FILCH_WATCH_CLIENTS; i++) {
		struct filch__client *c = &a->client[i];

		p[FIRST_CLIENT + i] = (struct pollfd){
			.fd = c->here ? c->fd : -1,
			.events = c->answer.at ? POLLOUT : POLLIN,
		};
	}
}

void filch__answer_all(struct filch__answerer *a)
{
	struct pollfd p[FIRST_CLIENT + FILCH_WATCH_CLIENTS];
	bool deaf = false;

	for (;;) {
		prepare(a, p, deaf);
		if (poll(p, FIRST_CLIENT + FILCH_WATCH_CLIENTS, deaf ? REFUSED_MS : -1) <
		    0)
			continue; /* the kernel lacks memory; signals are blocked */
		if (p[STOP].revents)
			break;
		for (int i = 0; i < FILCH_WATCH_CLIENTS; i++)
			if (p[FIRST_CLIENT + i].revents)
				serve(a, &a->client[i]);
		deaf = p[LISTENER].revents && !let_in(a);
	}
	for (int i = 0; i < FILCH_WATCH_CLIENTS; i++)
		if (a->client[i].here)
			leave(&a->client[i]);
}

void filch__answerer_close(struct filch__answerer *a)
{
	for (int i = 0; i < FILCH_WATCH_CLIENTS; i++)
		if (a->client[i].here)
			close(a->client[i].fd);
	memset(a->client, 0, sizeof a->client);
}
