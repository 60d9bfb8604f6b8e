/* SPDX-License-Identifier: MIT */
/* Files and directories: every call, cached or not, and what refuses. */
#include "tests/io.h"

#define SIZE (300 * 1000)

static char folder[64];

static int open_new(const char *name)
{
	char path[512];

	snprintf(path, sizeof path, "%s/%s", folder, name);
	return filch_openat(AT_FDCWD, path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
}

static char at(size_t i)
{
	return (char)(i * 11 >> 4);
}

static void check_bytes(const char *data, size_t from, ssize_t n)
{
	for (ssize_t i = 0; i < n; i++)
		if (data[i] != at(from + (size_t)i)) {
			CHECK_IS(i, -1);
			return;
		}
}

FILCH_STATIC_TASK_VOID(contents, (int, unused))
{
	char *data = malloc(SIZE), *back = malloc(SIZE + 1000);
	struct iovec v[2] = {{back, 1000}, {back + 1000, SIZE}};
	int fd = open_new("contents");

	(void)unused;
	CHECK(fd >= 0);
	for (size_t i = 0; i < SIZE; i++)
		data[i] = at(i);
	CHECK_IS(filch_write(fd, data, SIZE), SIZE);
	CHECK_IS(filch_read(fd, back, SIZE), 0);
	CHECK_IS(filch_fsync(fd), 0);
	CHECK_IS(filch_pread(fd, back, SIZE + 1000, 0), SIZE); /* short at the end only */
	check_bytes(back, 0, SIZE);
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	CHECK_IS(filch_pread(fd, back, 5000, 123456), 5000);
	check_bytes(back, 123456, 5000);
	CHECK_IS(filch_pread(fd, back, SIZE + 1000, 0), SIZE);
	check_bytes(back, 0, SIZE);
	CHECK_IS(filch_pread(fd, back, 10, SIZE), 0);
	CHECK_IS(filch_pwrite(fd, "####", 4, 10), 4);
	CHECK_IS(lseek(fd, 8, SEEK_SET), 8);
	CHECK_IS(filch_read(fd, back, 4), 4);
	CHECK(back[0] == at(8) && back[2] == '#');
	CHECK_IS(lseek(fd, 0, SEEK_CUR), 12);
	CHECK_IS(filch_readv(fd, v, 2), SIZE - 12);
	check_bytes(back + 2, 14, SIZE - 14);
	CHECK_IS(filch_writev(fd, v, 2), SIZE + 1000);
	CHECK_IS(lseek(fd, 0, SEEK_CUR), SIZE + SIZE + 1000);
	CHECK_IS(filch_poll(fd, POLLIN | POLLOUT), POLLIN | POLLOUT);
	CHECK_IS(filch_close(fd), 0);
	free(data);
	free(back);
}

FILCH_STATIC_TASK_VOID(names, (int, unused))
{
	struct statx s;
	int fd = open_new("names"), dir = open(folder, O_RDONLY | O_DIRECTORY);

	(void)unused;
	CHECK_IS(filch_write(fd, "12345", 5), 5);
	CHECK_IS(filch_statx(dir, "names", 0, STATX_SIZE, &s), 0);
	CHECK_IS(s.stx_size, 5);
	CHECK_IS(filch_statx(fd, "", AT_EMPTY_PATH, STATX_SIZE, &s), 0);
	CHECK_IS(filch_statx(dir, "none", 0, STATX_SIZE, &s), -ENOENT);
	CHECK_IS(filch_openat(dir, "none", O_RDONLY, 0), -ENOENT);
	CHECK_IS(filch_openat(dir, "names", O_CREAT | O_EXCL | O_WRONLY, 0600), -EEXIST);
	CHECK_IS(filch_read(dir, &s, sizeof s), -EISDIR);
	CHECK_IS(filch_close(fd), 0);
	CHECK_IS(filch_close(fd), -EBADF);
	CHECK_IS(filch_fsync(fd), -EBADF);
	fd = filch_openat(dir, "names", O_RDONLY, 0);
	CHECK_IS(filch_write(fd, "x", 1), -EBADF);
	CHECK_IS(filch_pwrite(fd, "x", 1, -1), -EINVAL);
	CHECK_IS(filch_recv(fd, &s, 1, 0), -ENOTSOCK);
	CHECK_IS(filch_accept(fd, NULL, NULL, 0), -ENOTSOCK);
	filch_close(fd);
	filch_close(dir);
}

/* Names that the system has at hand, and those it has not: the same results. */
FILCH_STATIC_TASK_VOID(kinds_of_names, (int, unused))
{
	int dir = open(folder, O_RDONLY | O_DIRECTORY), fd = open_new("names");
	const unsigned mask = STATX_TYPE | STATX_SIZE;
	struct statx s;

	(void)unused;
	CHECK_IS(fcntl(fd, F_GETFL) & O_NONBLOCK, 0);
	filch_close(fd);
	CHECK_IS(symlinkat("names", dir, "link"), 0);
	CHECK_IS(mkfifoat(dir, "fifo", 0600), 0);
	for (int round = 0; round < 2; round++) { /* whatever the first one leaves */
		fd = filch_openat(dir, "link", O_RDONLY | O_APPEND, 0);
		CHECK_IS(fcntl(fd, F_GETFL) & (O_NONBLOCK | O_APPEND), O_APPEND);
		filch_close(fd);
		fd = filch_openat(dir, "names", O_RDONLY | O_NONBLOCK, 0);
		CHECK_IS(fcntl(fd, F_GETFL) & O_NONBLOCK, O_NONBLOCK);
		filch_close(fd);
		CHECK_IS(filch_openat(dir, "link", O_RDONLY | O_NOFOLLOW, 0), -ELOOP);
		CHECK_IS(filch_openat(dir, "names/x", O_RDONLY, 0), -ENOTDIR);
		CHECK_IS(filch_openat(-1, "names", O_RDONLY, 0), -EBADF);
		fd = filch_openat(dir, "link", O_PATH | O_NOFOLLOW, 0);
		CHECK(fd >= 0);
		filch_close(fd);
		CHECK_IS(filch_statx(dir, "link", 0, mask, &s), 0);
		CHECK(S_ISREG(s.stx_mode));
		CHECK_IS(filch_statx(dir, "link", AT_SYMLINK_NOFOLLOW, mask, &s), 0);
		CHECK(S_ISLNK(s.stx_mode));
		CHECK_IS(filch_statx(dir, "link", AT_STATX_FORCE_SYNC, mask, &s), 0);
		CHECK(S_ISREG(s.stx_mode));
		CHECK_IS(filch_statx(dir, "fifo", 0, mask, &s), 0);
		CHECK(S_ISFIFO(s.stx_mode));
		CHECK_IS(filch_statx(dir, "", 0, mask, &s), -ENOENT);
		CHECK_IS(filch_statx(dir, "names", 0x40000000, mask, &s), -EINVAL);
	}
	unlinkat(dir, "link", 0);
	unlinkat(dir, "fifo", 0);
	close(dir);
}

FILCH_STATIC_TASK_VOID(devices, (int, unused))
{
	char buffer[64] = {1};
	int fd = filch_openat(AT_FDCWD, "/dev/full", O_RDWR, 0);

	(void)unused;
	CHECK_IS(filch_write(fd, buffer, 10), -ENOSPC);
	CHECK_IS(filch_read(fd, buffer, 10), 10);
	CHECK_IS(buffer[0], 0);
	filch_close(fd);
	fd = filch_openat(AT_FDCWD, "/dev/null", O_RDWR, 0);
	CHECK_IS(filch_write(fd, buffer, 10), 10);
	CHECK_IS(filch_read(fd, buffer, 10), 0);
	filch_close(fd);
	fd = filch_openat(AT_FDCWD, "/proc/self/stat", O_RDONLY, 0);
	CHECK(filch_read(fd, buffer, sizeof buffer) > 10);
	filch_close(fd);
}

/* ---- directories ---- */

#define ENTRIES 300 /* with such names more than a buffer */

FILCH_STATIC_TASK_VOID(directories, (int, unused))
{
	static char seen[ENTRIES];
	struct filch_dir *d = NULL;
	struct filch_dirent e;
	char name[256], path[128];
	int n = 0, r, i;

	(void)unused;
	memset(seen, 0, sizeof seen);
	snprintf(path, sizeof path, "%s/many", folder);
	CHECK_IS(mkdir(path, 0700), 0);
	for (i = 0; i < ENTRIES; i++) {
		snprintf(name, sizeof name, "many/%0150d", i);
		filch_close(open_new(name));
	}
	CHECK_IS(filch_dir_open(&d, AT_FDCWD, path), 0);
	while ((r = filch_dir_next(d, &e)) == 1) {
		n++;
		CHECK_IS(sscanf(e.name, "%d", &i), 1);
		CHECK(!seen[i]++);
		CHECK(e.type == DT_REG || e.type == DT_UNKNOWN);
		CHECK(e.inode);
		unlinkat(filch_dir_fd(d), e.name, 0);
	}
	CHECK_IS(r, 0);
	CHECK_IS(n, ENTRIES);
	CHECK_IS(filch_dir_next(d, &e), 0);
	filch_dir_close(d);
	CHECK_IS(rmdir(path), 0);
	CHECK_IS(filch_dir_open(&d, AT_FDCWD, path), -ENOENT);
	CHECK_IS(filch_dir_open(&d, AT_FDCWD, "/dev/null"), -ENOTDIR);
}

/* ---- many at once ---- */

FILCH_STATIC_TASK_VOID(part, (int, fd), (int, i))
{
	char buffer[4096];

	memset(buffer, i, sizeof buffer);
	CHECK_IS(filch_pwrite(fd, buffer, sizeof buffer, (off_t)i * 4096), 4096);
	if (i % 16 == 0)
		CHECK_IS(filch_fsync(fd), 0);
	CHECK_IS(filch_pread(fd, buffer, sizeof buffer, (off_t)i * 4096), 4096);
	CHECK_IS(buffer[4095], (char)i);
}

FILCH_STATIC_TASK_VOID(parts, (int, n))
{
	int fd = open_new("parts"), good = 0;
	struct filch_group g;

	filch_group_begin(&g);
	for (int i = 0; i < n; i++)
		FILCH_GROUP_SPAWN(&g, part, fd, i);
	CHECK_IS(filch_group_wait(&g), 0);
	for (int i = 0; i < n; i++) {
		char c = 0;

		CHECK_IS(filch_pread(fd, &c, 1, (off_t)i * 4096 + 77), 1);
		good += c == (char)i;
	}
	CHECK_IS(good, n);
	filch_close(fd);
}

static void run_all(void)
{
	char path[128];

	FILCH_RUN_ON(pool, contents, 0);
	FILCH_RUN_ON(pool, names, 0);
	FILCH_RUN_ON(pool, kinds_of_names, 0);
	FILCH_RUN_ON(pool, devices, 0);
	FILCH_RUN_ON(pool, directories, 0);
	FILCH_RUN_ON(pool, parts, 100);
	for (int i = 0; i < 3; i++) {
		static const char *const made[] = {"contents", "names", "parts"};

		snprintf(path, sizeof path, "%s/%s", folder, made[i]);
		unlink(path);
	}
}

static void test_files(void **state)
{
	(void)state;
	test_each_io(run_all);
}

/* A ring with next to no entries does it, too. */
static void test_small_ring(void **state)
{
	(void)state;
	filch__ring_entries = 1;
	test_each_io(run_all);
	filch__ring_entries = 256;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_small_ring),
	};
	int failed;

	strcpy(folder, "filch-test-XXXXXX");
	if (!mkdtemp(folder))
		return 1;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	rmdir(folder);
	return failed;
}
