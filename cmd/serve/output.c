/* SPDX-License-Identifier: MIT */
/*
 * The output of a connection. Answers are collected until no request is left to answer,
 * so that pipelined requests cost one system call together. A connection whose client
 * takes nothing for the idle time is ended.
 */
#include <errno.h>
#include <filch/io.h>
#include <stdlib.h>

#include "cmd/serve/connection.h"

#define FILE_TURN (1u << 20) /* bytes before other strands may run */

static uint64_t patience(const struct connection *c)
{
	return filch_after(c->server->options->idle * FILCH_S);
}

static void give_up(struct connection *c)
{
	c->broken = true;
	c->last = true;
	free(c->out);
	c->out = NULL;
	c->used = 0;
}

void output_flush(struct connection *c, int flags)
{
	for (size_t at = 0; at < c->used;) {
		ssize_t n = filch_send_until(c->fd, c->out + at, c->used - at, flags,
		                             patience(c));

		if (n < 0) {
			give_up(c);
			return;
		}
		at += (size_t)n;
	}
	free(c->out);
	c->out = NULL;
	c->used = 0;
}

char *output_room(struct connection *c, size_t n)
{
	if (c->out && c->used + n > OUT_SIZE)
		output_flush(c, MSG_MORE);
	if (!c->out && !c->broken) {
		c->out = malloc(OUT_SIZE);
		if (!c->out)
			give_up(c);
	}
	return c->out ? c->out + c->used : NULL;
}

void output_add(struct connection *c, const char *data, size_t n)
{
	while (n) {
		size_t part = n < OUT_SIZE / 2 ? n : OUT_SIZE / 2;
		char *to = output_room(c, part);

		if (!to)
			return;
		memcpy(to, data, part);
		c->used += part;
		data += part;
		n -= part;
	}
}

/* If a file has become shorter than the head says, the connection ends: HTTP has no other
 * way to tell the client. */
void output_file(struct connection *c, int file, uint64_t first, uint64_t size)
{
	output_flush(c, MSG_MORE);
	while (size && !c->broken) {
		size_t part = size < FILE_TURN ? (size_t)size : FILE_TURN;
		ssize_t n = filch_sendfile_until(c->fd, file, (off_t)first, part,
		                                 patience(c));

		if (n <= 0) {
			give_up(c);
			return;
		}
		c->sent += (uint64_t)n;
		first += (uint64_t)n;
		size -= (uint64_t)n;
		if (size)
			filch_yield();
	}
}
