/* SPDX-License-Identifier: MIT */
/*
 * Copying, filling and touching memory, as loops over pieces of it.
 */
#include <filch/memory.h>

#include <assert.h>
#include <filch/for.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "algo/loop.h"
#include "base/misuse.h"

/* The bytes of one iteration of a loop. They are a whole number of pages, so that no two
 * workers touch the same page if the memory begins with a page. */
#define PIECE ((size_t)1 << 20)

struct job {
	unsigned char *to;
	const unsigned char *from;
	size_t n, page;
	int byte;
};

/* How many pieces n bytes have; the last may be shorter. */
static size_t pieces(size_t n)
{
	return n / PIECE + (n % PIECE != 0);
}

/* How many bytes the pieces [begin, end) have. */
static size_t bytes(const struct job *j, size_t begin, size_t end)
{
	assert(begin * PIECE < j->n);
	return (end * PIECE < j->n ? end * PIECE : j->n) - begin * PIECE;
}

static int copy(size_t begin, size_t end, void *context)
{
	const struct job *j = context;

	memcpy(j->to + begin * PIECE, j->from + begin * PIECE, bytes(j, begin, end));
	return 0;
}

static int fill(size_t begin, size_t end, void *context)
{
	const struct job *j = context;

	memset(j->to + begin * PIECE, j->byte, bytes(j, begin, end));
	return 0;
}

static int touch(size_t begin, size_t end, void *context)
{
	const struct job *j = context;
	volatile unsigned char *p = j->to + begin * PIECE;
	size_t n = bytes(j, begin, end);

	for (size_t i = 0; i < n; i += j->page)
		p[i] = p[i]; /* a read alone would map the page of zeros */
	p[n - 1] = p[n - 1]; /* for memory that begins within a page */
	return 0;
}

void *filch_copy(void *to, const void *from, size_t n)
{
	struct job j = {.to = to, .from = from, .n = n};

	if (n && (!to || !from))
		filch__misuse(
			"filch_copy",
			"there is no memory to copy to or from; pass two addresses");
	if (filch__for_as((filch__function *)filch_copy, 0, pieces(n), copy,
	                  &j)) /* the caller's group is cancelled */
		copy(0, pieces(n), &j);
	return to;
}

void *filch_fill(void *to, int byte, size_t n)
{
	struct job j = {.to = to, .n = n, .byte = byte};

	if (n && !to)
		filch__misuse("filch_fill",
		              "there is no memory to fill; pass its address");
	if (filch__for_as((filch__function *)filch_fill, 0, pieces(n), fill,
	                  &j)) /* the caller's group is cancelled */
		fill(0, pieces(n), &j);
	return to;
}

void filch_touch(void *memory, size_t n)
{
	struct job j = {.to = memory, .n = n, .page = (size_t)sysconf(_SC_PAGESIZE)};

	if (n && !memory)
		filch__misuse("filch_touch",
		              "there is no memory to touch; pass its address");
	if (filch__for_as((filch__function *)filch_touch, 0, pieces(n), touch,
	                  &j)) /* the caller's group is cancelled */
		touch(0, pieces(n), &j);
}
