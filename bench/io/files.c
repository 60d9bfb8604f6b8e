/* SPDX-License-Identifier: MIT */
/*
 * filch bench io: files that are read as a whole, many small ones or one in pieces; by
 * strands, by a loop, by threads that share the work.
 */
#include <errno.h>
#include <fcntl.h>
#include <filch/io.h>
#include <filch/task.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/atomic.h"
#include "base/clock.h"
#include "bench/io/run.h"

#define PIECE ((size_t)64 << 10) /* read at a time */
#define THREADS 8

/* `n` files of `size` bytes, each read in pieces; all pieces are numbered. */
struct files {
	int directory;
	size_t n, size, pieces; /* pieces of one file */
	char path[64];
};

static void name_of(size_t i, char *name)
{
	sprintf(name, "%zu", i);
}

static unsigned char byte_at(size_t file, size_t at)
{
	return (unsigned char)(file * 31 + at / 64);
}

static void write_file(const struct files *f, size_t i, char *buffer)
{
	char name[24];
	int fd;

	name_of(i, name);
	fd = openat(f->directory, name, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
	if (fd < 0)
		rounds_fail_errno("a file", errno);
	for (size_t at = 0; at < f->size;) {
		size_t n = f->size - at < PIECE ? f->size - at : PIECE;
		ssize_t r;

		for (size_t k = 0; k < n; k++)
			buffer[k] = (char)byte_at(i, at + k);
		r = write(fd, buffer, n);
		if (r <= 0)
			rounds_fail_errno("a file", errno);
		at += (size_t)r;
	}
	close(fd);
}

static void files_create(struct files *f, const struct rounds_run *run)
{
	char *buffer = rounds_allocate(1, PIECE);

	*f = (struct files){.path = "/tmp/filch-bench-XXXXXX"};
	f->n = run->param ? run->size : 1;
	f->size = run->param ? run->param : run->size;
	f->pieces = (f->size + PIECE - 1) / PIECE;
	if (!mkdtemp(f->path))
		rounds_fail_errno("a directory in /tmp", errno);
	f->directory = open(f->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	for (size_t i = 0; i < f->n; i++)
		write_file(f, i, buffer);
	free(buffer);
}

static void files_remove(struct files *f)
{
	char name[24];

	for (size_t i = 0; i < f->n; i++) {
		name_of(i, name);
		unlinkat(f->directory, name, 0);
	}
	close(f->directory);
	rmdir(f->path);
}

/* A piece that was read is right where it begins and ends; what was expected of it. */
static size_t check_piece(const struct files *f, size_t file, size_t at,
                          const char *buffer)
{
	size_t n = f->size - at < PIECE ? f->size - at : PIECE;

	rounds_check((unsigned char)buffer[0] == byte_at(file, at));
	rounds_check((unsigned char)buffer[n - 1] == byte_at(file, at + n - 1));
	return n;
}

/* ---- strands ---- */

FILCH_STATIC_TASK(size_t, read_piece, (const struct files *, f), (size_t, i))
{
	size_t file = i / f->pieces, at = i % f->pieces * PIECE, done = 0;
	char *buffer, name[24];
	ssize_t n = 1;
	int fd;

	name_of(file, name);
	fd = filch_openat(f->directory, name, O_RDONLY | O_CLOEXEC, 0);
	if (fd < 0)
		rounds_fail_errno("open", -fd);
	buffer = rounds_allocate(1, PIECE);
	for (; done < PIECE && n > 0; done += (size_t)n) {
		n = filch_pread(fd, buffer + done, PIECE - done, (off_t)(at + done));
		if (n < 0)
			rounds_fail_errno("read", (int)-n);
		if (at + done + (size_t)n == f->size)
			break;
	}
	filch_close(fd);
	done = check_piece(f, file, at, buffer);
	free(buffer);
	return done;
}

FILCH_STATIC_TASK(size_t, read_pieces, (const struct files *, f), (size_t, lo),
                  (size_t, hi))
{
	if (hi - lo == 1)
		return FILCH_CALL(read_piece, f, lo);

	size_t mid = lo + (hi - lo) / 2;

	FILCH_SPAWN(a, read_pieces, f, lo, mid);
	size_t b = FILCH_CALL(read_pieces, f, mid, hi);

	return FILCH_JOIN(a) + b;
}

bool io_files_filch(const struct rounds_run *run, double *out)
{
	struct files f;
	uint64_t began;

	files_create(&f, run);
	began = filch__now_ns();
	rounds_check(FILCH_RUN_ON(run->pool, read_pieces, &f, 0, f.n * f.pieces) ==
	             f.n * f.size);
	out[0] = (double)(filch__now_ns() - began) * 1e-6;
	files_remove(&f);
	return true;
}

/* ---- threads ---- */

static size_t read_plain(const struct files *f, size_t i)
{
	size_t file = i / f->pieces, at = i % f->pieces * PIECE, done = 0;
	char *buffer, name[24];
	ssize_t n = 1;
	int fd;

	name_of(file, name);
	fd = openat(f->directory, name, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		rounds_fail_errno("open", errno);
	buffer = rounds_allocate(1, PIECE);
	for (; done < PIECE && n > 0; done += (size_t)n) {
		n = pread(fd, buffer + done, PIECE - done, (off_t)(at + done));
		if (n < 0)
			rounds_fail_errno("read", errno);
		if (at + done + (size_t)n == f->size)
			break;
	}
	close(fd);
	done = check_piece(f, file, at, buffer);
	free(buffer);
	return done;
}

struct team {
	const struct files *f;
	_Atomic(size_t) next, sum;
};

static void *team_main(void *arg)
{
	struct team *t = arg;
	size_t i;

	while ((i = add_rlx(&t->next, 1)) < t->f->n * t->f->pieces) /* a ticket */
		add_rlx(&t->sum, read_plain(t->f, i)); /* read after the threads end */
	return NULL;
}

static bool measure_team(const struct rounds_run *run, size_t threads, double *out)
{
	struct team t = {0};
	struct files f;
	pthread_t thread[THREADS];
	uint64_t began;

	files_create(&f, run);
	t.f = &f;
	began = filch__now_ns();
	for (size_t i = 0; i < threads; i++)
		thread[i] = io_thread(team_main, &t);
	if (!threads)
		team_main(&t);
	for (size_t i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);
	out[0] = (double)(filch__now_ns() - began) * 1e-6;
	rounds_check(load_rlx(&t.sum) == f.n * f.size); /* they have ended */
	files_remove(&f);
	return true;
}

bool io_files_blocking(const struct rounds_run *run, double *out)
{
	return measure_team(run, 0, out);
}

bool io_files_thread(const struct rounds_run *run, double *out)
{
	return measure_team(run, THREADS, out);
}
