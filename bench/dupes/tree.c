/* SPDX-License-Identifier: MIT */
#include "bench/dupes/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	FILES_A_DIRECTORY = 50,
	DIRECTORIES_A_DIRECTORY = 8,
	MEDIAN = 3000,
	MOST = 8 << 20,
	PATH_SIZE = 4096
};

/* What is in a file. */
struct contents {
	uint64_t seed;
	size_t size;
	unsigned char last; /* is added to the last byte */
};

struct making {
	char path[PATH_SIZE];
	size_t root; /* length of the path of the tree itself */
	uint64_t random;
	struct contents *file; /* those there are so far */
	unsigned char *bytes;
};

/* splitmix64 */
static uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* Log-normal: the sum of twelve is near enough to a normal distribution. */
static size_t random_size(uint64_t *state)
{
	double sum = -6, size;

	for (int i = 0; i < 12; i++)
		sum += (double)(next_random(state) >> 11) / 9007199254740992.0;
	size = MEDIAN * exp(1.9 * sum);
	return size < 1 ? 1 : size > MOST ? MOST : (size_t)size;
}

static struct contents choose(struct making *m, size_t i)
{
	struct contents c = {next_random(&m->random), random_size(&m->random), 0};
	size_t what = next_random(&m->random) % 100;
	struct contents other = i ? m->file[next_random(&m->random) % i] : c;

	if (what < TREE_COPIES)
		return other;
	if (what < TREE_COPIES + TREE_SAME_SIZE) {
		c.size = other.size;
	} else if (what < TREE_COPIES + TREE_SAME_SIZE + TREE_SAME_START) {
		other.last++;
		return other;
	}
	return c;
}

static int write_all(int fd, const unsigned char *bytes, size_t size)
{
	while (size) {
		ssize_t n = write(fd, bytes, size);

		if (n < 0)
			return -errno;
		bytes += n;
		size -= (size_t)n;
	}
	return 0;
}

static int write_file(struct making *m, const struct contents *c)
{
	uint64_t state = c->seed;
	int fd = open(m->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644), r;

	if (fd < 0)
		return -errno;
	for (size_t at = 0; at < c->size; at += 8) {
		uint64_t word = next_random(&state);

		memcpy(m->bytes + at, &word, sizeof word);
	}
	m->bytes[c->size - 1] = (unsigned char)(m->bytes[c->size - 1] + c->last);
	r = write_all(fd, m->bytes, c->size);
	if (close(fd) && !r)
		r = -errno;
	return r;
}

/* Puts the path of a directory into m->path, and returns its length. */
static size_t directory_path(struct making *m, size_t directory)
{
	size_t up[64], depth = 0, length = m->root;

	for (; directory; directory = (directory - 1) / DIRECTORIES_A_DIRECTORY)
		up[depth++] = directory;
	while (depth)
		length += (size_t)snprintf(m->path + length, PATH_SIZE - length,
		                           "/folder%zu", up[--depth]);
	m->path[length] = 0;
	return length;
}

static int make_file(struct making *m, size_t i)
{
	static const char *const endings[] = {"c", "txt", "html", "jpeg"};
	size_t directory = i / FILES_A_DIRECTORY, length = directory_path(m, directory);

	if (directory && i % FILES_A_DIRECTORY == 0 && mkdir(m->path, 0755))
		return -errno;
	snprintf(m->path + length, PATH_SIZE - length, "/file_%zu.%s", i, endings[i % 4]);
	m->file[i] = choose(m, i);
	return write_file(m, &m->file[i]);
}

int tree_make(const char *root, size_t files, const volatile sig_atomic_t *stop)
{
	struct making *m = calloc(1, sizeof *m);
	int r = -ENOMEM;

	if (!m)
		return -ENOMEM;
	m->file = calloc(files, sizeof *m->file);
	m->bytes = malloc(MOST + 8);
	if (m->file && m->bytes) {
		m->random = 1;
		m->root = (size_t)snprintf(m->path, PATH_SIZE, "%s", root);
		r = m->root > PATH_SIZE / 2 ? -ENAMETOOLONG : 0;
		for (size_t i = 0; i < files && !r; i++)
			r = *stop ? -EINTR : make_file(m, i);
	}
	free(m->file);
	free(m->bytes);
	free(m);
	return r;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st, (void)type, (void)at;
	return remove(path) ? -errno : 0;
}

int tree_remove(const char *root)
{
	return nftw(root, remove_one, 32, FTW_DEPTH | FTW_PHYS);
}
