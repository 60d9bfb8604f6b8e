/* SPDX-License-Identifier: MIT */
/*
 * A connection: a strand, what it has received and not yet used, what it is going to
 * send. It is in the frame of its strand; its states are in README.md.
 */
#ifndef FILCH_CMD_SERVE_CONNECTION_H
#define FILCH_CMD_SERVE_CONNECTION_H

#include <filch/task.h>

#include "cmd/serve/request.h"
#include "cmd/serve/server.h"

#define IN_FIRST 1024          /* bytes for a head in the frame itself */
#define OUT_SIZE (66u << 10)   /* of answers that are sent together */
#define SMALL_FILE (32u << 10) /* up to this a file is copied into them */
#define HEAD_ROOM 1024         /* the head of an answer, without its Location */

struct connection {
	struct server *server;
	int fd;
	struct connection *next, **link; /* of the open ones, under the server's lock */
	_Atomic(bool) idle; /* waits for a request; written here, read by who stops */
	bool last;          /* the connection ends with this answer */
	bool linger;        /* ... and the other side may still be sending */
	bool broken;        /* nothing can be sent any more */
	int status;         /* of the answer */
	uint64_t sent;      /* bytes of its body */
	char *in;           /* `first`, or allocated */
	size_t begin, end;  /* what of it is not used yet */
	size_t room;
	char *out; /* NULL: nothing to send */
	size_t used;
	char peer[INET6_ADDRSTRLEN];
	char first[IN_FIRST];
};

/* Serves a connection to its end. `refuse`: there are too many; it is told so. */
FILCH_TASK_VOID_DECL(connection_run, (struct server *, server), (int, fd),
                     (bool, refuse));

/* ---- sending: output.c ---- */

/* Room for n bytes, no more than OUT_SIZE, to be written to and then counted in c->used.
 * NULL, and the connection broken, if there is none. */
char *output_room(struct connection *c, size_t n);

/* Sends what is there; `flags` as of send(). */
void output_flush(struct connection *c, int flags);

/* Copies any amount. */
void output_add(struct connection *c, const char *data, size_t n);

/* Sends a part of a file, and counts it in c->sent. */
void output_file(struct connection *c, int file, uint64_t first, uint64_t size);

/* ---- answering: answer.c ---- */

void answer_request(struct connection *c, const struct request *r);

/* Answers by a status alone. `r` may be NULL: it could not be read. */
void answer_status(struct connection *c, const struct request *r, int status);

#endif
