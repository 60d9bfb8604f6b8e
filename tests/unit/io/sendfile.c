/* SPDX-License-Identifier: MIT */
/* A file sent to a socket: whole and in parts, faster than it is read, and refused. */
#include "tests/io.h"

#define SIZE (3 << 20)

static char path[] = "filch-test-XXXXXX";
static char *contents;

static int pair[2];

FILCH_STATIC_TASK(int, receive, (int, fd), (size_t, from), (size_t, n))
{
	char *got = malloc(n + 1);
	size_t have = 0;
	ssize_t r;
	int same;

	while (have < n && (r = filch_read(fd, got + have, n - have)) > 0)
		have += (size_t)r;
	same = have == n && !memcmp(got, contents + from, n);
	free(got);
	return same;
}

/* Sends all of it, however often it takes. */
static size_t send_all(int file, size_t from, size_t n)
{
	size_t done = 0;
	ssize_t r;

	while (done < n &&
	       (r = filch_sendfile(pair[0], file, (off_t)(from + done), n - done)) > 0)
		done += (size_t)r;
	return done;
}

static void check_part(int file, size_t from, size_t n)
{
	struct filch_future *f = FILCH_GO(receive, pair[1], from, n);

	CHECK_IS(send_all(file, from, n), n);
	CHECK(FILCH_AWAIT(receive, f));
	filch_future_drop(f);
}

FILCH_STATIC_TASK_VOID(parts, (int, kind))
{
	int file = filch_openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);

	test_pair(kind, pair);
	check_part(file, 0, SIZE);
	check_part(file, 12345, 1);
	check_part(file, SIZE - 70000, 70000);
	posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED); /* from the disk */
	check_part(file, 4097, SIZE - 4097);
	CHECK_IS(filch_sendfile(pair[0], file, SIZE, 10), 0);
	CHECK_IS(filch_sendfile(pair[0], file, 0, 0), 0);
	CHECK_IS(lseek(file, 0, SEEK_CUR), 0);
	filch_close(file);
	filch_close(pair[0]);
	filch_close(pair[1]);
}

FILCH_STATIC_TASK(ssize_t, send_until_end, (int, file))
{
	ssize_t r;

	while ((r = filch_sendfile(pair[0], file, 0, SIZE)) > 0)
		;
	return r;
}

/* Starts a sender that gets stuck, has it ended, and checks by what. */
static void check_ended(int file, void (*end)(struct filch_future *), int how)
{
	struct filch_future *f = FILCH_GO(send_until_end, file);

	filch_sleep(5 * FILCH_MS);
	end(f);
	CHECK_IS(FILCH_AWAIT(send_until_end, f), how);
	filch_future_drop(f);
}

static void by_closing(struct filch_future *f)
{
	(void)f;
	filch_close(pair[0]);
}

FILCH_STATIC_TASK_VOID(endings, (int, unused))
{
	int file = filch_openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
	ssize_t r;

	(void)unused;
	/* Nobody reads. */
	test_pair(PAIR_UNIX, pair);
	do {
		r = filch_sendfile_until(pair[0], file, 0, SIZE, filch_after(FILCH_MS));
	} while (r > 0);
	CHECK_IS(r, -ETIMEDOUT);
	check_ended(file, filch_future_cancel, -ECANCELED);
	check_ended(file, by_closing, -EBADF);
	close(pair[1]);

	/* Nobody will: and no SIGPIPE, which would end this program. */
	test_pair(PAIR_UNIX, pair);
	close(pair[1]);
	CHECK_IS(filch_sendfile(pair[0], file, 0, 10), -EPIPE);
	filch_close(pair[0]);
	filch_close(file);
}

FILCH_STATIC_TASK_VOID(refusals, (int, unused))
{
	int file = filch_openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
	int folder = filch_openat(AT_FDCWD, "/", O_RDONLY | O_DIRECTORY, 0);

	(void)unused;
	test_pair(PAIR_TCP, pair);
	CHECK_IS(filch_sendfile(pair[0], file, -1, 10), -EINVAL);
	CHECK_IS(filch_sendfile(pair[0], folder, 0, 10), -EINVAL);
	CHECK_IS(filch_sendfile(pair[0], -1, 0, 10), -EBADF);
	CHECK_IS(filch_sendfile(-1, file, 0, 10), -EBADF);
	CHECK_IS(filch_sendfile(file, file, 0, 10), -ENOTSOCK);
	filch_close(folder);
	filch_close(file);
	filch_close(pair[0]);
	filch_close(pair[1]);
}

static void run_all(void)
{
	for (int kind = PAIR_TCP; kind <= PAIR_UNIX; kind++)
		FILCH_RUN_ON(pool, parts, kind);
	FILCH_RUN_ON(pool, endings, 0);
	FILCH_RUN_ON(pool, refusals, 0);
}

static void test_in_a_pool(void **state)
{
	(void)state;
	test_each_io(run_all);
}

static void test_outside(void **state)
{
	int file = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t r, sent = 0;

	(void)state;
	test_pair(PAIR_UNIX, pair);
	assert_int_equal(filch_sendfile(pair[0], file, 0, 1000), 1000);
	while ((r = filch_sendfile_until(pair[0], file, 0, SIZE, filch_after(FILCH_MS))) >
	       0)
		sent += r;
	assert_int_equal(r, -ETIMEDOUT);
	assert_true(sent > 0);
	close(pair[1]);
	assert_int_equal(filch_sendfile(pair[0], file, 0, 10), -EPIPE);
	close(pair[0]);
	close(file);
}

static bool make_file(void)
{
	int fd = mkstemp(path);
	bool ok;

	contents = malloc(SIZE);
	for (size_t i = 0; i < SIZE; i++)
		contents[i] = (char)(i * 11 >> 4);
	ok = fd >= 0 && write(fd, contents, SIZE) == SIZE && !fsync(fd);
	close(fd);
	return ok;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_in_a_pool),
		cmocka_unit_test(test_outside),
	};
	int failed = 1;

	if (make_file())
		failed = cmocka_run_group_tests(tests, NULL, NULL);
	unlink(path);
	free(contents);
	return failed;
}
