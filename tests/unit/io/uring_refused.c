/* SPDX-License-Identifier: MIT */
/*
 * A kernel that refuses io_uring, here by a filter (seccomp): epoll and helper threads do
 * instead; who insists on io_uring is told the reason; `filch info` tells it, too.
 */
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "tests/io.h"

/* From here on the process has no io_uring. */
static void refuse(int error)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_uring_setup, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (uint32_t)error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {4, filter};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) {
		printf("no filter can be set here: %s\n", strerror(errno));
		_exit(0);
	}
}

FILCH_STATIC_TASK_VOID(files, (int, result))
{
	char buffer[10] = "";
	int fd = filch_openat(AT_FDCWD, "/proc/self/comm", O_RDONLY, 0);

	if (result) {
		CHECK_IS(fd, result);
		CHECK_IS(filch_read(0, buffer, 1), result);
		return;
	}
	CHECK(fd >= 0);
	CHECK(filch_read(fd, buffer, sizeof buffer) > 4);
	CHECK_IS(filch_close(fd), 0);
}

static void run_with(const char *io, int result)
{
	struct filch_pool_options o = {.workers = 2, .io = io};
	struct filch_pool *p;

	CHECK_IS(filch_pool_create(&p, &o, NULL), 0);
	FILCH_RUN_ON(p, files, result);
	CHECK_IS(filch_pool_destroy(p), 0);
}

static void refused(int error)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		store_rlx(&wrong, 0); /* nobody else is there */
		refuse(error);
		CHECK_IS(filch__uring_probe(NULL, 0), -error);
		run_with("auto", 0);
		run_with("epoll", 0);
		run_with("uring", -error);
		_exit(load_rlx(&wrong) != 0); /* all done */
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void test_refused(void **state)
{
	(void)state;
#ifdef FILCH_NO_URING
	refused(ENOSYS); /* by ourselves */
#else
	refused(EPERM);
	refused(ENOSYS);
	refused(ENOMEM);
#endif
}

/* What `filch info` says under the filter; false if there is no such program. */
static bool ask(int error, char *says, size_t size)
{
	char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof path - 16), got;
	int ends[2], status;
	pid_t pid;

	path[n > 0 ? n : 0] = 0;
	for (int i = 0; i < 2 && strrchr(path, '/'); i++) /* from tests/ of the build */
		*strrchr(path, '/') = 0;
	strcat(path, "/filch");
	if (access(path, X_OK) || pipe(ends))
		return false;
	pid = fork();
	if (!pid) {
		dup2(ends[1], STDOUT_FILENO);
		refuse(error);
		execl(path, path, "info", (char *)NULL);
		_exit(1);
	}
	close(ends[1]);
	for (n = 0; (got = read(ends[0], says + n, size - 1 - (size_t)n)) > 0; n += got)
		;
	says[n] = 0;
	close(ends[0]);
	waitpid(pid, &status, 0);
	return !status;
}

static void test_info(void **state)
{
	char says[8192];

	(void)state;
	if (!ask(EPERM, says, sizeof says)) {
		printf("the command filch is not there to be asked\n");
		return;
	}
	assert_non_null(strstr(says, "helper threads for files"));
#ifndef FILCH_NO_URING
	assert_non_null(strstr(says, "EPERM (Operation not permitted)"));
	assert_true(ask(ENOSYS, says, sizeof says));
	assert_non_null(strstr(says, "ENOSYS (Function not implemented)"));
#endif
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_info),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
