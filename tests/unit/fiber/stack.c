/* SPDX-License-Identifier: MIT */
/*
 * The pool of stacks: guards that stop an overflow, at each level; who gets which stack;
 * and what memory is given back.
 */
#include "tests/test.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fiber/stack.h"

#define SIZE ((size_t)256 << 10)

static struct filch__stacks pool;
static struct filch__stack_cache cache;

static int set_up(void **state)
{
	(void)state;
	return filch__stacks_init(&pool, SIZE);
}

static int tear_down(void **state)
{
	(void)state;
	filch__stack_cache_flush(&pool, &cache);
	filch__stacks_destroy(&pool);
	return 0;
}

static struct filch__stack *take(void)
{
	struct filch__stack *s = filch__stack_take(&pool, &cache);

	assert_non_null(s);
	return s;
}

static void give(struct filch__stack *s)
{
	filch__stack_give(&pool, &cache, s);
}

static void die_well(int sig)
{
	_exit(sig == SIGSEGV ? 42 : 43);
}

/* Whether a write there faults, in a child that ends at once. */
static int faults(volatile char *address)
{
	pid_t child = fork();
	int status;

	assert_true(child >= 0);
	if (!child) {
		signal(SIGSEGV, die_well);
		signal(SIGBUS, die_well);
		*address = 1;
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status) == 42;
}

static void check_guard(const struct filch__stack *s, int expected)
{
	assert_false(faults(s->lo));
	assert_false(faults(s->hi - 1));
	assert_int_equal(faults(s->lo - 1), expected);
	assert_int_equal(faults(s->lo - pool.guard), expected);
}

static void test_sizes(void **state)
{
	static struct filch__stacks p;

	(void)state;
	assert_int_equal(filch__stacks_init(&p, 0), -EINVAL);
	assert_int_equal(filch__stacks_init(&p, FILCH__STACK_MIN - 1), -EINVAL);
	assert_int_equal(filch__stacks_init(&p, SIZE_MAX), -EINVAL);
	assert_int_equal(filch__stacks_init(&p, FILCH__STACK_MIN + 1), 0);
	assert_true(p.size > FILCH__STACK_MIN);
	assert_int_equal(p.size % (size_t)sysconf(_SC_PAGESIZE), 0);
	filch__stacks_destroy(&p);
}

static void test_range(void **state)
{
	struct filch__stack *s[20];

	(void)state;
	for (int i = 0; i < 20; i++) {
		s[i] = take();
		assert_true((size_t)(s[i]->hi - s[i]->lo) > SIZE - 2048);
		assert_int_equal((uintptr_t)s[i]->hi % 16, 0);
		memset(s[i]->lo, i, (size_t)(s[i]->hi - s[i]->lo));
	}
	for (int i = 0; i < 20; i++) {
		assert_int_equal(*s[i]->lo, i);
		assert_int_equal(s[i]->hi[-1], i);
		give(s[i]);
	}
}

/* The kind of guard that this kernel offers: markers since Linux 6.13. */
static void test_guard(void **state)
{
	struct filch__stack *s = take();

	(void)state;
	printf("guard level %u\n", load_rlx(&pool.level)); /* one thread */
	assert_int_equal(s->guard, load_rlx(&pool.level)); /* one thread */
	check_guard(s, s->guard != FILCH__GUARD_NONE);
	give(s);
}

static void test_guard_protected(void **state)
{
	struct filch__stack *s;

	(void)state;
	store_rlx(&pool.level, FILCH__GUARD_PROTECTED); /* one thread */
	s = take();
	assert_int_equal(s->guard, FILCH__GUARD_PROTECTED);
	check_guard(s, 1);
	give(s);
}

static void test_guard_none(void **state)
{
	struct filch__stack *s, *t;

	(void)state;
	store_rlx(&pool.level, FILCH__GUARD_NONE); /* one thread */
	s = take();
	t = take();
	assert_int_equal(s->guard, FILCH__GUARD_NONE);
	check_guard(s, 0);
	check_guard(t, 0);
	assert_true(load_rlx(&pool.unguarded) >= 2); /* one thread */
	give(s);
	give(t);
}

/* When the mappings are used up, stacks still come, and the pool says that they have
 * no guard. */
static void test_guards_run_out(void **state)
{
	struct filch__stack *s[20];

	(void)state;
	store_rlx(&pool.level, FILCH__GUARD_PROTECTED); /* one thread */
	store_rlx(&pool.guards_most, 10);               /* one thread */
	for (int i = 0; i < 20; i++)
		s[i] = take();
	assert_int_equal(load_rlx(&pool.level), FILCH__GUARD_NONE);  /* one thread */
	assert_int_equal(load_rlx(&pool.level_why), -ENOMEM);        /* one thread */
	assert_int_equal(pool.made - load_rlx(&pool.unguarded), 10); /* one thread */
	for (int i = 0; i < 20; i++)
		give(s[i]);
}

static void test_of_guard(void **state)
{
	struct filch__stack *s[200];
	int local;

	(void)state;
	for (int i = 0; i < 200; i++) /* more than one slab */
		s[i] = take();
	for (int i = 0; i < 200; i++) {
		assert_ptr_equal(filch__stack_of_guard(&pool, s[i]->lo - 1), s[i]);
		assert_ptr_equal(filch__stack_of_guard(&pool, s[i]->lo - pool.guard),
		                 s[i]);
		assert_null(filch__stack_of_guard(&pool, s[i]->lo));
		assert_null(filch__stack_of_guard(&pool, s[i]->hi));
	}
	assert_null(filch__stack_of_guard(&pool, &local));
	assert_null(filch__stack_of_guard(&pool, NULL));
	for (int i = 0; i < 200; i++)
		give(s[i]);
}

/* In a signal handler on another stack, as the runtime will do it. */
static struct filch__stack *victim;

static void name_it(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	(void)context;
	_exit(filch__stack_of_guard(&pool, info->si_addr) == victim ? 42 : 43);
}

static void test_of_guard_in_handler(void **state)
{
	static char other[65536];
	struct sigaction act = {.sa_sigaction = name_it,
	                        .sa_flags = SA_SIGINFO | SA_ONSTACK};
	stack_t alternative = {.ss_sp = other, .ss_size = sizeof(other)};
	pid_t child;
	int status;

	(void)state;
	victim = take();
	child = victim->guard == FILCH__GUARD_NONE ? -1 : fork();
	if (!child) {
		sigaltstack(&alternative, NULL);
		sigaction(SIGSEGV, &act, NULL);
		((volatile char *)victim->lo)[-8] = 1;
		_exit(0);
	}
	if (child > 0) {
		waitpid(child, &status, 0);
		assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 42);
	}
	give(victim);
}

static void test_reuse(void **state)
{
	struct filch__stack *s = take(), *t;

	(void)state;
	give(s);
	t = take();
	assert_ptr_equal(s, t); /* the one whose pages are warm */
	give(t);
}

/* An idle worker fills its cache once. */
static void test_prepare(void **state)
{
	struct filch__stack *s;
	size_t made;

	(void)state;
	assert_true(filch__stack_prepare(&pool, &cache));
	assert_true(cache.count > 1);
	assert_false(filch__stack_prepare(&pool, &cache));
	made = pool.made;
	s = take();
	assert_int_equal(pool.made, made);
	give(s);
}

/* A cache keeps so many; the rest goes to the pool, and comes back from there. */
static void test_cache(void **state)
{
	struct filch__stack *s[300];
	struct filch__stack_cache other = {0};
	size_t made;

	(void)state;
	for (int i = 0; i < 300; i++)
		s[i] = take();
	for (int i = 0; i < 300; i++) {
		give(s[i]);
		assert_true(cache.count <= FILCH__STACK_CACHE);
	}
	made = pool.made;
	assert_int_equal(load_rlx(&pool.spare) + cache.count, made);
	filch__stack_cache_flush(&pool, &cache);
	assert_int_equal(load_rlx(&pool.spare), made);
	for (int i = 0; i < 300; i++)
		s[i] = filch__stack_take(&pool, &other);
	assert_int_equal(pool.made, made);
	for (int i = 0; i < 300; i++) /* given where it was not taken */
		filch__stack_give(&pool, i % 2 ? &cache : &other, s[i]);
	filch__stack_cache_flush(&pool, &other);
}

static size_t resident(const struct filch__stack *s)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	unsigned char in[SIZE / 1024];
	size_t n = 0;

	assert_int_equal(mincore(s->lo, pool.size, in), 0);
	for (size_t i = 0; i < pool.size / page; i++)
		n += in[i] & 1;
	return n * page;
}

/* Stacks that go back to the pool keep everything until they are tended; then their top,
 * but for the few that are kept warm. A guard stays a guard. */
static void test_trim(void **state)
{
	enum { N = 200 };
	struct filch__stack *s[N];
	size_t total = 0;

	(void)state;
	for (int i = 0; i < N; i++) {
		s[i] = take();
		memset(s[i]->lo, 1, (size_t)(s[i]->hi - s[i]->lo));
	}
	for (int i = 0; i < N; i++)
		give(s[i]);
	assert_true(resident(s[N - 1]) > SIZE / 2);
	filch__stack_cache_flush(&pool, &cache);
	assert_true(resident(s[0]) > SIZE / 2);
	while (filch__stacks_tend(&pool))
		;
	for (int i = 0; i < N; i++)
		total += resident(s[i]);
	printf("%zu KiB resident of %zu\n", total >> 10, N * SIZE >> 10);
	/* An emulator may know of no pages. */
	if (total != N * SIZE)
		assert_true(total <= 64 * SIZE + (N - 64) * ((size_t)16 << 10));
	check_guard(s[0], s[0]->guard != FILCH__GUARD_NONE);
	check_guard(s[N - 1], s[N - 1]->guard != FILCH__GUARD_NONE);
}

static size_t status_kib(const char *name)
{
	FILE *f = fopen("/proc/self/status", "r");
	char line[256];
	size_t kib = 0;

	assert_non_null(f);
	while (fgets(line, sizeof(line), f))
		if (!strncmp(line, name, strlen(name)))
			kib = strtoull(line + strlen(name), NULL, 10);
	fclose(f);
	return kib;
}

/* Pages and page tables of many stacks of which little is used. */
static void cost(size_t size, size_t n)
{
	static struct filch__stacks p;
	struct filch__stack_cache c = {0};
	struct filch__stack **s = malloc(n * sizeof(*s)); /* its pages count, too */
	size_t before, after;

	assert_non_null(s);
	assert_int_equal(filch__stacks_init(&p, size), 0);
	before = status_kib("VmRSS:") + status_kib("VmPTE:");
	for (size_t i = 0; i < n; i++) {
		s[i] = filch__stack_take(&p, &c);
		assert_non_null(s[i]);
		memset(s[i]->hi - 1024, 1, 1024);
	}
	after = status_kib("VmRSS:") + status_kib("VmPTE:");
	printf("%zu stacks of %zu KiB: %zu bytes each\n", n, size >> 10,
	       (after - before) * 1024 / n);
	if (!TEST_SLOW_BUILD &&
	    load_rlx(&p.level) == FILCH__GUARD_MARKER) /* one thread */
		assert_true((after - before) * 1024 / n <= 9 * 1024);
	for (size_t i = 0; i < n; i++)
		filch__stack_give(&p, &c, s[i]);
	filch__stack_cache_flush(&p, &c);
	filch__stacks_destroy(&p);
	free(s);
}

static void test_cost(void **state)
{
	(void)state;
	cost((size_t)64 << 10, test_scaled(20000));
	cost((size_t)256 << 10, test_scaled(20000));
	cost((size_t)8 << 20, test_scaled(4000));
}

struct trader {
	pthread_t thread;
	uint64_t seed;
};

/* Takes and gives in bursts, and finds in each stack what it wrote there. */
static void *trade(void *arg)
{
	struct trader *me = arg;
	struct filch__random r = filch__random_seed(me->seed);
	struct filch__stack_cache c = {0};
	struct filch__stack *s[100];

	for (size_t round = test_scaled(400); round; round--) {
		size_t n = filch__random_below(&r, 100);

		for (size_t i = 0; i < n; i++) {
			s[i] = filch__stack_take(&pool, &c);
			if (!s[i])
				abort();
			memcpy(s[i]->hi - 8, &me->seed, 8);
		}
		for (size_t i = 0; i < n; i++) {
			if (memcmp(s[i]->hi - 8, &me->seed, 8))
				abort();
			filch__stack_give(&pool, &c, s[i]);
		}
	}
	filch__stack_cache_flush(&pool, &c);
	return NULL;
}

static void test_threads(void **state)
{
	struct trader t[4];

	(void)state;
	for (uint64_t i = 0; i < 4; i++) {
		t[i].seed = test_seed() + i;
		assert_int_equal(pthread_create(&t[i].thread, NULL, trade, &t[i]), 0);
	}
	for (int i = 0; i < 4; i++)
		pthread_join(t[i].thread, NULL);
	assert_int_equal(load_rlx(&pool.spare), pool.made);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_sizes),      TEST(test_range),
		TEST(test_guard),      TEST(test_guard_protected),
		TEST(test_guard_none), TEST(test_guards_run_out),
		TEST(test_of_guard),   TEST(test_of_guard_in_handler),
		TEST(test_reuse),      TEST(test_cache),
		TEST(test_prepare),    TEST(test_trim),
		TEST(test_cost),       TEST(test_threads),
	};
#undef TEST

	return cmocka_run_group_tests(tests, NULL, NULL);
}
