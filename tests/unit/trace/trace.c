/* SPDX-License-Identifier: MIT */
/*
 * FILCH_TRACE: what is kept of events, which files are refused, and when the file is
 * there. tests/cmd/trace.sh looks at the contents of the file. It has this program play
 * the parts below: unit_trace_trace PART.
 */
#include "tests/test.h"

#include <errno.h>
#include <fcntl.h>
#include <filch.h>
#include <filch/channel.h>
#include <filch/for.h>
#include <filch/foreign.h>
#include <filch/reduce.h>
#include <filch/sync.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "trace/trace.h"

/* ---- parts ---- */

FILCH_STATIC_TASK(long, fib, (int, n))
{
	if (n < 2)
		return n;
	FILCH_SPAWN(x, fib, n - 1);
	long y = FILCH_CALL(fib, n - 2);
	return FILCH_JOIN(x) + y;
}

/* Goes on when the other one has come, too. */
FILCH_STATIC_TASK_VOID(meet, (struct filch_event *, me), (struct filch_event *, other))
{
	uint64_t late = filch_after(FILCH_S / 2);

	filch_event_set(me);
	while (!filch_event_is_set(other)) {
		FILCH_CALL(fib, 5); /* has joins, which answer who asks for work */
		if (filch_now() >= late)
			filch_sleep(FILCH_MS); /* who does not ask is shown it, too */
	}
}

/* The spawned one is stolen, as a rule: it is joined only when it has been running. */
FILCH_STATIC_TASK_VOID(be_robbed, (int, times))
{
	while (times-- > 0) {
		struct filch_event one = {0}, two = {0};

		FILCH_SPAWN(x, meet, &one, &two);
		FILCH_CALL(meet, &two, &one);
		FILCH_JOIN(x);
	}
}

/* Tells how often somebody has stolen. */
static int play_steal(void)
{
	struct filch_stats stats;

	FILCH_RUN(be_robbed, 5);
	if (filch_pool_stats(filch_pool_default(NULL), -1, &stats))
		return 1;
	printf("%llu\n", (unsigned long long)(stats.stolen + stats.mugged));
	return 0;
}

FILCH_STATIC_TASK_VOID(leaf, (int, i))
{
	(void)i;
}

/* One strand with more events than are kept. */
FILCH_STATIC_TASK_VOID(branch, (int, leaves))
{
	struct filch_group g;

	filch_group_begin(&g);
	for (int i = 0; i < leaves; i++)
		FILCH_GROUP_SPAWN(&g, leaf, i);
	filch_group_wait(&g);
}

static int play_group(void)
{
	FILCH_RUN(branch, 5000);
	return 0;
}

static void *make_pools(void *arg)
{
	_Atomic(int) *stop = arg;

	do {
		struct filch_pool *p;

		if (filch_pool_create(&p, NULL, NULL))
			abort();
		FILCH_RUN_ON(p, branch, 100);
		filch_pool_destroy(p);
	} while (!load_rlx(stop)); /* polled; at least one, however late it begins */
	return arg;
}

/* Pools are destroyed, and so written, while others fork. */
static int play_forks(void)
{
	static _Atomic(int) stop;
	pthread_t t;

	if (pthread_create(&t, NULL, make_pools, &stop))
		return 1;
	for (int i = 0; i < 30; i++) {
		pid_t pid = fork();
		int status;

		if (!pid)
			exit(0);
		if (waitpid(pid, &status, 0) != pid || status)
			return 1;
	}
	store_rlx(&stop, 1); /* polled */
	pthread_join(t, NULL);
	return 0;
}

struct things {
	struct filch_channel *channel;
	struct filch_mutex mutex;
	struct filch_event event;
	int ends[2];
};

static const uint64_t moment = 2 * FILCH_MS;

FILCH_STATIC_TASK_VOID(receiver, (struct things *, t))
{
	int n;

	filch_channel_recv(t->channel, &n);
}

FILCH_STATIC_TASK_VOID(reader, (struct things *, t))
{
	char c;

	if (filch_read(t->ends[0], &c, 1) != 1)
		abort();
}

FILCH_STATIC_TASK_VOID(locker, (struct things *, t))
{
	filch_mutex_lock(&t->mutex);
	filch_mutex_unlock(&t->mutex);
}

FILCH_STATIC_TASK_VOID(waiter, (struct things *, t))
{
	filch_event_wait(&t->event);
}

static void *nap(void *arg)
{
	usleep(1000);
	return arg;
}

FILCH_STATIC_TASK_VOID(napper, (int, n))
{
	if (filch_blocking(nap, &n) != &n)
		abort();
}

FILCH_STATIC_TASK_VOID(sleeper, (uint64_t, ns))
{
	filch_sleep(ns);
}

/* Each kind of wait. */
FILCH_STATIC_TASK_VOID(all_waits, (struct things *, t))
{
	struct filch_group group;
	struct filch_future *f;
	int n = 1;

	filch_mutex_lock(&t->mutex);
	filch_group_begin(&group);
	FILCH_GROUP_SPAWN(&group, receiver, t);
	FILCH_GROUP_SPAWN(&group, reader, t);
	FILCH_GROUP_SPAWN(&group, locker, t);
	FILCH_GROUP_SPAWN(&group, waiter, t);
	FILCH_GROUP_SPAWN(&group, napper, 1);
	filch_sleep(10 * moment); /* they are exposed, and all begin */
	f = FILCH_GO(sleeper, 10 * moment);
	if (!f || filch_await(f))
		abort();
	filch_future_drop(f);
	filch_channel_send(t->channel, &n);
	if (filch_write(t->ends[1], "x", 1) != 1)
		abort();
	filch_mutex_unlock(&t->mutex);
	filch_event_set(&t->event);
	filch_group_wait(&group);
}

static int play_waits(void)
{
	struct things t = {.channel = filch_channel_create(sizeof(int), 0)};

	if (!t.channel || pipe(t.ends))
		return 1;
	for (int i = 0; i < 4; i++) { /* others may be slow, and nobody has to wait */
		filch_event_reset(&t.event);
		FILCH_RUN(all_waits, &t);
	}
	filch_channel_destroy(t.channel);
	return 0;
}

FILCH_STATIC_TASK_VOID(yields, (int, n))
{
	while (n-- > 0)
		filch_yield();
}

FILCH_STATIC_TASK_VOID(many_yields, (int, n))
{
	FILCH_SPAWN(x, yields, n);
	FILCH_CALL(yields, n);
	FILCH_JOIN(x);
}

static int play_yields(void)
{
	FILCH_RUN(many_yields, 5000);
	return 0;
}

/* Running, or waiting, at the end; for who looks for leaks. */
static struct filch_future *volatile left;

FILCH_STATIC_TASK_VOID(exits, (int, code))
{
	left = FILCH_GO(fib, 40);
	exit(code);
}

/* exit() in a task, while another one runs. */
static int play_exit(void)
{
	FILCH_RUN(exits, 3);
	return 0;
}

static void *sleep_long(void *arg)
{
	filch_sleep(1000 * FILCH_S);
	return arg;
}

/* main() returns while a task waits. */
static int play_leave(void)
{
	left = filch_go(sleep_long, NULL);
	FILCH_RUN(fib, 10);
	filch_sleep(10 * moment);
	return 0;
}

/* Loops, and a function that stands for a task. */
static int scale(size_t begin, size_t end, void *context)
{
	(void)begin, (void)end, (void)context;
	return 0;
}

static int tile(const struct filch_tile *t, void *context)
{
	(void)t, (void)context;
	return 0;
}

static int add_up(size_t begin, size_t end, void *result, void *context)
{
	(void)context;
	*(size_t *)result += end - begin;
	return 0;
}

static void add(void *to, const void *from, void *context)
{
	(void)context;
	*(size_t *)to += *(const size_t *)from;
}

static void *plain(void *arg)
{
	return arg;
}

static int play_loops(void)
{
	size_t sum = 0;

	filch_run(NULL, plain, NULL);
	return filch_for_grain(0, 1000, 10, scale, NULL) ||
	       filch_for_2d_grain(100, 100, 10, 10, tile, NULL) ||
	       filch_reduce_grain(0, 1000, 10, &sum, sizeof sum, add_up, add, NULL) ||
	       sum != 1000;
}

/* Waits until each worker has slept once. The allocator of AddressSanitizer has locks that
 * fork() does not know of: a worker that starts, and allocates, may hold one. */
static void workers_have_begun(struct filch_pool *pool)
{
	for (unsigned i = 0; i < filch_pool_workers(pool); i++) {
		struct filch_stats s = {0};

		while (!filch_pool_stats(pool, (int)i, &s) && !s.parked)
			filch_sleep(moment);
	}
}

/* The child has a pool of its own, and leaves by exit(), too. */
static int play_fork(void)
{
	int status;
	pid_t pid;

	FILCH_RUN(fib, 10);
	workers_have_begun(filch_pool_default(NULL));
	pid = fork();
	FILCH_RUN(fib, 10);
	if (!pid)
		exit(0);
	return waitpid(pid, &status, 0) != pid || status;
}

static int play_pools(void)
{
	struct filch_pool_options o = {.workers = 1};
	struct filch_pool *one, *two;

	if (filch_pool_create(&one, &o, NULL))
		return 1;
	FILCH_RUN_ON(one, fib, 10);
	o.workers = 3;
	if (filch_pool_create(&two, &o, NULL))
		return 1;
	FILCH_RUN_ON(two, fib, 10);
	if (filch_pool_destroy(one))
		return 1;
	FILCH_RUN(fib, 10);
	return filch_pool_destroy(two);
}

/* A daemon's manners: another directory, no descriptors. */
static int play_daemon(void)
{
	FILCH_RUN(fib, 10);
	for (int fd = 3; fd < 100; fd++)
		close(fd);
	return chdir("/");
}

static int play_killed(void)
{
	FILCH_RUN(fib, 10);
	return raise(SIGKILL);
}

static uint64_t thread_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Prints what an event costs: best of 20 rounds, and the first, to which the pages are new. */
static int play_cost(void)
{
	enum { EVENTS = 65536, ROUNDS = 20 };
	double best[3] = {1e9, 1e9, 1e9}, first = 0;
	volatile uint64_t sink;
	struct filch__events r;

	if (filch__events_init(&r, EVENTS))
		return 1;
	for (int k = 0; k < 3 * ROUNDS; k++) {
		uint64_t begin = thread_ns();
		double ns;

		for (int i = 0; i < EVENTS; i++) {
			if (k % 3 == 0)
				filch__events_add(&r, FILCH__EVENT_TASK, filch__why_other,
				                  0, "", 0);
			else
				sink = k % 3 == 1 ? filch__ticks() : filch__now_ns();
		}
		ns = (double)(thread_ns() - begin) / EVENTS;
		best[k % 3] = ns < best[k % 3] ? ns : best[k % 3];
		first = k ? first : ns;
	}
	(void)sink;
	printf("event %.1f ns (%.1f on new pages), ticks %.1f ns, clock %.1f ns\n",
	       best[0], first, best[1], best[2]);
	filch__events_destroy(&r);
	return 0;
}

static const struct {
	const char *name;
	int (*play)(void);
} parts[] = {
	{"steal", play_steal},   {"waits", play_waits}, {"yields", play_yields},
	{"exit", play_exit},     {"leave", play_leave}, {"loops", play_loops},
	{"fork", play_fork},     {"pools", play_pools}, {"daemon", play_daemon},
	{"killed", play_killed}, {"cost", play_cost},   {"group", play_group},
	{"forks", play_forks},
};

/* ---- tests ---- */

static void test_newest_are_kept(void **state)
{
	struct filch__history h;
	struct filch__events r;
	uint64_t until;

	(void)state;
	assert_int_equal(filch__events_init(&r, 64), 0);
	for (int i = 0; i < 100; i++)
		filch__events_add(&r, FILCH__EVENT_STEAL, filch__why_other, i, NULL, 0);
	assert_int_equal(filch__events_copy(&r, &h, UINT64_MAX), 0);
	assert_int_equal(h.lost,
	                 37); /* in the place of the oldest one may be added now */
	assert_int_equal(h.n, 63);
	for (size_t i = 0; i < h.n; i++)
		assert_int_equal(h.event[i].about, 37 + i);
	for (size_t i = 1; i < h.n; i++)
		assert_true(h.event[i].ticks >= h.event[i - 1].ticks);
	until = h.event[10].ticks;
	filch__history_free(&h);
	assert_int_equal(filch__events_copy(&r, &h, until), 0);
	assert_true(h.n >= 11 && h.event[h.n - 1].ticks == until);
	filch__history_free(&h);
	filch__events_destroy(&r);
}

static void refuses(const char *path, const char *says)
{
	struct filch_pool *p = NULL;
	const char *why = "";

	setenv("FILCH_TRACE", path, 1);
	assert_int_equal(filch_pool_create(&p, NULL, &why), -EINVAL);
	unsetenv("FILCH_TRACE");
	if (!strstr(why, says))
		fail_msg("no '%s' in '%s'", says, why);
	assert_null(p);
}

static void test_refused_files(void **state)
{
	(void)state;
	refuses("/nowhere/x.json", "FILCH_TRACE is '/nowhere/x.json', but no file can be "
	                           "made there: No such file or directory");
	refuses("/dev/null", "but that is not a regular file");
	refuses("/tmp", "but that is not a regular file");
}

static char directory[] = "/tmp/filch-trace-XXXXXX";

/* After the file is gone, since it is registered before that is. */
static void remove_directory(void)
{
	rmdir(directory);
}

/* A library is unloaded: its names are copied before. */
static void test_kept_names(void **state)
{
	char path[64], name[] = "borrowed", why[128];
	struct filch__trace *t;
	struct filch__history h;

	(void)state;
	assert_non_null(mkdtemp(directory));
	assert_int_equal(atexit(remove_directory), 0);
	snprintf(path, sizeof path, "%s/x.json", directory);
	assert_int_equal(filch__trace_begin(&t, path, 64, 1, why, sizeof why), 0);
	filch__events_add(&t->ring[0], FILCH__EVENT_TASK, filch__why_other, 0, name, 0);
	filch__trace_keep_name(name);
	name[0] = 0;
	assert_int_equal(filch__events_copy(&t->ring[0], &h, UINT64_MAX), 0);
	assert_string_equal(h.event[0].name, "borrowed");
	filch__history_free(&h);
	filch__trace_drop(t); /* nothing is left of it when the program ends */
}

static int play(const char *name)
{
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (!strcmp(name, parts[i].name))
			return parts[i].play();
	fprintf(stderr, "there is no part '%s'\n", name);
	return 2;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_newest_are_kept),
		cmocka_unit_test(test_refused_files),
		cmocka_unit_test(test_kept_names),
	};

	if (argc > 1)
		return play(argv[1]);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
