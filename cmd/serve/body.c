/* SPDX-License-Identifier: MIT */
#include "cmd/serve/body.h"

#define BESIDES_MOST 8192
#define DIGITS_MOST 15

int body_begin(struct body *b, const struct request *r, uint64_t most)
{
	*b = (struct body){.state = r->chunked ? BODY_SIZE : BODY_DATA,
	                   .chunked = r->chunked,
	                   .left = r->length,
	                   .most = most};
	if (r->length > most)
		return 413;
	if (r->chunked || r->length)
		return REQUEST_MORE;
	b->state = BODY_DONE;
	return REQUEST_WHOLE;
}

/* Takes as many bytes of data as there are. */
static size_t skip_data(struct body *b, size_t n)
{
	size_t used = b->left < n ? (size_t)b->left : n;

	b->left -= used;
	if (!b->left)
		b->state = b->chunked ? BODY_DATA_CR : BODY_DONE;
	return used;
}

static unsigned digit_of(unsigned char c)
{
	if (c >= '0' && c <= '9')
		return c - (unsigned)'0';
	c |= 32;
	return c >= 'a' && c <= 'f' ? c - (unsigned)'a' + 10 : 16;
}

static bool add_digit(struct body *b, unsigned char c)
{
	unsigned value = digit_of(c);

	if (value > 15 || ++b->digits > DIGITS_MOST)
		return false;
	b->left = b->left * 16 + value;
	return true;
}

/* Called when the size of a chunk is known. */
static int begin_chunk(struct body *b)
{
	b->state = b->left ? BODY_DATA : BODY_TRAILER;
	b->digits = 0;
	b->total += b->left;
	return b->total > b->most ? 413 : REQUEST_MORE;
}

/* Skips text up to the end of its line. */
static int skip_text(struct body *b, unsigned char c, enum body_state after)
{
	if (c == '\r')
		b->state = after;
	else if ((c < ' ' && c != '\t') || c == 0x7f)
		return 400;
	return ++b->besides > BESIDES_MOST ? 400 : REQUEST_MORE;
}

static int expect(struct body *b, bool found, enum body_state next)
{
	b->state = next;
	return found ? REQUEST_MORE : 400;
}

static int take_size(struct body *b, unsigned char c)
{
	if (add_digit(b, c))
		return REQUEST_MORE;
	if (!b->digits || b->digits > DIGITS_MOST)
		return 400;
	if (c == ';')
		return expect(b, true, BODY_EXTENSION);
	return expect(b, c == '\r', BODY_SIZE_LF);
}

static int take(struct body *b, unsigned char c)
{
	switch (b->state) {
	case BODY_SIZE:
		return take_size(b, c);
	case BODY_EXTENSION:
		return skip_text(b, c, BODY_SIZE_LF);
	case BODY_SIZE_LF:
		return c == '\n' ? begin_chunk(b) : 400;
	case BODY_DATA_CR:
		return expect(b, c == '\r', BODY_DATA_LF);
	case BODY_DATA_LF:
		return expect(b, c == '\n', BODY_SIZE);
	case BODY_TRAILER:
		if (c == '\r')
			return expect(b, true, BODY_END_LF);
		b->state = BODY_TRAILER_LINE;
		return c == ' ' || c == '\t' ? 400 : skip_text(b, c, BODY_TRAILER_LF);
	case BODY_TRAILER_LINE:
		return skip_text(b, c, BODY_TRAILER_LF);
	case BODY_TRAILER_LF:
		return expect(b, c == '\n', BODY_TRAILER);
	case BODY_END_LF:
		return expect(b, c == '\n', BODY_DONE);
	default:
		return 400;
	}
}

int body_drop(struct body *b, const char *data, size_t n, size_t *used)
{
	int result = REQUEST_MORE;

	*used = 0;
	while (*used < n && result == REQUEST_MORE && b->state != BODY_DONE) {
		if (b->state == BODY_DATA) {
			*used += skip_data(b, n - *used);
			continue;
		}
		result = take(b, (unsigned char)data[(*used)++]);
	}
	if (result != REQUEST_MORE)
		return result;
	return b->state == BODY_DONE ? REQUEST_WHOLE : REQUEST_MORE;
}
