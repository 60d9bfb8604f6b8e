/* SPDX-License-Identifier: MIT */
/* What all connections of a server share. See README.md. */
#ifndef FILCH_CMD_SERVE_SERVER_H
#define FILCH_CMD_SERVE_SERVER_H

#include <filch/sync.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/atomic.h"
#include "cmd/serve/log.h"

/* What the command line says. */
struct serve_options {
	const char *directory, *address, *log, *index;
	size_t port, workers;
	bool listing;
	size_t max_header, max_body, max_connections;
	size_t idle, header_time, grace; /* seconds */
};

struct connection;

struct server {
	const struct serve_options *options; /* constant, as are the next two */
	int root;                            /* the served directory */
	int listener;
	struct log log;
	struct cache *cache;
	_Atomic(bool) stopping;     /* no further request on any connection */
	struct filch_event at_once; /* do not wait for those under way either */
	struct filch_mutex lock;    /* of what follows: */
	struct connection *open;
	size_t count;    /* of strands for connections */
	size_t listings; /* being made or sent */
};

union address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
};

/* Opens the listening socket, and sets the port to the one it has. A negative errno;
 * -EINVAL: that is no address. */
int server_listen(struct server *s, const char *address, size_t *port);

/* Serves until a signal (blocked in all threads) says to stop. 0, or the negative errno
 * for which it could not begin. Caller: a strand. */
int server_run(struct server *s);

#endif
