/* SPDX-License-Identifier: MIT */
/*
 * Requests as they arrive: where a head ends, what it says, and which file it means. The
 * functions are strict: they refuse whatever two programs might read in two ways, and
 * return the status to answer with. Only the path is copied; nothing is allocated.
 */
#ifndef FILCH_CMD_SERVE_REQUEST_H
#define FILCH_CMD_SERVE_REQUEST_H

#include <stdint.h>

#include "cmd/serve/text.h"

/* The results of functions that read; any other result is a status from 400 on. */
enum { REQUEST_MORE = 0, REQUEST_WHOLE = 1 };

/* ---- the end of a head ---- */

/* The state of the search; all zero before it begins. */
struct head {
	size_t begin; /* where the request line begins, after blank lines */
	size_t line;  /* where the last line that was seen begins */
	size_t at;    /* all bytes before this one have been searched */
	size_t end; /* where the head ends, with its blank line, once that has arrived */
};

/* Searches the first n bytes of a request for the end of its head, which may have up to
 * `most` bytes. May be called again when more bytes have arrived. */
int head_find(struct head *h, const char *data, size_t n, size_t most);

/* ---- the contents of a head ---- */

enum method { METHOD_GET, METHOD_HEAD, METHOD_OPTIONS, METHOD_REFUSED, METHOD_UNKNOWN };

struct request {
	enum method method;
	unsigned minor;   /* HTTP/1.minor: 0 or 1 */
	bool keep;        /* the connection is kept after the answer */
	bool chunked;     /* the body is sent in chunks */
	bool has_length;  /* the head has a Content-Length: */
	uint64_t length;  /* of the body */
	struct text line; /* the request line; set even if nothing else is */
	struct text target;
	struct text host, range, if_range, if_match, if_none_match;
	struct text if_modified_since, if_unmodified_since, expect, encoding;
};

/* Reads the head that was found in data. Returns REQUEST_WHOLE or a status. */
int request_parse(struct request *r, const char *data, const struct head *h);

/* Writes the path below the served directory that a target means: decoded, without dot
 * segments and empty ones; "" is the directory itself. A slash at its end is kept. `out`
 * has room for target.length + 1. Returns REQUEST_WHOLE or 400. */
int request_path(struct text target, char *out);

/* Returns the query with its question mark; an empty text if there is none. */
struct text request_query(struct text target);

#endif
