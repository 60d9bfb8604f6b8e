/* SPDX-License-Identifier: MIT */
#include "cmd/serve/request.h"

#include <stddef.h>

/* The characters of names and methods (RFC 9110, 5.6.2). */
static bool is_token(unsigned char c)
{
	static const char others[] = "!#$%&'*+-.^_`|~";

	return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') ||
	       (c && strchr(others, c));
}

/* ---- the end of a head ---- */

/* Returns true if the bytes cannot begin a request; they are probably not HTTP. */
static bool begins_wrong(const struct head *h, const char *data, size_t n)
{
	return n > h->begin && data[h->begin] != '\r' &&
	       !is_token((unsigned char)data[h->begin]);
}

int head_find(struct head *h, const char *data, size_t n, size_t most)
{
	const size_t seen = n < most ? n : most;

	while (!begins_wrong(h, data, seen)) {
		const char *end = memchr(data + h->at, '\n', seen - h->at);
		size_t next;

		if (!end && n < most) {
			h->at = n;
			return REQUEST_MORE;
		}
		if (!end)
			return h->line == h->begin ? 414 : 431;
		next = (size_t)(end - data) + 1;
		if (next - h->line < 2 || end[-1] != '\r')
			return 400;
		if (next - h->line == 2 && h->line > h->begin) {
			h->end = next;
			return REQUEST_WHOLE;
		}
		if (next - h->line == 2)
			h->begin = next;
		h->line = h->at = next;
	}
	return 400;
}

/* ---- the request line ---- */

/* Cuts the word before the next blank off the line. Returns false if the word is empty or
 * there is no blank. */
static bool cut_word(struct text *line, struct text *word)
{
	const char *blank = memchr(line->at, ' ', line->length);

	if (!blank || blank == line->at)
		return false;
	word->at = line->at;
	word->length = (size_t)(blank - line->at);
	line->at += word->length + 1;
	line->length -= word->length + 1;
	return true;
}

static enum method method_of(struct text t)
{
	static const struct {
		const char *name;
		enum method method;
	} known[] = {
		{"GET", METHOD_GET},         {"HEAD", METHOD_HEAD},
		{"OPTIONS", METHOD_OPTIONS}, {"POST", METHOD_REFUSED},
		{"PUT", METHOD_REFUSED},     {"DELETE", METHOD_REFUSED},
		{"PATCH", METHOD_REFUSED},   {"CONNECT", METHOD_REFUSED},
		{"TRACE", METHOD_REFUSED},
	};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (t.length == strlen(known[i].name) &&
		    !memcmp(t.at, known[i].name, t.length))
			return known[i].method;
	return METHOD_UNKNOWN;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static int parse_version(struct request *r, struct text t)
{
	if (t.length != 8 || memcmp(t.at, "HTTP/", 5) || !is_digit(t.at[5]) ||
	    t.at[6] != '.' || !is_digit(t.at[7]))
		return 400;
	r->minor = t.at[7] > '0';
	r->keep = r->minor;
	return t.at[5] == '1' ? REQUEST_WHOLE : 505;
}

static int parse_line(struct request *r, struct text line)
{
	struct text method;

	r->line = line;
	if (!cut_word(&line, &method) || !cut_word(&line, &r->target))
		return 400;
	for (size_t i = 0; i < method.length; i++)
		if (!is_token((unsigned char)method.at[i]))
			return 400;
	for (size_t i = 0; i < r->target.length; i++)
		if ((unsigned char)r->target.at[i] <= ' ' || r->target.at[i] == 0x7f ||
		    r->target.at[i] == '#')
			return 400;
	r->method = method_of(method);
	return parse_version(r, line);
}

/* ---- fields ---- */

/* Fields that may appear once, and where their values are stored. */
static const struct once {
	const char *name;
	size_t offset;
} once[] = {
	{"host", offsetof(struct request, host)},
	{"range", offsetof(struct request, range)},
	{"if-range", offsetof(struct request, if_range)},
	{"if-match", offsetof(struct request, if_match)},
	{"if-none-match", offsetof(struct request, if_none_match)},
	{"if-modified-since", offsetof(struct request, if_modified_since)},
	{"if-unmodified-since", offsetof(struct request, if_unmodified_since)},
	{"expect", offsetof(struct request, expect)},
	{"transfer-encoding", offsetof(struct request, encoding)},
};

static int take_length(struct request *r, struct text value)
{
	uint64_t length = 0;

	if (!value.length || value.length > 18)
		return 400;
	for (size_t i = 0; i < value.length; i++) {
		if (!is_digit(value.at[i]))
			return 400;
		length = length * 10 + (uint64_t)(value.at[i] - '0');
	}
	if (r->has_length && length != r->length)
		return 400;
	r->has_length = true;
	r->length = length;
	return REQUEST_WHOLE;
}

/* "close" takes precedence over everything else. */
static int take_connection(struct text value, bool *close, bool *keep)
{
	struct text part;

	while (text_part(&value, &part)) {
		*close |= text_is(part, "close");
		*keep |= text_is(part, "keep-alive");
	}
	return REQUEST_WHOLE;
}

struct wishes {
	bool close, keep;
};

static int take_field(struct request *r, struct text name, struct text value,
                      struct wishes *w)
{
	for (size_t i = 0; i < sizeof once / sizeof *once; i++)
		if (text_is(name, once[i].name)) {
			struct text *to = (void *)((char *)r + once[i].offset);

			if (to->at)
				return 400;
			*to = value;
			return REQUEST_WHOLE;
		}
	if (text_is(name, "content-length"))
		return take_length(r, value);
	if (text_is(name, "connection"))
		return take_connection(value, &w->close, &w->keep);
	return REQUEST_WHOLE;
}

/* A field is a name, a colon right after it, and a value without control characters. A
 * line that begins with a blank, the obsolete form of a continuation, has no name. */
static int parse_field(struct request *r, struct text line, struct wishes *w)
{
	struct text name = {line.at, 0}, value;

	while (name.length < line.length && is_token((unsigned char)line.at[name.length]))
		name.length++;
	if (!name.length || name.length == line.length || line.at[name.length] != ':')
		return 400;
	value.at = line.at + name.length + 1;
	value.length = line.length - name.length - 1;
	for (size_t i = 0; i < value.length; i++)
		if (((unsigned char)value.at[i] < ' ' && value.at[i] != '\t') ||
		    value.at[i] == 0x7f)
			return 400;
	return take_field(r, name, text_trim(value), w);
}

/* ---- the whole head ---- */

static bool host_is_valid(struct text t)
{
	for (size_t i = 0; i < t.length; i++)
		if ((unsigned char)t.at[i] <= ' ' || strchr("/\\?#@,", t.at[i]))
			return false;
	return true;
}

/* The checks that need all fields. */
static int judge(struct request *r, const struct wishes *w)
{
	if ((!r->host.at && r->minor) || (r->host.at && !host_is_valid(r->host)))
		return 400;
	if (r->encoding.at && (r->has_length || !r->minor))
		return 400;
	if (r->encoding.at && !text_is(r->encoding, "chunked"))
		return 501;
	r->chunked = r->encoding.at != NULL;
	if (r->expect.at && !text_is(r->expect, "100-continue"))
		return 417;
	r->keep = !w->close && (r->keep || w->keep);
	return REQUEST_WHOLE;
}

int request_parse(struct request *r, const char *data, const struct head *h)
{
	struct wishes w = {false, false};
	const char *at = data + h->begin;
	const char *last = data + h->end - 2; /* the blank line */
	int result = REQUEST_WHOLE;

	memset(r, 0, sizeof *r);
	while (at < last && result == REQUEST_WHOLE) {
		const char *end = memchr(at, '\n', (size_t)(last - at));
		struct text line = {at, (size_t)(end - at) - 1};

		result = r->line.at ? parse_field(r, line, &w) : parse_line(r, line);
		at = end + 1;
	}
	return result == REQUEST_WHOLE ? judge(r, &w) : result;
}

/* ---- the path ---- */

static int hex(char c)
{
	if (is_digit(c))
		return c - '0';
	c |= 32;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Cuts the scheme and the host off the target of a request to a proxy. */
static void skip_origin(struct text *t)
{
	size_t n = 0;
	const char *slash;

	if (t->length > 7 && !strncasecmp(t->at, "http://", 7))
		n = 7;
	else if (t->length > 8 && !strncasecmp(t->at, "https://", 8))
		n = 8;
	if (!n || t->at[n] == '/')
		return;
	slash = memchr(t->at + n, '/', t->length - n);
	if (slash)
		*t = (struct text){slash, t->length - (size_t)(slash - t->at)};
	else
		*t = (struct text){"/", 1};
}

struct text request_query(struct text target)
{
	const char *at = memchr(target.at, '?', target.length);

	if (!at)
		return (struct text){target.at, 0};
	return (struct text){at, target.length - (size_t)(at - target.at)};
}

/* Takes the next character and decodes it. Returns -1 if it is not valid or is zero. */
static int take_character(struct text *t)
{
	int c = (unsigned char)*t->at, high, low;

	t->at++;
	t->length--;
	if (c != '%')
		return c;
	if (t->length < 2 || (high = hex(t->at[0])) < 0 || (low = hex(t->at[1])) < 0)
		return -1;
	t->at += 2;
	t->length -= 2;
	return high || low ? high * 16 + low : -1;
}

/* Called when the segment out[begin..end) is complete. Returns where the next one begins,
 * or -1 if the segment leads out of the directory. */
static ptrdiff_t end_segment(const char *out, size_t begin, size_t end)
{
	size_t n = end - begin;

	if (!n || (n == 1 && out[begin] == '.'))
		return (ptrdiff_t)begin;
	if (n != 2 || out[begin] != '.' || out[begin + 1] != '.')
		return (ptrdiff_t)end;
	if (!begin)
		return -1;
	for (begin--; begin && out[begin - 1] != '/'; begin--)
		;
	return (ptrdiff_t)begin;
}

int request_path(struct text target, char *out)
{
	size_t begin = 0, end = 0; /* the segment that is being written */

	target.length -= request_query(target).length;
	skip_origin(&target);
	if (!target.length || *target.at != '/')
		return 400;
	while (target.length) {
		int c = take_character(&target);
		bool last = !target.length && c != '/';
		ptrdiff_t to;

		if (c < 0)
			return 400;
		if (c != '/')
			out[end++] = (char)c;
		if (c != '/' && !last)
			continue;
		to = end_segment(out, begin, end);
		if (to < 0)
			return 400;
		if ((size_t)to == end && end > begin && !last)
			out[to++] = '/';
		begin = end = (size_t)to;
	}
	out[end] = 0;
	return REQUEST_WHOLE;
}
