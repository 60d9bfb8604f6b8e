/* SPDX-License-Identifier: MIT */
#include "bench/json/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench/json/line.h"
#include "bench/rounds.h"

#define BATCH ((size_t)4 << 20) /* bytes that are written at a time */

static const char *directory(void)
{
	const char *name = getenv("TMPDIR");

	return name && *name ? name : "/tmp";
}

_Noreturn static void fail(const char *what, int error)
{
	char text[256];

	snprintf(text, sizeof text,
	         "%s a file of events in %.100s (TMPDIR can name another directory)",
	         what, directory());
	rounds_fail_errno(text, error);
}

/* Removed at once: so nothing is left, however the command ends. */
static int open_nameless(void)
{
	char path[4096];
	int fd;

	snprintf(path, sizeof path, "%s/filch-bench-XXXXXX", directory());
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		fail("cannot make", errno);
	unlink(path);
	return fd;
}

static void write_all(int fd, const char *text, size_t size)
{
	while (size) {
		ssize_t n = write(fd, text, size);

		if (n < 0 && errno != EINTR)
			fail("cannot write", errno);
		if (n > 0) {
			text += n;
			size -= (size_t)n;
		}
	}
}

static void fill(struct events_file *f, size_t size)
{
	struct filch__random r = filch__random_seed(0);
	char *text = rounds_allocate(1, BATCH + LINE_MOST);
	size_t filled = 0;

	while (f->size + filled + LINE_MOST < size) {
		filled += line_make(text + filled, &r, &f->says);
		if (filled >= BATCH) {
			write_all(f->fd, text, filled);
			f->size += filled;
			filled = 0;
		}
	}
	filled -= filled > 0; /* the last line has no end */
	write_all(f->fd, text, filled);
	f->size += filled;
	free(text);
}

const struct events_file *events_file(size_t size)
{
	static struct events_file f;

	if (!f.size) {
		f.fd = open_nameless();
		fill(&f, size);
	}
	return &f;
}

/* How much of it is in memory; all, if that cannot be told. */
static size_t resident(const struct events_file *f)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), n = (f->size + page - 1) / page;
	unsigned char *in = rounds_allocate(n, 1);
	void *map = mmap(NULL, f->size, PROT_READ, MAP_SHARED, f->fd, 0);
	size_t sum = 0;

	if (map == MAP_FAILED)
		rounds_fail_errno("cannot map the file of events", errno);
	if (mincore(map, f->size, in))
		memset(in, 1, n);
	for (size_t i = 0; i < n; i++)
		sum += in[i] & 1;
	munmap(map, f->size);
	free(in);
	return sum * page;
}

bool events_file_cool(const struct events_file *f)
{
	/* Only what is on the disk is forgotten. */
	return !fdatasync(f->fd) && !posix_fadvise(f->fd, 0, 0, POSIX_FADV_DONTNEED) &&
	       resident(f) < f->size / 100;
}
