/* SPDX-License-Identifier: MIT */
/*
 * The loop that answers, which runs over the socket and the clients connected to it. Each
 * line that a client sends asks for a snapshot, and no snapshot is made before a client
 * asks. See README.md.
 */
#ifndef FILCH_WATCH_ANSWER_H
#define FILCH_WATCH_ANSWER_H

#include <filch/watch.h>

#include "watch/watch.h"

struct filch__client {
	bool here; /* if so, fd is the client's, and the child of a fork closes it */
	int fd;
	struct filch__text answer;
	size_t sent; /* bytes of the answer */
};

struct filch__answerer {
	int listener;
	int stop; /* an eventfd */
	filch__describe_fn *describe;
	struct filch__client client[FILCH_WATCH_CLIENTS];
};

/* Answers until `stop` is written to; then closes all clients. */
void filch__answer_all(struct filch__answerer *a);

/* Called in the child of a fork: closes the parent's clients. */
void filch__answerer_close(struct filch__answerer *a);

#endif
