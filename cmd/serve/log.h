/* SPDX-License-Identifier: MIT */
/*
 * The access log, in the Common Log Format. Lines are collected in a buffer, and one
 * strand writes them; while it writes, the next lines are collected in another buffer. No
 * line is lost: a strand that finds the buffer full waits.
 */
#ifndef FILCH_CMD_SERVE_LOG_H
#define FILCH_CMD_SERVE_LOG_H

#include <filch/sync.h>

#include "cmd/serve/text.h"

struct log {
	const char *path; /* NULL: no log; "-": standard output */
	struct filch_future *writer;
	struct filch_mutex lock; /* guards the fields below, except fd */
	struct filch_condition lines, room;
	char *buffer;
	size_t used;
	bool reopen, ending;
	bool hurry; /* lines that find no room are dropped */
	int fd;     /* used by the writer alone */
};

/* Opens the log. Returns 0, or a negative errno; then there is nothing to close. */
int log_open(struct log *l, const char *path);

/* Start and end the writer. Caller: a strand. */
int log_begin(struct log *l);
void log_end(struct log *l);
void log_close(struct log *l);

/* Called when the server stops: from here on, lines that find no room are lost. */
void log_hurry(struct log *l);

/* Called when the file was moved away: the next line goes to a new file. */
void log_reopen(struct log *l);

/* Logs a request: the address of the client, the request line, and the answer. */
void log_write(struct log *l, const char *peer, struct text request, int status,
               uint64_t bytes);

#endif
