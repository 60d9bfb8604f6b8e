/* SPDX-License-Identifier: MIT */
/*
 * The system refuses resources that watching needs. If it does so when a pool is made,
 * there is no pool, the message says why, nothing is left, and the next pool is watched.
 * If it refuses descriptors or memory for a program that looks, that program has to wait
 * or to come again.
 */
#include <dirent.h>
#include <errno.h>
#include <filch.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/atomic.h"
#include "tests/test.h"
#include "watch/place.h"

enum call { NONE, FOLDER, SOCKET, MODE, BIND, LISTEN, EVENT, THREAD, ACCEPT, MEMORY };

static _Atomic(int) refused; /* an enum call */
static _Atomic(int) times;   /* how often; then it is NONE */

static bool refuse(enum call call)
{
	if (load_rlx(&refused) != (int)call) /* one call at a time */
		return false;
	if (add_rlx(&times, -1) == 1)      /* as above */
		store_rlx(&refused, NONE); /* as above */
	return true;
}

static void refuse_next(enum call call, int n)
{
	store_rlx(&times, n);      /* before it is refused */
	store_rlx(&refused, call); /* the next one */
}

static int failed(int error)
{
	errno = error;
	return -1;
}

int __real_mkdir(const char *path, mode_t mode);
int __wrap_mkdir(const char *path, mode_t mode);
int __real_socket(int domain, int type, int protocol);
int __wrap_socket(int domain, int type, int protocol);
int __real_fchmod(int fd, mode_t mode);
int __wrap_fchmod(int fd, mode_t mode);
int __real_bind(int fd, const struct sockaddr *a, socklen_t size);
int __wrap_bind(int fd, const struct sockaddr *a, socklen_t size);
int __real_listen(int fd, int backlog);
int __wrap_listen(int fd, int backlog);
int __real_eventfd(unsigned n, int flags);
int __wrap_eventfd(unsigned n, int flags);
int __real_pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*fn)(void *),
                          void *arg);
int __wrap_pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*fn)(void *),
                          void *arg);
int __real_accept4(int fd, struct sockaddr *a, socklen_t *size, int flags);
int __wrap_accept4(int fd, struct sockaddr *a, socklen_t *size, int flags);
void *__real_realloc(void *p, size_t size);
void *__wrap_realloc(void *p, size_t size);

int __wrap_mkdir(const char *path, mode_t mode)
{
	return refuse(FOLDER) ? failed(ENOSPC) : __real_mkdir(path, mode);
}

int __wrap_socket(int domain, int type, int protocol)
{
	return refuse(SOCKET) ? failed(EMFILE) : __real_socket(domain, type, protocol);
}

int __wrap_fchmod(int fd, mode_t mode)
{
	return refuse(MODE) ? failed(EPERM) : __real_fchmod(fd, mode);
}

int __wrap_bind(int fd, const struct sockaddr *a, socklen_t size)
{
	return refuse(BIND) ? failed(EROFS) : __real_bind(fd, a, size);
}

int __wrap_listen(int fd, int backlog)
{
	return refuse(LISTEN) ? failed(ENOBUFS) : __real_listen(fd, backlog);
}

int __wrap_eventfd(unsigned n, int flags)
{
	return refuse(EVENT) ? failed(ENFILE) : __real_eventfd(n, flags);
}

int __wrap_pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*fn)(void *),
                          void *arg)
{
	return refuse(THREAD) ? EAGAIN : __real_pthread_create(t, a, fn, arg);
}

int __wrap_accept4(int fd, struct sockaddr *a, socklen_t *size, int flags)
{
	return refuse(ACCEPT) ? failed(EMFILE) : __real_accept4(fd, a, size, flags);
}

void *__wrap_realloc(void *p, size_t size)
{
	return refuse(MEMORY) ? NULL : __real_realloc(p, size);
}

static char base[] = "/tmp/filch-test-XXXXXX", folder[FILCH__PLACE_MAX],
	    name[FILCH__PLACE_MAX];

static unsigned entries(const char *path)
{
	unsigned n = 0;
	DIR *d = opendir(path);

	while (d && readdir(d))
		n++;
	if (d)
		closedir(d);
	return n;
}

static int set_up(void **state)
{
	(void)state;
	assert_non_null(mkdtemp(base));
	setenv("XDG_RUNTIME_DIR", base, 1);
	setenv("FILCH_WATCH", "on", 1);
	filch__place_name(folder, base, geteuid(), 0);
	filch__place_name(name, base, geteuid(), getpid());
	return 0;
}

/* The socket is still there: the process is watched until it ends. */
static int tear_down(void **state)
{
	(void)state;
	unlink(name);
	rmdir(folder);
	rmdir(base);
	return 0;
}

static void refused_to_begin(void **state)
{
	static const int errors[] = {
		[FOLDER] = -ENOSPC, [SOCKET] = -EMFILE,  [MODE] = -EPERM,
		[BIND] = -EROFS,    [LISTEN] = -ENOBUFS, [EVENT] = -ENFILE,
		[THREAD] = -EAGAIN};
	struct filch_pool_options o = {.workers = 1};
	unsigned open = entries("/proc/self/fd");
	struct filch_pool *p = NULL;

	(void)state;
	for (int call = FOLDER; call <= THREAD; call++) {
		const char *why = NULL;

		refuse_next((enum call)call, 1);
		assert_int_equal(filch_pool_create(&p, &o, &why), errors[call]);
		assert_null(p);
		assert_non_null(strstr(why, "FILCH_WATCH is on, but "));
		assert_int_equal(load_rlx(&refused), NONE); /* it was */
		assert_int_equal(access(name, F_OK), -1);
		assert_int_equal(entries("/proc/self/fd"), open);
	}
	assert_int_equal(filch_pool_create(&p, &o, NULL), 0);
	assert_int_equal(access(name, F_OK), 0);
	assert_int_equal(filch_pool_destroy(p), 0);
}

/* The first byte of an answer; 0: there is none. */
static int ask(void)
{
	struct sockaddr_un address;
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	char byte = 0;
	ssize_t n;

	assert_int_equal(filch__place_address(&address, name), 0);
	assert_int_equal(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
	assert_int_equal(send(fd, "\n", 1, MSG_NOSIGNAL), 1);
	n = recv(fd, &byte, 1, 0);
	close(fd);
	return n == 1 ? byte : 0;
}

static void refused_later(void **state)
{
	(void)state;
	assert_int_equal(ask(), '{');
	refuse_next(ACCEPT, 3); /* it tries again */
	assert_int_equal(ask(), '{');
	assert_int_equal(load_rlx(&refused), NONE); /* it was */
	refuse_next(MEMORY, 1);
	assert_int_equal(ask(), 0);
	assert_int_equal(load_rlx(&refused), NONE); /* as above */
	assert_int_equal(ask(), '{');
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refused_to_begin),
		cmocka_unit_test(refused_later),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
