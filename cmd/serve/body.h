/* SPDX-License-Identifier: MIT */
/* Bodies of requests. Nobody wants them: all that counts is where they end. */
#ifndef FILCH_CMD_SERVE_BODY_H
#define FILCH_CMD_SERVE_BODY_H

#include "cmd/serve/request.h"

enum body_state {
	BODY_SIZE,      /* of a chunk, in hexadecimal digits */
	BODY_EXTENSION, /* what comes after it, to be ignored */
	BODY_SIZE_LF,
	BODY_DATA,
	BODY_DATA_CR,
	BODY_DATA_LF,
	BODY_TRAILER, /* at the beginning of a line of the trailer */
	BODY_TRAILER_LINE,
	BODY_TRAILER_LF,
	BODY_END_LF,
	BODY_DONE,
};

struct body {
	enum body_state state;
	bool chunked;
	unsigned digits; /* of a chunk's size */
	size_t besides;  /* bytes of extensions and trailers so far */
	uint64_t left;   /* of this chunk, or of all */
	uint64_t total;  /* of all chunks */
	uint64_t most;   /* that it may be */
};

/* REQUEST_MORE: the body of this request, of at most so many bytes, is to come;
 * REQUEST_WHOLE: there is none; 413. */
int body_begin(struct body *b, const struct request *r, uint64_t most);

/* Goes on with n bytes, of which *used belong to the body. */
int body_drop(struct body *b, const char *data, size_t n, size_t *used);

#endif
