/* SPDX-License-Identifier: MIT */
/*
 * Files side by side: the same piece of each is read, and they are told apart by it. Each
 * is read once, and no further than it is of use.
 */
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "cmd/dupes/match.h"
#include "cmd/dupes/open.h"

struct comparing {
	struct dupes *d;
	struct side *s;
	int fd[MATCH_SIDE]; /* negative: it is not read any more */
	size_t piece;       /* bytes of each in the buffer */
	char *buffer;
};

static const struct file *file_at(const struct comparing *c, size_t i)
{
	return &c->d->catalog.file[i ? c->s->others + i - 1 : c->s->first];
}

/* It is not read any more: it has failed, or it is alone (0). If it was the first of
 * some, the next one is that. */
static void leave(struct comparing *c, size_t i, int error)
{
	struct side *s = c->s;
	size_t first = s->n;

	close(c->fd[i]);
	c->fd[i] = -1;
	s->error[i] = error;
	for (size_t k = i + 1; k < s->n && s->label[i] == i; k++)
		if (s->label[k] == i) {
			if (first == s->n)
				first = k;
			s->label[k] = (uint8_t)first;
		}
	s->label[i] = error ? MATCH_FAILED : MATCH_ALONE;
}

static bool alone(const struct side *s, size_t i)
{
	for (size_t k = 0; k < s->n; k++)
		if (k != i && s->label[k] == s->label[i])
			return false;
	return true;
}

/* Those that are alone leave. True if there are others. */
static bool leave_alone(struct comparing *c)
{
	bool others = false;

	for (size_t i = 0; i < c->s->n; i++) {
		if (c->fd[i] < 0)
			continue;
		if (alone(c->s, i))
			leave(c, i, 0);
		else
			others = true;
	}
	return others;
}

/* Tells apart by what is in the buffer what was the same before it. */
static void tell_apart(struct comparing *c, size_t size)
{
	uint8_t before[MATCH_SIDE], *label = c->s->label;

	memcpy(before, label, sizeof before);
	for (size_t i = 0; i < c->s->n; i++) {
		size_t k = 0;

		if (c->fd[i] < 0)
			continue;
		while (k < i &&
		       (c->fd[k] < 0 || label[k] != k || before[k] != before[i] ||
		        memcmp(c->buffer + i * c->piece, c->buffer + k * c->piece, size)))
			k++;
		label[i] = (uint8_t)k;
	}
}

static void open_all(struct comparing *c)
{
	struct side *s = c->s;
	size_t first = s->n;

	for (size_t i = 0; i < s->n; i++) {
		c->fd[i] = open_file(c->d, file_at(c, i));
		if (c->fd[i] >= 0 && first == s->n)
			first = i;
		s->error[i] = c->fd[i] < 0 ? -c->fd[i] : 0;
		s->label[i] = c->fd[i] < 0 ? MATCH_FAILED : (uint8_t)first;
	}
}

static void read_all(struct comparing *c, size_t size, uint64_t at)
{
	for (size_t i = 0; i < c->s->n; i++) {
		int r = c->fd[i] < 0 ? 0
		                     : open_read(c->d, c->fd[i], c->buffer + i * c->piece,
		                                 size, at);

		if (r)
			leave(c, i, -r);
	}
}

/* True if another piece has told all of the files apart: no need to read on. */
static bool is_needless(const struct side *s)
{
	return load_rlx(&s[-(ptrdiff_t)s->piece].apart); /* relaxed: a hint */
}

void match_compare(struct dupes *d, struct side *s, char *buffer)
{
	struct comparing c = {.d = d, .s = s, .buffer = buffer};
	bool others;

	if (is_needless(s)) {
		memset(s->label, MATCH_ALONE, sizeof s->label);
		memset(s->error, 0, sizeof s->error);
		return;
	}
	c.piece = MATCH_BUFFER / s->n / 4096 * 4096;
	open_all(&c);
	for (uint64_t at = s->from; (others = leave_alone(&c)) && at < s->to;) {
		uint64_t rest = s->to - at;
		size_t size = rest < c.piece ? (size_t)rest : c.piece;

		if (is_needless(s))
			break;
		read_all(&c, size, at);
		tell_apart(&c, size);
		at += size;
	}
	if (!others)
		store_rlx(&s[-(ptrdiff_t)s->piece].apart, 1); /* relaxed: a hint */
	for (size_t i = 0; i < s->n; i++) {
		int r = c.fd[i] < 0 ? 0 : open_unchanged(file_at(&c, i), c.fd[i]);

		if (r)
			leave(&c, i, -r);
		else if (c.fd[i] >= 0)
			close(c.fd[i]);
	}
}
