/* SPDX-License-Identifier: MIT */
/* I/O used wrongly is refused with the right result, and nothing else happens. */
#include <sys/mman.h>

#include "tests/io.h"

FILCH_STATIC_TASK_VOID(no_descriptor, (int, fd))
{
	struct sockaddr_in a = {.sin_family = AF_INET};
	struct iovec v = {&a, 1};
	char c = 0;

	CHECK_IS(filch_read(fd, &c, 1), -EBADF);
	CHECK_IS(filch_write(fd, &c, 1), -EBADF);
	CHECK_IS(filch_pread(fd, &c, 1, 0), -EBADF);
	CHECK_IS(filch_pwrite(fd, &c, 1, 0), -EBADF);
	CHECK_IS(filch_readv(fd, &v, 1), -EBADF);
	CHECK_IS(filch_writev(fd, &v, 1), -EBADF);
	CHECK_IS(filch_recv(fd, &c, 1, 0), -EBADF);
	CHECK_IS(filch_send(fd, &c, 1, 0), -EBADF);
	CHECK_IS(filch_accept(fd, NULL, NULL, 0), -EBADF);
	CHECK_IS(filch_connect(fd, (struct sockaddr *)&a, sizeof a), -EBADF);
	CHECK_IS(filch_poll(fd, POLLIN), -EBADF);
	CHECK_IS(filch_fsync(fd), -EBADF);
	CHECK_IS(filch_openat(fd, "x", O_RDONLY, 0), -EBADF);
	CHECK_IS(filch_close(fd), -EBADF);
}

FILCH_STATIC_TASK_VOID(wrong_kind, (int, unused))
{
	struct sockaddr_in a = {.sin_family = AF_INET};
	struct iovec v = {&a, 1};
	char *nothing = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char c = 0;
	int fd[2];

	(void)unused;
	CHECK_IS(pipe(fd), 0);
	CHECK_IS(filch_read(fd[1], &c, 1), -EBADF);
	CHECK_IS(filch_write(fd[0], &c, 1), -EBADF);
	CHECK_IS(filch_recv(fd[0], &c, 1, 0), -ENOTSOCK);
	CHECK_IS(filch_send(fd[1], &c, 1, 0), -ENOTSOCK);
	CHECK_IS(filch_accept(fd[0], NULL, NULL, 0), -ENOTSOCK);
	CHECK_IS(filch_connect(fd[0], (struct sockaddr *)&a, sizeof a), -ENOTSOCK);
	CHECK_IS(filch_pread(fd[0], &c, 1, 0), -ESPIPE);
	CHECK_IS(filch_fsync(fd[0]), -EINVAL);
	CHECK_IS(filch_readv(fd[0], &v, -1), -EINVAL);
	CHECK_IS(filch_writev(fd[1], &v, 1 << 20), -EINVAL);
	CHECK_IS(filch_write(fd[1], nothing, 1), -EFAULT);
	CHECK_IS(filch_write(fd[1], &c, 1), 1);
	CHECK_IS(filch_read(fd[0], nothing, 1), -EFAULT);
	CHECK_IS(filch_openat(AT_FDCWD, nothing, O_RDONLY, 0), -EFAULT);
	filch_close(fd[0]);
	filch_close(fd[1]);
	munmap(nothing, 4096);

	test_pair(PAIR_TCP, fd);
	CHECK_IS(filch_accept(fd[0], NULL, NULL, 0), -EINVAL);
	CHECK_IS(filch_connect(fd[0], (struct sockaddr *)&a, sizeof a), -EISCONN);
	CHECK_IS(filch_pwrite(fd[0], &c, 1, 5), -ESPIPE);
	CHECK_IS(filch_close(fd[0]), 0);
	CHECK_IS(filch_close(fd[0]), -EBADF);
	filch_close(fd[1]);
}

static void run_all(void)
{
	FILCH_RUN_ON(pool, no_descriptor, -1);
	FILCH_RUN_ON(pool, no_descriptor, 19999);
	FILCH_RUN_ON(pool, no_descriptor, INT32_MAX);
	FILCH_RUN_ON(pool, wrong_kind, 0);
}

static void test_calls(void **state)
{
	(void)state;
	test_each_io(run_all);
}

static void test_setting(void **state)
{
	struct filch_pool_options o = {.io = "uringg"};
	struct filch_pool *p;
	const char *why = NULL;

	(void)state;
	assert_int_equal(filch_pool_create(&p, &o, &why), -EINVAL);
	assert_string_equal(why,
	                    "option io is 'uringg', but must be auto, uring or epoll");
	setenv("FILCH_IO", "none", 1);
	o.io = NULL;
	assert_int_equal(filch_pool_create(&p, &o, &why), -EINVAL);
	assert_string_equal(why, "FILCH_IO is 'none', but must be auto, uring or epoll");
	unsetenv("FILCH_IO");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_calls),
		cmocka_unit_test(test_setting),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
