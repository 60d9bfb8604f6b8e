/* SPDX-License-Identifier: MIT */
/*
 * Requests as they come in: where a head ends, what it says, which file it means. Strict:
 * what two programs might read in two ways is refused, with the status to answer by.
 * Nothing is copied but the path; nothing is allocated.
 */
#ifndef FILCH_CMD_SERVE_REQUEST_H
#define FILCH_CMD_SERVE_REQUEST_H

#include <stdint.h>

#include "cmd/serve/text.h"

/* What the functions here say when all is well; otherwise a status from 400 on. */
enum { REQUEST_MORE = 0, REQUEST_WHOLE = 1 };

/* ---- the end of a head ---- */

/* How far the search has come; all zero before it begins. */
struct head {
	size_t begin; /* of the request line: blank lines may come before */
	size_t line;  /* of the last line seen */
	size_t at;    /* all before this has been looked at */
	size_t end;   /* of the head with its blank line, once that is there */
};

/* Goes on with the first n bytes of a request, of which the head may be `most`. May be
 * called again when there are more. */
int head_find(struct head *h, const char *data, size_t n, size_t most);

/* ---- what it says ---- */

enum method { METHOD_GET, METHOD_HEAD, METHOD_OPTIONS, METHOD_REFUSED, METHOD_UNKNOWN };

struct request {
	enum method method;
	unsigned minor;   /* HTTP/1.minor: 0 or 1 */
	bool keep;        /* the connection is to be kept */
	bool chunked;     /* so is the body */
	bool has_length;  /* Content-Length was there: */
	uint64_t length;  /* of the body */
	struct text line; /* the request line; set if nothing else is */
	struct text target;
	struct text host, range, if_range, if_match, if_none_match;
	struct text if_modified_since, if_unmodified_since, expect, encoding;
};

/* Reads the head that was found in data. REQUEST_WHOLE, or a status. */
int request_parse(struct request *r, const char *data, const struct head *h);

/* The path below the served directory that a target means, decoded, without dot
 * segments and empty ones; "" is the directory itself. A slash at its end stays.
 * `out` has room for target.length + 1. REQUEST_WHOLE, or 400. */
int request_path(struct text target, char *out);

/* The query with its question mark; empty if there is none. */
struct text request_query(struct text target);

#endif
