/* SPDX-License-Identifier: MIT */
/*
 * The client of the echo servers: a process of its own, because one process may not have
 * enough descriptors for both ends. One thread with epoll; each connection has one
 * message under way. It says on its standard output how many came back, how fast, and
 * how long they took.
 */
#include "bench/io/client.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/clock.h"
#include "bench/io/run.h"

#define EVENTS 512
#define WORDS (IO_MESSAGE / 8)

/* Times by their logarithm, so that each is known to 1.6 per cent. */
#define FINE_BITS 6
#define FINE (1u << FINE_BITS)

struct connection {
	int fd;
	uint32_t got; /* bytes of the answer */
	uint64_t number, sent;
	uint64_t answer[WORDS];
};

struct client {
	int epoll;
	size_t n;
	struct connection *c;
	bool measuring, stopping;
	uint64_t messages; /* all */
	uint64_t measured;
	size_t heard; /* connections that have had an answer */
	size_t open;  /* connections with a message under way */
	uint64_t times[64 * FINE];
};

static _Noreturn void fail(const char *what, int error)
{
	fprintf(stderr, "filch bench: echo client: %s: %s\n", what, strerror(error));
	exit(1);
}

static size_t time_slot(uint64_t ns)
{
	unsigned log = 63u - (unsigned)__builtin_clzll(ns | 1);

	if (log <= FINE_BITS)
		return ns;
	return (size_t)(log - FINE_BITS) * FINE + (size_t)(ns >> (log - FINE_BITS));
}

/* The middle of a slot. */
static double slot_ns(size_t slot)
{
	unsigned shift = slot < 2 * FINE ? 0 : (unsigned)(slot / FINE) - 1;
	double width = (double)(UINT64_C(1) << shift);

	return ((double)(slot - (size_t)shift * FINE) + 0.5) * width;
}

static double percentile_us(const struct client *k, double part)
{
	double left = (double)k->measured * part;

	for (size_t i = 0; i < 64 * FINE; i++) {
		left -= (double)k->times[i];
		if (left < 0)
			return slot_ns(i) * 1e-3;
	}
	return 0;
}

/* ---- connections ---- */

static int tcp_connect(unsigned port)
{
	struct sockaddr_in a = {.sin_family = AF_INET,
	                        .sin_port = htons((uint16_t)port),
	                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int one = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || connect(fd, (struct sockaddr *)&a, sizeof a))
		fail("connect", errno);
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
	return fd;
}

static int unix_connect(const char *path)
{
	struct sockaddr_un a = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(a.sun_path, sizeof a.sun_path, "%s", path);
	if (fd < 0 || connect(fd, (struct sockaddr *)&a, sizeof a))
		fail("connect", errno);
	return fd;
}

static void connect_all(struct client *k, const char *where)
{
	for (size_t i = 0; i < k->n; i++) {
		/* Edges: nothing is looked at twice, and each answer is read as a whole. */
		struct epoll_event e = {.events = EPOLLIN | EPOLLET, .data.u64 = i};

		k->c[i].fd = *where == '/' ? unix_connect(where)
		                           : tcp_connect((unsigned)atoi(where));
		if (epoll_ctl(k->epoll, EPOLL_CTL_ADD, k->c[i].fd, &e))
			fail("epoll", errno);
	}
}

/* ---- messages ---- */

/* A message that no other connection, and no other message of this one, has. */
static void compose(const struct client *k, const struct connection *c, uint64_t *m)
{
	uint64_t id = (uint64_t)(c - k->c) * 0x9e3779b97f4a7c15u;

	for (size_t i = 0; i < WORDS; i++)
		m[i] = (id ^ c->number) + i;
}

static void send_next(struct client *k, struct connection *c, uint64_t now)
{
	uint64_t m[WORDS];

	c->number++;
	c->got = 0;
	c->sent = now;
	compose(k, c, m);
	if (send(c->fd, m, sizeof m, MSG_NOSIGNAL) != IO_MESSAGE)
		fail("send", errno);
}

static void take_answer(struct client *k, struct connection *c)
{
	uint64_t m[WORDS], now = filch__now_ns();

	compose(k, c, m);
	if (memcmp(m, c->answer, IO_MESSAGE))
		fail("an answer is not what was sent", EBADMSG);
	k->messages++;
	k->heard += c->number == 1;
	if (k->measuring) {
		k->measured++;
		k->times[time_slot(now - c->sent)]++;
	}
	if (k->stopping)
		k->open--;
	else
		send_next(k, c, now);
}

/* Until it has a whole message, or there is no more. */
static void receive(struct client *k, struct connection *c)
{
	while (c->got < IO_MESSAGE) {
		ssize_t n = recv(c->fd, (char *)c->answer + c->got, IO_MESSAGE - c->got,
		                 MSG_DONTWAIT);

		if (n < 0 && errno == EAGAIN)
			return;
		if (n <= 0)
			fail("a connection has ended", n ? errno : ECONNRESET);
		c->got += (uint32_t)n;
	}
	take_answer(k, c);
}

static void go_on_until(struct client *k, uint64_t end)
{
	struct epoll_event e[EVENTS];

	while (filch__now_ns() < end && k->open) {
		int n = epoll_wait(k->epoll, e, EVENTS, 100);

		if (n < 0 && errno != EINTR)
			fail("epoll_wait", errno);
		for (int i = 0; i < n; i++)
			receive(k, &k->c[e[i].data.u64]);
	}
}

/* A server may have to accept them all first. */
static void hear_all(struct client *k)
{
	uint64_t most = filch__now_ns() + IO_PATIENCE_MS * UINT64_C(1000000);

	while (k->heard < k->n) {
		uint64_t now = filch__now_ns();

		if (now > most)
			fail("a connection is not answered", ETIMEDOUT);
		go_on_until(k, now + 1000000);
	}
}

static void exchange(struct client *k, uint64_t warm_ns, uint64_t measure_ns)
{
	uint64_t began, ns;

	k->open = k->n;
	for (size_t i = 0; i < k->n; i++)
		send_next(k, &k->c[i], filch__now_ns());
	hear_all(k);
	go_on_until(k, filch__now_ns() + warm_ns);
	k->measuring = true;
	began = filch__now_ns();
	go_on_until(k, began + measure_ns);
	ns = filch__now_ns() - began;
	k->measuring = false;
	k->stopping = true;
	go_on_until(k, filch__now_ns() + 20 * measure_ns);
	if (k->open)
		fail("answers are missing", ETIMEDOUT);
	printf("%llu %.1f %.3f %.3f\n", (unsigned long long)k->messages,
	       (double)k->measured / ((double)ns * 1e-9), percentile_us(k, 0.5),
	       percentile_us(k, 0.99));
}

int io_client(int argc, char **argv)
{
	struct client k = {0};

	if (argc != 5)
		return 2;
	bench_pin(1); /* the server's thread has another processor, if there is one */
	k.n = strtoul(argv[2], NULL, 10);
	k.c = calloc(k.n, sizeof *k.c);
	k.epoll = epoll_create1(EPOLL_CLOEXEC);
	if (!k.c || k.epoll < 0)
		fail("no memory or no epoll", errno);
	connect_all(&k, argv[1]);
	exchange(&k, strtoul(argv[3], NULL, 10) * 1000000,
	         strtoul(argv[4], NULL, 10) * 1000000);
	for (size_t i = 0; i < k.n; i++)
		close(k.c[i].fd);
	free(k.c);
	return 0;
}
