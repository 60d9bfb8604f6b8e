/* SPDX-License-Identifier: MIT */
/*
 * The common part of the tests of src/io. Each test is run on both back ends, and leaves
 * no descriptor behind. Tasks use CHECK instead of cmocka's assertions, which leave by
 * longjmp().
 */
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <filch.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/atomic.h"
#include "io/op.h"
#include "io/uring.h"
#include "tests/test.h"

static struct filch_pool *pool;
static _Atomic(unsigned) wrong;

#define CHECK(x)                                                                        \
	do {                                                                            \
		if (!(x)) {                                                             \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #x); \
			add_rlx(&wrong, 1); /* counted */                               \
		}                                                                       \
	} while (0)

#define CHECK_IS(x, y)                                                             \
	do {                                                                       \
		long long check_x = (long long)(x), check_y = (long long)(y);      \
                                                                                   \
		if (check_x != check_y) {                                          \
			fprintf(stderr, "%s:%d: %s is %lld, not %lld\n", __FILE__, \
			        __LINE__, #x, check_x, check_y);                   \
			add_rlx(&wrong, 1); /* counted */                          \
		}                                                                  \
	} while (0)

/* Descriptors that are open. */
static inline int test_descriptors(void)
{
	DIR *d = opendir("/proc/self/fd");
	int n = 0;

	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

/* Runs fn with a pool of each back end and size. */
static inline void test_each_io(void (*fn)(void))
{
	static const char *const kinds[] = {"epoll", "uring"};
	static const unsigned workers[] = {1, 2, 8};
	char why[128];

	for (int k = 0; k < 2; k++) {
		if (k && filch__uring_probe(why, sizeof why)) {
			printf("uring is skipped: %s\n", why);
			continue;
		}
		for (int i = 0; i < 3; i++) {
			struct filch_pool_options o = {.workers = workers[i],
			                               .io = kinds[k]};
			int before = test_descriptors();

			store_rlx(&wrong, 0); /* nobody else is there */
			assert_int_equal(filch_pool_create(&pool, &o, NULL), 0);
			fn();
			assert_int_equal(filch_pool_destroy(pool), 0);
			if (load_rlx(&wrong)) /* all done */
				fail_msg("io=%s, %u workers", kinds[k], workers[i]);
			assert_int_equal(test_descriptors(), before);
		}
	}
}

/* ---- sockets ---- */

/* Listens on loopback, on some port. */
static inline int test_listen(int backlog, struct sockaddr_in *a)
{
	socklen_t size = sizeof *a;
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	*a = (struct sockaddr_in){.sin_family = AF_INET,
	                          .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	if (bind(fd, (struct sockaddr *)a, size) || listen(fd, backlog) ||
	    getsockname(fd, (struct sockaddr *)a, &size))
		abort();
	return fd;
}

/* Two ends of a TCP connection, by blocking calls. */
static inline void test_tcp_pair(int fd[2])
{
	struct sockaddr_in a;
	int l = test_listen(1, &a);

	fd[0] = socket(AF_INET, SOCK_STREAM, 0);
	if (connect(fd[0], (struct sockaddr *)&a, sizeof a))
		abort();
	fd[1] = accept(l, NULL, NULL);
	close(l);
}

/* Kinds of pairs that can be read and written. */
enum { PAIR_TCP, PAIR_UNIX, PAIR_PIPE, PAIRS };

/* fd[0] reads what fd[1] writes. */
static inline void test_pair(int kind, int fd[2])
{
	if (kind == PAIR_TCP)
		test_tcp_pair(fd);
	else if (kind == PAIR_UNIX ? socketpair(AF_UNIX, SOCK_STREAM, 0, fd) : pipe(fd))
		abort();
}

/* Closing so sends a reset. */
static inline void test_reset(int fd)
{
	struct linger now = {1, 0};

	setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
	close(fd);
}
