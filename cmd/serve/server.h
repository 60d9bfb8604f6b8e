/* SPDX-License-Identifier: MIT */
/* A server: the state that all of its connections share. See README.md. */
#ifndef FILCH_CMD_SERVE_SERVER_H
#define FILCH_CMD_SERVE_SERVER_H

#include <filch/sync.h>
#include <netinet/in.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "cmd/serve/log.h"

/* The options of the command line. */
struct serve_options {
	const char *directory, *address, *log, *index;
	size_t port, workers;
	bool listing;
	size_t max_header, max_body, max_connections;
	size_t idle, header_time, grace; /* seconds */
};

struct connection;

struct server {
	const struct serve_options *options; /* constant, like the next two fields */
	int root;                            /* the served directory */
	int listener;
	struct log log;
	struct cache *cache;
	_Atomic(bool) stopping;     /* hint: no connection takes another request */
	struct filch_event at_once; /* requests under way are not waited for either */
	struct filch_mutex lock;    /* guards the fields below */
	struct connection *open;
	size_t count;    /* strands that serve a connection */
	size_t listings; /* listings that are being made or sent */
};

/* Relaxed: a hint. drain() looks at all connections again until there are none. */
static inline bool server_is_stopping(const struct server *s)
{
	return atomic_load_explicit(&s->stopping, memory_order_relaxed);
}

union address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
};

/* Opens the listening socket, and sets *port to the port that it has. Returns 0 or a
 * negative errno; -EINVAL: `address` is not a numeric address. */
int server_listen(struct server *s, const char *address, size_t *port);

/* Serves until a signal (blocked in all threads) tells it to stop. Returns 0, or a
 * negative errno if it could not begin. Caller: a strand. */
int server_run(struct server *s);

#endif
