/* SPDX-License-Identifier: MIT */
/*
 * The access log, in the Common Log Format. Lines are collected, and a strand writes
 * them: while it writes, the next ones come together. Nothing is lost: who finds the
 * buffer full waits.
 */
#ifndef FILCH_CMD_SERVE_LOG_H
#define FILCH_CMD_SERVE_LOG_H

#include <filch/sync.h>

#include "cmd/serve/text.h"

struct log {
	const char *path; /* NULL: no log; "-": standard output */
	struct filch_future *writer;
	struct filch_mutex lock; /* of all that follows */
	struct filch_condition lines, room;
	char *buffer;
	size_t used;
	bool reopen, ending;
	bool hurry; /* nobody waits for room */
	int fd;     /* the writer's */
};

/* Opens it. 0 or a negative errno; nothing to end then. */
int log_open(struct log *l, const char *path);

/* Starts and ends the writer. Caller: a strand. */
int log_begin(struct log *l);
void log_end(struct log *l);
void log_close(struct log *l);

/* It is time to stop: lines that find no room are lost from here on. */
void log_hurry(struct log *l);

/* The file was moved away: the next line goes to a new one. */
void log_reopen(struct log *l);

/* A line: who asked, how, and what the answer was. */
void log_write(struct log *l, const char *peer, struct text request, int status,
               uint64_t bytes);

#endif
