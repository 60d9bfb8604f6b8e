/* SPDX-License-Identifier: MIT */
/*
 * Ends that race: deadlines, cancelling and closing against what is waited for; peers that
 * are killed; thousands of connections that come and go. Nothing is lost, nothing is got
 * twice, nobody waits for good, no descriptor is left.
 */
#include <sys/resource.h>
#include <sys/wait.h>

#include "tests/io.h"

#define STRANDS 16

static _Atomic(long) written, got;

static uint64_t below(struct filch__random *r, uint64_t n)
{
	return filch__random_below(r, n);
}

/* A little while, or none. */
static void dawdle(struct filch__random *r)
{
	uint64_t how = below(r, 8);

	if (how < 2)
		filch_sleep(below(r, 100) * FILCH_US);
	else if (how < 4)
		filch_yield();
}

static uint64_t seed_of(uint64_t i)
{
	return test_seed() * 31 + i;
}

/* ---- deadlines ---- */

FILCH_STATIC_TASK_VOID(writes, (int, fd), (int, n), (int, i))
{
	struct filch__random random = filch__random_seed(seed_of((uint64_t)i));

	while (n--) {
		dawdle(&random);
		if (filch_write_until(fd, "x", 1, filch_after(below(&random, 100000))) ==
		    1)
			add_rlx(&written, 1); /* counted */
	}
	filch_close(fd);
}

/* Until the end; its deadlines are about as long as the writer takes. */
FILCH_STATIC_TASK_VOID(reads, (int, fd), (int, i))
{
	struct filch__random random = filch__random_seed(seed_of((uint64_t)i + 1000));
	char buffer[3];
	ssize_t r;

	do {
		r = filch_read_until(
			fd, buffer, sizeof buffer,
			below(&random, 8) ? filch_after(below(&random, 150000)) : 0);
		if (r > 0)
			add_rlx(&got, r); /* counted */
		CHECK(r >= 0 || r == -ETIMEDOUT);
	} while (r);
}

FILCH_STATIC_TASK_VOID(race_deadlines, (int, n))
{
	FILCH_FRAME(reads) reader[2 * STRANDS];
	FILCH_FRAME(writes) writer[STRANDS];
	int fd[STRANDS][2];

	for (int i = 0; i < STRANDS; i++) {
		test_pair(i % PAIRS, fd[i]);
		FILCH_SPAWN_AT(&reader[2 * i], reads, fd[i][0], 2 * i);
		FILCH_SPAWN_AT(&reader[2 * i + 1], reads, fd[i][0], 2 * i + 1);
		FILCH_SPAWN_AT(&writer[i], writes, fd[i][1], n, i);
	}
	for (int i = STRANDS; i-- > 0;) {
		FILCH_JOIN_AT(&writer[i], writes);
		FILCH_JOIN_AT(&reader[2 * i + 1], reads);
		FILCH_JOIN_AT(&reader[2 * i], reads);
		filch_close(fd[i][0]);
	}
}

static void run_deadlines(void)
{
	store_rlx(&written, 0); /* nobody else is there */
	store_rlx(&got, 0);     /* nobody else is there */
	FILCH_RUN_ON(pool, race_deadlines, (int)test_scaled(300));
	CHECK_IS(load_rlx(&got), load_rlx(&written)); /* all done */
	CHECK(load_rlx(&got) > 0);                    /* all done */
}

/* ---- cancelling ---- */

FILCH_STATIC_TASK_VOID(reads_until_cancelled, (int, fd), (int, timed))
{
	char c;
	ssize_t r;

	while ((r = filch_read_until(fd, &c, 1,
	                             timed ? filch_after(FILCH_S) : FILCH_NEVER)) == 1)
		add_rlx(&got, 1); /* counted */
	CHECK_IS(r, -ECANCELED);
}

FILCH_STATIC_TASK_VOID(race_cancelling, (int, n))
{
	struct filch__random random = filch__random_seed(seed_of(7));

	while (n--) {
		struct filch_group g;
		char c;
		int fd[2];

		test_pair(n % PAIRS, fd);
		filch_group_begin(&g);
		for (int i = 0; i < 4; i++)
			FILCH_GROUP_SPAWN(&g, reads_until_cancelled, fd[0], i % 2);
		for (uint64_t i = below(&random, 4); i; i--) {
			dawdle(&random);
			CHECK_IS(filch_write(fd[1], "y", 1), 1);
			add_rlx(&written, 1); /* counted */
		}
		dawdle(&random);
		filch_group_cancel(&g);
		dawdle(&random);
		filch_group_cancel(&g);
		CHECK_IS(filch_group_wait(&g), -ECANCELED);
		while (filch_read_until(fd[0], &c, 1, 0) == 1)
			add_rlx(&got, 1); /* left over; counted */
		filch_close(fd[0]);
		filch_close(fd[1]);
	}
}

static void run_cancelling(void)
{
	store_rlx(&written, 0); /* nobody else is there */
	store_rlx(&got, 0);     /* nobody else is there */
	FILCH_RUN_ON(pool, race_cancelling, (int)test_scaled(300));
	CHECK_IS(load_rlx(&got), load_rlx(&written)); /* all done */
}

/* ---- closing ---- */

/* The number may be another pair's by then: so it reads only what it waits for. */
FILCH_STATIC_TASK_VOID(waits_for_close, (int, fd), (int, timed))
{
	char c;
	ssize_t r =
		filch_read_until(fd, &c, 1, timed ? filch_after(FILCH_MS) : FILCH_NEVER);

	if (r != 1 && (r != -ETIMEDOUT || !timed))
		CHECK_IS(r, -EBADF);
}

FILCH_STATIC_TASK_VOID(race_closing, (int, n))
{
	struct filch__random random = filch__random_seed(seed_of(9));

	filch_poll(1, POLLOUT); /* the pool's own descriptors are there from now on */
	while (n--) {
		FILCH_FRAME(waits_for_close) part[4];
		int fd[2];

		test_pair(n % PAIRS, fd);
		for (int i = 0; i < 4; i++)
			FILCH_SPAWN_AT(&part[i], waits_for_close, fd[0], i % 2);
		dawdle(&random);
		dawdle(&random);
		if (below(&random, 2))
			CHECK_IS(filch_write(fd[1], "z", 1), 1);
		dawdle(&random);
		CHECK_IS(filch_close(fd[0]), 0);
		for (int i = 4; i-- > 0;)
			FILCH_JOIN_AT(&part[i], waits_for_close);
		filch_close(fd[1]);
	}
}

static void run_closing(void)
{
	FILCH_RUN_ON(pool, race_closing, (int)test_scaled(300));
}

/* ---- files ---- */

/* A call waits for the read that the system has begun: no buffer is written to later. */
FILCH_STATIC_TASK_VOID(reads_file, (int, fd), (int, n), (int, i))
{
	struct filch__random random = filch__random_seed(seed_of((uint64_t)i + 2000));
	char buffer[2000];

	while (n--) {
		uint64_t deadline = filch_after(below(&random, 60000));
		off_t from = (off_t)below(&random, 500000);
		ssize_t r;
		int k;

		if (below(&random, 4) == 0)
			posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
		memset(buffer, 1, sizeof buffer);
		r = filch_pread_until(fd, buffer, sizeof buffer, from, deadline);
		CHECK(r == sizeof buffer || r == -ETIMEDOUT || r == -ECANCELED ||
		      (r > 0 && r % 4096 != 0));
		if (r == -ECANCELED)
			break;
		memset(buffer, 2, sizeof buffer);
		dawdle(&random);
		for (k = 0; k < (int)sizeof buffer && buffer[k] == 2; k++)
			;
		CHECK_IS(k, sizeof buffer);
		r = filch_openat_until(AT_FDCWD, "/dev/null", O_RDONLY, 0, deadline);
		if (r >= 0)
			CHECK_IS(filch_close((int)r), 0);
	}
}

FILCH_STATIC_TASK_VOID(race_files, (int, n))
{
	static const char zeros[600000];
	char name[] = "filch-test-XXXXXX";
	int fd = mkstemp(name);
	struct filch_group g;

	unlink(name);
	CHECK_IS(filch_write(fd, zeros, sizeof zeros), sizeof zeros);
	CHECK_IS(filch_fsync(fd), 0);
	filch_group_begin(&g);
	for (int i = 0; i < STRANDS; i++)
		FILCH_GROUP_SPAWN(&g, reads_file, fd, n, i);
	filch_sleep(20 * FILCH_MS);
	filch_group_cancel(&g);
	filch_group_wait(&g);
	filch_group_begin(&g);
	for (int i = 0; i < STRANDS; i++)
		FILCH_GROUP_SPAWN(&g, reads_file, fd, n, i);
	CHECK_IS(filch_group_wait(&g), 0);
	filch_close(fd);
}

static void run_files(void)
{
	FILCH_RUN_ON(pool, race_files, (int)test_scaled(40));
}

static void run_small_ring(void)
{
	filch__ring_entries = 2;
	run_files();
	filch__ring_entries = 256;
}

/* ---- connections ---- */

FILCH_STATIC_TASK_VOID(serve, (int, fd))
{
	char buffer[64];
	ssize_t r;

	while ((r = filch_recv(fd, buffer, sizeof buffer, 0)) > 0)
		if (filch_send(fd, buffer, (size_t)r, 0) < 0)
			break;
	CHECK(r >= 0 || r == -ECONNRESET || r == -EPIPE);
	CHECK_IS(filch_close(fd), 0);
	add_rlx(&got, 1); /* counted */
}

FILCH_STATIC_TASK_VOID(accepts, (int, l), (struct filch_group *, g), (int, n))
{
	while (n--) {
		int fd = filch_accept(l, NULL, NULL, 0);

		CHECK(fd >= 0);
		FILCH_GROUP_SPAWN(g, serve, fd);
	}
}

/* Some say something first; some are reset. */
FILCH_STATIC_TASK_VOID(comes_and_goes, (const struct sockaddr_in *, a), (int, i),
                       (struct filch_event *, all))
{
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	char c = (char)i;

	CHECK(fd >= 0);
	CHECK_IS(filch_connect(fd, (const struct sockaddr *)a, sizeof *a), 0);
	if (i % 2) {
		CHECK_IS(filch_send(fd, &c, 1, 0), 1);
		CHECK_IS(filch_recv(fd, &c, 1, 0), 1);
		CHECK_IS(c, (char)i);
	}
	add_rlx(&written, 1); /* counted */
	filch_event_wait(all);
	if (i % 3) {
		filch_close(fd);
	} else {
		struct linger now = {1, 0};

		setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
		filch_close(fd);
	}
}

FILCH_STATIC_TASK_VOID(come_and_go, (int, n))
{
	struct filch_event all = {0};
	struct filch_group servers, clients;
	struct sockaddr_in a;
	int l = test_listen(4096, &a);

	filch_group_begin(&servers);
	filch_group_begin(&clients);
	FILCH_SPAWN(x, accepts, l, &servers, n);
	for (int i = 0; i < n; i++) {
		FILCH_GROUP_SPAWN(&clients, comes_and_goes, &a, i, &all);
		while (i - load_rlx(&written) > 1000) /* not more than can queue up */
			filch_sleep(FILCH_MS);
	}
	while (load_rlx(&written) < n) /* a look only */
		filch_sleep(FILCH_MS);
	filch_event_set(&all);
	CHECK_IS(filch_group_wait(&clients), 0);
	FILCH_JOIN(x);
	CHECK_IS(filch_group_wait(&servers), 0);
	filch_close(l);
}

/* Both ends are ours: as many connections as that leaves, 10,000 at most. */
static void run_connections(void)
{
	struct rlimit limit;
	long n = TEST_SLOW_BUILD ? 1000 : 10000;

	getrlimit(RLIMIT_NOFILE, &limit);
	if (n > ((long)limit.rlim_cur - 200) / 2)
		n = ((long)limit.rlim_cur - 200) / 2;
	if (filch_pool_workers(pool) == 8)
		n /= 4;
	store_rlx(&written, 0); /* nobody else is there */
	store_rlx(&got, 0);     /* nobody else is there */
	FILCH_RUN_ON(pool, come_and_go, (int)n);
	CHECK_IS(load_rlx(&got), n); /* all done */
}

/* ---- peers that are killed ---- */

#define PEERS 64

/* In a process of its own: talks for good. */
static void be_peer(const struct sockaddr_in *a)
{
	struct pollfd p[PEERS];
	char buffer[64] = "";

	for (int i = 0; i < PEERS; i++) {
		p[i] = (struct pollfd){socket(AF_INET, SOCK_STREAM, 0), POLLIN, 0};
		if (connect(p[i].fd, (const struct sockaddr *)a, sizeof *a) ||
		    send(p[i].fd, buffer, 1 + (size_t)i, 0) < 0)
			_exit(1);
	}
	while (poll(p, PEERS, -1) > 0)
		for (int i = 0; i < PEERS; i++)
			if (p[i].revents &&
			    (recv(p[i].fd, buffer, sizeof buffer, 0) <= 0 ||
			     send(p[i].fd, buffer, sizeof buffer, 0) < 0))
				_exit(1);
}

FILCH_STATIC_TASK_VOID(lose_peers, (int, l), (pid_t, pid))
{
	struct filch_group g;

	filch_group_begin(&g);
	FILCH_CALL(accepts, l, &g, PEERS);
	filch_sleep(10 * FILCH_MS);
	kill(pid, SIGKILL);
	CHECK_IS(filch_group_wait(&g), 0);
}

static void run_killed(void)
{
	struct sockaddr_in a;
	int l = test_listen(PEERS, &a), status;
	pid_t pid = fork();

	if (!pid) {
		be_peer(&a);
		_exit(0);
	}
	store_rlx(&got, 0); /* nobody else is there */
	FILCH_RUN_ON(pool, lose_peers, l, pid);
	CHECK_IS(load_rlx(&got), PEERS); /* all done */
	waitpid(pid, &status, 0);
	CHECK(WIFSIGNALED(status));
	close(l);
}

#define EACH(name)                            \
	static void test_##name(void **state) \
	{                                     \
		(void)state;                  \
		test_each_io(run_##name);     \
	}

EACH(deadlines)
EACH(cancelling)
EACH(closing)
EACH(files)
EACH(small_ring)
EACH(connections)
EACH(killed)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_deadlines),  cmocka_unit_test(test_cancelling),
		cmocka_unit_test(test_closing),    cmocka_unit_test(test_files),
		cmocka_unit_test(test_small_ring), cmocka_unit_test(test_connections),
		cmocka_unit_test(test_killed),
	};

	test_seed(); /* before there are threads */
	return cmocka_run_group_tests(tests, NULL, NULL);
}
