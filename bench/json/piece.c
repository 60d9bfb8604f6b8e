/* SPDX-License-Identifier: MIT */
#include "bench/json/piece.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool make_room(struct piece *p, size_t room)
{
	char *text;

	if (room <= p->room)
		return true;
	text = realloc(p->text, room);
	if (!text)
		return false;
	p->text = text;
	p->room = room;
	return true;
}

/* Reads once. The number of bytes, 0 at the end. */
static ssize_t read_more(struct piece *p, struct reader *r)
{
	size_t most = r->end - r->at;
	ssize_t n;

	if (most > PIECE_READ)
		most = PIECE_READ;
	/* A line that grows and grows is not copied each time. */
	if (p->room - p->filled < most && !make_room(p, p->filled + most + p->room / 2))
		return -ENOMEM;
	n = most ? r->read(r->fd, p->text + p->filled, most, (off_t)r->at) : 0;
	if (n > 0) {
		p->filled += (size_t)n;
		r->at += (size_t)n;
	}
	return n;
}

int piece_fill(struct piece *p, const struct piece *before, struct reader *r)
{
	size_t rest = before->filled - before->size;
	const char *end = NULL;
	ssize_t n;

	if (!make_room(p, rest + PIECE_READ))
		return -ENOMEM;
	if (rest)
		memmove(p->text, before->text + before->size, rest);
	p->filled = rest;
	do {
		n = read_more(p, r);
		if (n < 0)
			return (int)n;
		end = memrchr(p->text + p->filled - n, '\n', (size_t)n);
	} while (n && !end);
	p->size = end ? (size_t)(end + 1 - p->text) : p->filled;
	return 0;
}

void piece_free(struct piece *p)
{
	free(p->text);
	summary_free(&p->found);
	*p = (struct piece){0};
}

/* ---- lines ---- */

static uint64_t number(const json_t *object, const char *name)
{
	return (uint64_t)json_integer_value(json_object_get(object, name));
}

/* False if it has not got what an event has. */
static bool is_event(const json_t *root, struct event *e)
{
	const json_t *request = json_object_get(root, "request");
	const json_t *path = json_object_get(request, "path");
	const json_t *latency = json_object_get(request, "latency");
	const json_t *user = json_object_get(root, "user"), *item;
	size_t i;

	if (!json_is_string(path) || !json_is_number(latency))
		return false;
	*e = (struct event){
		.path = json_string_value(path),
		.length = json_string_length(path),
		.failed = number(request, "status") >= 500,
		.bytes = number(request, "bytes"),
		.latency = (uint64_t)(json_number_value(latency) * 1000 + 0.5), /* ms */
		.text = json_string_length(json_object_get(user, "name")) +
	                json_string_length(json_object_get(root, "note"))};
	json_array_foreach(json_object_get(root, "items"), i, item)
		e->spent += number(item, "n") * number(item, "price");
	return true;
}

static void parse_line(const char *line, size_t n, struct summary *s)
{
	json_error_t error;
	json_t *root = json_loadb(line, n, 0, &error);
	char why[160];
	struct event e;

	if (root && is_event(root, &e)) {
		summary_add(s, &e);
	} else if (root) {
		summary_reject(s, "there is no request with path and latency");
	} else {
		snprintf(why, sizeof why, "byte %d: %.100s", error.position, error.text);
		summary_reject(s, why);
	}
	json_decref(root);
}

void piece_parse(const struct piece *p, struct summary *s)
{
	const char *at = p->text, *end = p->text + p->size;

	while (at < end) {
		const char *eol = memchr(at, '\n', (size_t)(end - at));

		if (!eol)
			eol = end; /* the last one of the file may lack its end */
		s->lines++;
		if (eol > at) /* an empty one is nothing, and no harm */
			parse_line(at, (size_t)(eol - at), s);
		at = eol + 1;
	}
}
