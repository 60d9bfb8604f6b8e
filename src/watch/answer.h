/* SPDX-License-Identifier: MIT */
/*
 * Who answers: a loop over the socket and those who are connected to it. Each line that one
 * sends asks for a snapshot; nothing is looked at before somebody asks.
 */
#ifndef FILCH_WATCH_ANSWER_H
#define FILCH_WATCH_ANSWER_H

#include "watch/watch.h"

#define FILCH__CLIENTS 8 /* at the same time; others are turned away */

struct filch__client {
	bool here; /* and fd is its own: the child of a fork closes it */
	int fd;
	struct filch__text answer; /* what it is to get */
	size_t sent;               /* of that */
};

struct filch__answerer {
	int listener;
	int stop; /* an eventfd */
	filch__describe_fn *describe;
	struct filch__client client[FILCH__CLIENTS];
};

/* Answers until `stop` is written to; then all clients are gone. */
void filch__answer_all(struct filch__answerer *a);

/* In the child of a fork: closes what is the parent's. */
void filch__answerer_close(struct filch__answerer *a);

#endif
