/* SPDX-License-Identifier: MIT */
/* For valgrind.sh: reads a file by the ring, and looks at every byte. */
#include <errno.h>
#include <fcntl.h>
#include <filch/io.h>
#include <filch/pool.h>
#include <filch/task.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define SIZE ((size_t)65536)

/* Counts bytes that are not what was written; each look is a jump that depends on a byte
 * that the kernel has brought. */
static size_t wrong(const unsigned char *got, size_t n)
{
	size_t bad = 0;

	for (size_t i = 0; i < n; i++)
		if (got[i] != (unsigned char)(i * 7))
			bad++;
	return bad;
}

FILCH_TASK(size_t, read_back, (const char *, path))
{
	unsigned char *one = malloc(SIZE), *two = malloc(SIZE);
	struct iovec v[] = {{one, 100}, {two, SIZE}};
	struct statx *x = malloc(sizeof *x);
	size_t bad;
	int fd = filch_openat(AT_FDCWD, path, O_RDONLY, 0);

	bad = fd < 0;
	bad += filch_pread(fd, one, SIZE, 0) != (ssize_t)SIZE || wrong(one, SIZE);
	bad += filch_readv(fd, v, 2) != (ssize_t)SIZE || wrong(one, 100);
	for (size_t i = 0; i < SIZE - 100; i++)
		bad += two[i] != (unsigned char)((i + 100) * 7);
	bad += filch_statx(AT_FDCWD, path, 0, STATX_SIZE, x) || x->stx_size != SIZE;
	bad += filch_close(fd) != 0;
	free(one);
	free(two);
	free(x);
	return bad;
}

int main(int argc, char **argv)
{
	struct filch_pool_options o = {.workers = 1, .io = "uring"};
	const char *why = NULL;
	struct filch_pool *pool;
	size_t bad;

	if (argc != 2 || filch_pool_create(&pool, &o, &why)) {
		fprintf(stderr, "no ring: %s\n", why ? why : "no file was named");
		return 77;
	}
	bad = FILCH_RUN_ON(pool, read_back, argv[1]);
	filch_pool_destroy(pool);
	printf("%zu wrong\n", bad);
	return bad != 0;
}
