/* SPDX-License-Identifier: MIT */
/* The answer to a request, and the head of an answer. */
#include <errno.h>
#include <filch/io.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmd/serve/cache.h"
#include "cmd/serve/conditions.h"
#include "cmd/serve/connection.h"
#include "cmd/serve/date.h"
#include "cmd/serve/listing.h"
#include "cmd/serve/types.h"

#define LISTINGS_MOST 32
#define ALLOW "Allow: GET, HEAD, OPTIONS\r\n"

/* ---- heads ---- */

/* The parts of a head that differ from answer to answer. */
struct answer {
	int status;
	const char *type;         /* of the body; NULL: no such field */
	uint64_t length;          /* of the body */
	const struct file *file;  /* whose date and version are sent; NULL: no file */
	const struct range *part; /* the bytes of the file that are sent */
	const char *fields;       /* further fields with their line ends, or NULL */
};

static const char *reason_of(int status)
{
	static const struct {
		int status;
		const char *text;
	} reasons[] = {
		{200, "OK"},
		{204, "No Content"},
		{206, "Partial Content"},
		{301, "Moved Permanently"},
		{304, "Not Modified"},
		{400, "Bad Request"},
		{403, "Forbidden"},
		{404, "Not Found"},
		{405, "Method Not Allowed"},
		{408, "Request Timeout"},
		{412, "Precondition Failed"},
		{413, "Content Too Large"},
		{414, "URI Too Long"},
		{416, "Range Not Satisfiable"},
		{417, "Expectation Failed"},
		{431, "Request Header Fields Too Large"},
		{500, "Internal Server Error"},
		{501, "Not Implemented"},
		{503, "Service Unavailable"},
		{505, "HTTP Version Not Supported"},
	};

	for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
		if (reasons[i].status == status)
			return reasons[i].text;
	return "Unknown";
}

static char *put(char *to, const char *text, size_t n)
{
	memcpy(to, text, n);
	return to + n;
}

#define PUT(to, literal) put(to, literal, sizeof literal - 1)

static char *put_text(char *to, const char *text)
{
	return put(to, text, strlen(text));
}

static char *put_number(char *to, uint64_t value)
{
	char digits[20];
	size_t n = 0;

	do {
		digits[n++] = (char)('0' + value % 10);
	} while (value /= 10);
	while (n)
		*to++ = digits[--n];
	return to;
}

static char *put_version(char *to, const struct file *f)
{
	to = PUT(to, "Last-Modified: ");
	date_write(file_seconds(f), to);
	to = PUT(to + DATE_LENGTH, "\r\nETag: ");
	to += etag_write(f, to);
	return PUT(to, "\r\nAccept-Ranges: bytes\r\n");
}

static char *put_range(char *to, const struct answer *a)
{
	to = PUT(to, "Content-Range: bytes ");
	if (a->status == 416) {
		*to++ = '*';
	} else {
		to = put_number(to, a->part->first);
		*to++ = '-';
		to = put_number(to, a->part->first + a->part->size - 1);
	}
	*to++ = '/';
	to = put_number(to, a->file->size);
	return PUT(to, "\r\n");
}

/* Writes whether the connection is kept, except for a kept connection of HTTP/1.1, where
 * that is the default. */
static char *put_connection(char *to, const struct connection *c, const struct request *r)
{
	if (c->last)
		return PUT(to, "Connection: close\r\n");
	return r && !r->minor ? PUT(to, "Connection: keep-alive\r\n") : to;
}

/* Writes a head without its blank line, at most HEAD_ROOM bytes. */
static char *put_head(char *to, const struct connection *c, const struct request *r,
                      const struct answer *a)
{
	to = PUT(to, "HTTP/1.1 ");
	to = put_number(to, (uint64_t)a->status);
	*to++ = ' ';
	to = put_text(to, reason_of(a->status));
	to = PUT(to, "\r\nServer: filch\r\nDate: ");
	date_write_now(to);
	to = PUT(to + DATE_LENGTH, "\r\nX-Content-Type-Options: nosniff\r\n");
	if (a->type) {
		to = PUT(to, "Content-Type: ");
		to = put_text(to, a->type);
		to = PUT(to, "\r\n");
	}
	if (a->status != 304 && a->status != 204) {
		to = PUT(to, "Content-Length: ");
		to = put_number(to, a->length);
		to = PUT(to, "\r\n");
	}
	if (a->file)
		to = put_version(to, a->file);
	if (a->status == 206 || a->status == 416)
		to = put_range(to, a);
	if (a->fields)
		to = put_text(to, a->fields);
	return put_connection(to, c, r);
}

/* Adds the complete head to the output. Returns false if there is no room for it. */
static bool add_head(struct connection *c, const struct request *r,
                     const struct answer *a)
{
	char *to = output_room(c, HEAD_ROOM);

	c->status = a->status;
	c->sent = 0;
	if (!to)
		return false;
	to = put_head(to, c, r, a);
	to = PUT(to, "\r\n");
	c->used = (size_t)(to - c->out);
	return true;
}

static bool wants_body(const struct request *r)
{
	return !r || r->method != METHOD_HEAD;
}

/* ---- answers without a file ---- */

static void answer_text(struct connection *c, const struct request *r, struct answer *a,
                        const char *text, size_t n)
{
	a->length = n;
	if (!add_head(c, r, a) || !wants_body(r))
		return;
	output_add(c, text, n);
	c->sent = n;
}

void answer_status(struct connection *c, const struct request *r, int status)
{
	struct answer a = {.status = status, .type = "text/plain; charset=utf-8"};
	char text[64];
	int n = snprintf(text, sizeof text, "%d %s\n", status, reason_of(status));

	if (!r)
		c->last = c->linger = true;
	if (status == 405)
		a.fields = ALLOW;
	if (status == 503)
		a.fields = "Retry-After: 1\r\n";
	answer_text(c, r, &a, text, (size_t)n);
}

static void answer_error(struct connection *c, const struct request *r, int error)
{
	switch (-error) {
	case ENOENT:
	case ENOTDIR:
	case ENAMETOOLONG:
		answer_status(c, r, 404);
		break;
	case EACCES:
	case EPERM:
	case EXDEV:
	case ELOOP:
		answer_status(c, r, 403);
		break;
	case EMFILE:
	case ENFILE:
	case ENOMEM:
		answer_status(c, r, 503);
		break;
	default:
		answer_status(c, r, 500);
	}
}

static void answer_options(struct connection *c, const struct request *r)
{
	struct answer a = {.status = 204, .fields = ALLOW};

	add_head(c, r, &a);
}

/* ---- files ---- */

/* The file that a path leads to. */
struct found {
	struct file file;
	const char *path;
	const char *contents; /* from the cache, until the strand waits; or NULL */
};

/* Copies a small part of a file behind its head, which was just added at offset
 * `head`. */
static void copy_part(struct connection *c, const struct request *r,
                      const struct found *f, const struct range *part, size_t head)
{
	char *to = c->out + c->used;
	ssize_t n = (ssize_t)part->size;

	if (f->contents)
		memcpy(to, f->contents + part->first, part->size);
	else
		n = filch_pread(f->file.fd, to, part->size, (off_t)part->first);
	if (n !=
	    (ssize_t)part->size) { /* the file has become shorter, or cannot be read */
		c->used = head;
		c->last = true;
		answer_status(c, r, 500);
		return;
	}
	c->used += part->size;
	c->sent = part->size;
	if (!f->contents && part->size == f->file.size)
		cache_put(c->server->cache, f->path, &f->file, to);
}

static void answer_part(struct connection *c, const struct request *r,
                        const struct found *f, struct answer *a, const struct range *part)
{
	bool small = part->size <= SMALL_FILE;
	size_t head = c->used;

	a->length = part->size;
	if (!add_head(c, r, a) || !wants_body(r))
		return;
	if (small) {
		copy_part(c, r, f, part, head);
		return;
	}
	output_file(c, f->file.fd, part->first, part->size);
}

static void answer_file(struct connection *c, const struct request *r,
                        const struct found *f)
{
	struct range part;
	int status = conditions_judge(r, &f->file, &part);
	struct answer a = {.status = status, .file = &f->file, .part = &part};

	switch (status) {
	case 304:
		add_head(c, r, &a);
		return;
	case 412:
		answer_status(c, r, status);
		return;
	case 416:
		answer_text(c, r, &a, "", 0);
		return;
	default:
		a.type = type_of(f->path);
		answer_part(c, r, f, &a, &part);
	}
}

/* ---- directories ---- */

/* Redirects to the same path with a slash, so that relative links are resolved correctly.
 * The target is made from the decoded path: what the client wrote could lead elsewhere
 * ("//host"). */
static void answer_redirect(struct connection *c, const struct request *r,
                            const char *path)
{
	struct answer a = {.status = 301};
	struct text query = request_query(r->target);
	char *to;

	if (!(to = output_room(c, HEAD_ROOM)))
		return;
	c->status = 301;
	c->sent = 0;
	to = put_head(to, c, r, &a);
	to = PUT(to, "Location: /");
	c->used = (size_t)(to - c->out);
	for (; *path; path++) {
		char coded[3];

		output_add(c, coded, url_encode(*path, coded));
	}
	output_add(c, "/", 1);
	output_add(c, query.at, query.length);
	output_add(c, "\r\n\r\n", 4);
}

/* Listings are made and held in memory, so their number is limited. Returns false if
 * there are too many. */
static bool begin_listing(struct server *s)
{
	bool room;

	filch_mutex_lock(&s->lock);
	room = s->listings < LISTINGS_MOST;
	s->listings += room;
	filch_mutex_unlock(&s->lock);
	return room;
}

static void end_listing(struct server *s)
{
	filch_mutex_lock(&s->lock);
	s->listings--;
	filch_mutex_unlock(&s->lock);
}

static void answer_listing(struct connection *c, const struct request *r,
                           const struct file *f, const char *path)
{
	struct answer a = {.status = 200, .type = "text/html; charset=utf-8"};
	struct listing l;
	int err;

	if (!c->server->options->listing) {
		answer_status(c, r, 403);
		return;
	}
	if (!begin_listing(c->server)) {
		answer_status(c, r, 503);
		return;
	}
	err = listing_make(&l, f->fd, path);
	if (err) {
		answer_error(c, r, err);
	} else {
		answer_text(c, r, &a, l.text, l.length);
		listing_free(&l);
	}
	end_listing(c->server);
}

/* `path` ends in a slash or is empty, and has room for the name of the index. */
static void answer_directory(struct connection *c, const struct request *r,
                             const struct file *directory, char *path)
{
	size_t length = strlen(path);
	struct found index = {.path = path};
	int err;

	strcpy(path + length, c->server->options->index);
	err = file_open(&index.file, c->server->root, path);
	if (!err && !index.file.directory) {
		answer_file(c, r, &index);
		file_close(&index.file);
		return;
	}
	if (!err)
		file_close(&index.file);
	path[length] = 0;
	if (err && err != -ENOENT)
		answer_error(c, r, err);
	else
		answer_listing(c, r, directory, path);
}

/* ---- requests ---- */

/* Answers from the cache. The caller has made room for the answer, so the strand does not
 * wait while it uses the contents. Returns false if the cache does not have the file. */
static bool answer_at_once(struct connection *c, const struct request *r,
                           const char *path)
{
	struct found f = {.path = path};

	f.contents = cache_find(c->server->cache, c->server->root, path, &f.file);
	if (f.contents)
		answer_file(c, r, &f);
	return f.contents;
}

/* `path` has room for the name of the index. */
static void answer_path(struct connection *c, const struct request *r, char *path)
{
	size_t length = strlen(path);
	bool slash = !length || path[length - 1] == '/';
	struct found f = {.path = path};
	int err;

	if (slash)
		strcpy(path + length, c->server->options->index);
	if (!output_room(c, HEAD_ROOM + SMALL_FILE) || answer_at_once(c, r, path))
		return;
	path[length] = 0;
	err = file_open(&f.file, c->server->root, path);
	if (err) {
		answer_error(c, r, err);
		return;
	}
	if (!f.file.directory && slash)
		answer_status(c, r, 404); /* "file/" */
	else if (!f.file.directory)
		answer_file(c, r, &f);
	else if (slash)
		answer_directory(c, r, &f.file, path);
	else
		answer_redirect(c, r, path);
	file_close(&f.file);
}

static void answer_get(struct connection *c, const struct request *r)
{
	size_t room = r->target.length + strlen(c->server->options->index) + 1;
	char *path = malloc(room);
	int status;

	if (!path) {
		answer_status(c, r, 503);
		return;
	}
	status = request_path(r->target, path);
	if (status == REQUEST_WHOLE)
		answer_path(c, r, path);
	else
		answer_status(c, r, status);
	free(path);
}

void answer_request(struct connection *c, const struct request *r)
{
	switch (r->method) {
	case METHOD_GET:
	case METHOD_HEAD:
		answer_get(c, r);
		break;
	case METHOD_OPTIONS:
		answer_options(c, r);
		break;
	case METHOD_REFUSED:
		answer_status(c, r, 405);
		break;
	default:
		answer_status(c, r, 501);
	}
}
