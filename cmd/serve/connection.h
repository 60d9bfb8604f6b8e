/* SPDX-License-Identifier: MIT */
/*
 * A connection: its strand, the bytes that it has received and not used yet, and those
 * that it is going to send. It lies in the frame of its strand; README.md has its states.
 */
#ifndef FILCH_CMD_SERVE_CONNECTION_H
#define FILCH_CMD_SERVE_CONNECTION_H

#include <filch/task.h>

#include "cmd/serve/request.h"
#include "cmd/serve/server.h"

#define IN_FIRST 1024          /* bytes for a head in the frame itself */
#define OUT_SIZE (66u << 10)   /* bytes of answers that are sent together */
#define SMALL_FILE (32u << 10) /* a file up to this size is copied into the output */
#define HEAD_ROOM 1024         /* bytes of the head of an answer, without its Location */

struct connection {
	struct server *server;
	int fd;
	struct connection *next, **link; /* in the server's list, under its lock */
	_Atomic(bool) idle; /* waits for a request; its strand writes, the server reads */
	bool last;          /* the connection ends with this answer */
	bool linger;        /* ... and the client may still be sending */
	bool broken;        /* nothing more can be sent */
	int status;         /* of the answer */
	uint64_t sent;      /* bytes of the body of the answer */
	char *in;           /* `first`, or allocated */
	size_t begin, end;  /* the part of `in` that is not used yet */
	size_t room;
	char *out; /* NULL: there is nothing to send */
	size_t used;
	char peer[INET6_ADDRSTRLEN];
	char first[IN_FIRST];
};

/* Serves a connection to its end. If `refuse` is set, there are too many, and the answer
 * is 503. */
FILCH_TASK_VOID_DECL(connection_run, (struct server *, server), (int, fd),
                     (bool, refuse));

/* ---- sending: output.c ---- */

/* Returns room for n bytes, which is OUT_SIZE at most. The caller writes there and adds
 * to c->used. Returns NULL if there is no memory; the connection is then broken. */
char *output_room(struct connection *c, size_t n);

/* Sends what was collected. `flags` are those of send(). */
void output_flush(struct connection *c, int flags);

/* Adds n bytes, any number of them. */
void output_add(struct connection *c, const char *data, size_t n);

/* Sends a part of a file, and adds its size to c->sent. */
void output_file(struct connection *c, int file, uint64_t first, uint64_t size);

/* ---- answering: answer.c ---- */

void answer_request(struct connection *c, const struct request *r);

/* Answers with a status and no other contents. `r` is NULL if the request was not
 * readable. */
void answer_status(struct connection *c, const struct request *r, int status);

#endif
