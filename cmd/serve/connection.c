/* SPDX-License-Identifier: MIT */
/* The life of a connection: it receives, reads and answers one request after the
 * other. */
#include "cmd/serve/connection.h"

#include <arpa/inet.h>
#include <errno.h>
#include <filch/io.h>
#include <stdlib.h>

#include "cmd/serve/body.h"

#define LINGER_NS (2 * FILCH_S) /* the time that a client has to read the last answer */
#define LINGER_MOST (1u << 20)  /* bytes that it may still send meanwhile */
#define TURN 64                 /* requests before other strands may run */

/* ---- the list of open connections ---- */

static void enlist(struct connection *c)
{
	struct server *s = c->server;

	filch_mutex_lock(&s->lock);
	c->next = s->open;
	c->link = &s->open;
	if (s->open)
		s->open->link = &c->next;
	s->open = c;
	filch_mutex_unlock(&s->lock);
}

static void delist(struct connection *c)
{
	struct server *s = c->server;

	filch_mutex_lock(&s->lock);
	*c->link = c->next;
	if (c->next)
		c->next->link = c->link;
	filch_mutex_unlock(&s->lock);
}

/* The last access of a connection to its server. */
static void sign_off(struct server *s)
{
	filch_mutex_lock(&s->lock);
	s->count--;
	filch_mutex_unlock(&s->lock);
}

/* ---- receiving ---- */

/* Moves the unused bytes to the front. A head that does not fit gets a larger buffer,
 * which is freed when all of it is used. */
static bool make_room(struct connection *c)
{
	size_t most = c->server->options->max_header;
	char *larger;

	if (c->begin) {
		memmove(c->in, c->in + c->begin, c->end - c->begin);
		c->end -= c->begin;
		c->begin = 0;
	}
	if (c->in != c->first && !c->end) {
		free(c->in);
		c->in = c->first;
		c->room = sizeof c->first;
	}
	if (c->end < c->room || c->room >= most)
		return true;
	larger = malloc(most);
	if (!larger)
		return false;
	memcpy(larger, c->in, c->end);
	c->in = larger;
	c->room = most;
	return true;
}

/* Sends what was collected, then receives more. Returns a count, 0 at the end, or a
 * negative errno. */
static ssize_t receive(struct connection *c, uint64_t deadline)
{
	ssize_t n;

	if (c->used)
		output_flush(c, 0);
	if (c->broken || !make_room(c))
		return -EIO;
	n = filch_recv_until(c->fd, c->in + c->end, c->room - c->end, 0, deadline);
	if (n > 0)
		c->end += (size_t)n;
	return n;
}

/* Waits for the first bytes of a request, unless they have arrived already. */
static bool await_request(struct connection *c)
{
	struct server *s = c->server;
	ssize_t n;

	if (c->end > c->begin)
		return true;
	/* Relaxed: a hint; drain() looks at it again and again. */
	atomic_store_explicit(&c->idle, true, memory_order_relaxed);
	n = server_is_stopping(s) ? 0
	                          : receive(c, filch_after(s->options->idle * FILCH_S));
	atomic_store_explicit(&c->idle, false, memory_order_relaxed); /* as above */
	return n > 0;
}

/* Receives until a head is complete. Returns REQUEST_WHOLE, a status, or REQUEST_MORE if
 * the connection has ended before that. */
static int receive_head(struct connection *c, struct head *h)
{
	const struct serve_options *o = c->server->options;
	uint64_t deadline = 0;
	ssize_t n;
	int found;

	if (!await_request(c))
		return REQUEST_MORE;
	while (!(found = head_find(h, c->in + c->begin, c->end - c->begin,
	                           o->max_header))) {
		if (!deadline)
			deadline = filch_after(o->header_time * FILCH_S);
		n = receive(c, deadline);
		if (n == -ETIMEDOUT)
			return 408;
		if (n <= 0)
			return REQUEST_MORE;
	}
	return found;
}

/* ---- bodies ---- */

/* Tells the client to send the body, if it waits for that. */
static void encourage(struct connection *c, const struct request *r)
{
	static const char word[] = "HTTP/1.1 100 Continue\r\n\r\n";

	if (r->expect.at && r->minor && c->begin == c->end)
		output_add(c, word, sizeof word - 1);
}

/* Receives the body of a request and drops it. The head stays where it is until the
 * answer is made, so the body gets a buffer of its own. Returns REQUEST_WHOLE, a status,
 * or REQUEST_MORE if the connection has ended before the body. */
static int drop_body(struct connection *c, const struct request *r, struct body *b)
{
	uint64_t idle = c->server->options->idle * FILCH_S;
	size_t used, size = 4096;
	char *buffer;
	ssize_t n;
	int found = body_drop(b, c->in + c->begin, c->end - c->begin, &used);

	c->begin += used;
	if (found != REQUEST_MORE)
		return found;
	encourage(c, r);
	output_flush(c, 0);
	buffer = malloc(size);
	while (buffer && !c->broken && found == REQUEST_MORE) {
		/* Receives no further than the end of the body, if that is known. */
		size_t most = !b->chunked && b->left < size ? (size_t)b->left : size;

		n = filch_recv_until(c->fd, buffer, most, b->chunked ? MSG_PEEK : 0,
		                     filch_after(idle));
		if (n <= 0) {
			found = n == -ETIMEDOUT ? 408 : REQUEST_MORE;
			break;
		}
		found = body_drop(b, buffer, (size_t)n, &used);
		if (b->chunked && filch_recv(c->fd, buffer, used, 0) != (ssize_t)used)
			break;
	}
	free(buffer);
	return found;
}

/* Takes the body from the connection. Returns false if the request needs no further
 * answer. */
static bool pass_body(struct connection *c, const struct request *r)
{
	struct body b;
	int found = body_begin(&b, r, c->server->options->max_body);

	if (found == REQUEST_MORE && r->expect.at && r->method > METHOD_OPTIONS) {
		/* The request will be refused, and the body may follow or not. */
		c->last = c->linger = true;
		return true;
	}
	if (found == REQUEST_MORE)
		found = drop_body(c, r, &b);
	if (found == REQUEST_WHOLE)
		return true;
	c->last = c->linger = true;
	if (found)
		answer_status(c, r, found);
	else
		c->status = 0;
	return false;
}

/* ---- requests ---- */

/* Returns as much of the first line as has arrived; it is logged if there is no valid
 * head. */
static struct text first_line(const char *data, size_t n)
{
	size_t length = 0;

	while (length < n && data[length] != '\r' && data[length] != '\n')
		length++;
	return (struct text){data, length};
}

/* Answers one request. Returns false if it was the last. */
static bool serve_one(struct connection *c)
{
	struct server *s = c->server;
	struct request r = {0};
	struct head h = {0};
	int found = receive_head(c, &h);
	const char *data = c->in + c->begin;

	if (found == REQUEST_MORE)
		return false;
	if (found == REQUEST_WHOLE) {
		found = request_parse(&r, data, &h);
		c->begin += h.end;
	} else {
		r.line = first_line(data + h.begin, c->end - c->begin - h.begin);
	}
	c->last = !r.keep || server_is_stopping(s);
	c->status = 0;
	if (found != REQUEST_WHOLE)
		answer_status(c, NULL, found);
	else if (pass_body(c, &r))
		answer_request(c, &r);
	if (c->status)
		log_write(&s->log, c->peer, r.line, c->status, c->sent);
	return !c->last;
}

/* ---- life ---- */

static void name_peer(struct connection *c)
{
	union address a = {.any = {0}};
	socklen_t size = sizeof a;

	strcpy(c->peer, "-");
	if (getpeername(c->fd, &a.any, &size))
		return;
	if (a.any.sa_family == AF_INET6)
		inet_ntop(AF_INET6, &a.v6.sin6_addr, c->peer, sizeof c->peer);
	else
		inet_ntop(AF_INET, &a.v4.sin_addr, c->peer, sizeof c->peer);
}

/* When a socket is closed while received bytes are unread, the answer that is on its way
 * is lost. So the client is told that no more will come, and gets some time to close its
 * side. */
static void linger(struct connection *c)
{
	uint64_t deadline = filch_after(LINGER_NS);
	size_t sum = 0;
	ssize_t n = 1;

	if (shutdown(c->fd, SHUT_WR))
		return;
	while (n > 0 && sum < LINGER_MOST) {
		n = filch_recv_until(c->fd, c->first, sizeof c->first, 0, deadline);
		sum += n > 0 ? (size_t)n : 0;
	}
}

static void finish(struct connection *c)
{
	output_flush(c, 0);
	if (!c->broken && (c->linger || c->end > c->begin))
		linger(c);
	if (c->in != c->first)
		free(c->in);
	delist(c); /* before the descriptor may become another file's */
	filch_close(c->fd);
	sign_off(c->server);
}

FILCH_TASK_VOID(connection_run, (struct server *, server), (int, fd), (bool, refuse))
{
	struct connection c;

	memset(&c, 0, offsetof(struct connection, first));
	c.server = server;
	c.fd = fd;
	c.in = c.first;
	c.room = sizeof c.first;
	if (c.room > server->options->max_header)
		c.room = server->options->max_header;
	if (server->log.path)
		name_peer(&c);
	enlist(&c);
	if (refuse)
		answer_status(&c, NULL, 503);
	else
		for (unsigned i = 1; serve_one(&c); i++)
			if (i % TURN == 0)
				filch_yield();
	finish(&c);
}
