/* SPDX-License-Identifier: MIT */
/* Bodies of requests. They are dropped: only where they end matters. */
#ifndef FILCH_CMD_SERVE_BODY_H
#define FILCH_CMD_SERVE_BODY_H

#include "cmd/serve/request.h"

enum body_state {
	BODY_SIZE,      /* of a chunk, in hexadecimal digits */
	BODY_EXTENSION, /* the text after the size, which is ignored */
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
	uint64_t left;   /* bytes left of this chunk, or of the whole body */
	uint64_t total;  /* bytes of all chunks so far */
	uint64_t most;   /* bytes that the body may have */
};

/* Begins with the body of a request, which may have up to `most` bytes. Returns
 * REQUEST_MORE if a body follows, REQUEST_WHOLE if the request has none, or 413. */
int body_begin(struct body *b, const struct request *r, uint64_t most);

/* Takes n further bytes, of which *used belong to the body. Returns REQUEST_MORE,
 * REQUEST_WHOLE at its end, or a status. */
int body_drop(struct body *b, const char *data, size_t n, size_t *used);

#endif
