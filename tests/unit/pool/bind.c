/* SPDX-License-Identifier: MIT */
/*
 * FILCH_BIND: which pools have homes for their workers, and why others have none; bound
 * workers of real pools, and what a task of theirs starts.
 */
#include "pool/bind.h"

#include <filch/io.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/together.h"

/* ---- the decision ---- */

/* Without hwloc all processors are equally near, and no other machine can be described. */
static void needs_hwloc(void)
{
#ifdef FILCH_NO_HWLOC
	skip();
#endif
}

#define TWO "package:2 core:2 pu:1"
#define ONE "package:1 core:4 pu:1"

#define ANYWHERE "workers run anywhere"
#define NEAR "no effect: all processors are equally near"
#define UNKNOWN "no effect: the system does not tell the affinity"
#define SYNTHETIC "no effect: the topology may be that of another machine"
#define AFFINITY "no effect: the process has an affinity already"
#define WORKERS "no effect: there are not as many workers as processors"
#define OTHER "no effect: the workers of another pool have homes"
#define RETURN "workers return to one of 2 groups of processors each"
#define BOUND "workers are bound to one of 2 groups of processors each"

enum { AUTO = FILCH__BIND_AUTO, ON = FILCH__BIND_ON, OFF = FILCH__BIND_OFF };

static const struct {
	int bind;
	const char *machine;
	bool here;
	unsigned workers;
	unsigned long may; /* 0: not known */
	bool taken;
	enum filch__home_kind kind;
	const char *why;
} cases[] = {
	{AUTO, TWO, true, 4, 0xf, false, FILCH__HOME_FREE, RETURN},
	{AUTO, TWO, true, 3, 0xf, false, FILCH__HOME_NONE, WORKERS},
	{AUTO, TWO, true, 8, 0xf, false, FILCH__HOME_NONE, WORKERS},
	{AUTO, TWO, true, 1, 0xf, false, FILCH__HOME_NONE, WORKERS},
	{AUTO, TWO, true, 3, 0x7, false, FILCH__HOME_NONE, AFFINITY},
	{AUTO, TWO, true, 4, 0x7, false, FILCH__HOME_NONE, AFFINITY},
	{AUTO, TWO, true, 4, 0x1f, false, FILCH__HOME_NONE, AFFINITY},
	{AUTO, TWO, true, 4, 0x1e, false, FILCH__HOME_NONE, AFFINITY},
	{AUTO, TWO, true, 4, 0, false, FILCH__HOME_NONE, UNKNOWN},
	{AUTO, TWO, true, 4, 0xf, true, FILCH__HOME_NONE, OTHER},
	{AUTO, TWO, false, 4, 0xf, false, FILCH__HOME_NONE, SYNTHETIC},
	{AUTO, ONE, true, 4, 0xf, false, FILCH__HOME_NONE, NEAR},
	{ON, TWO, true, 4, 0xf, false, FILCH__HOME_BOUND, BOUND},
	{ON, TWO, true, 3, 0x7, true, FILCH__HOME_BOUND, BOUND},
	{ON, TWO, false, 64, 0x1, true, FILCH__HOME_BOUND, BOUND},
	{ON, TWO, true, 4, 0, false, FILCH__HOME_NONE, UNKNOWN},
	{ON, ONE, true, 4, 0xf, false, FILCH__HOME_NONE, NEAR},
	{OFF, TWO, true, 4, 0xf, false, FILCH__HOME_NONE, ANYWHERE},
	{OFF, ONE, true, 4, 0xf, false, FILCH__HOME_NONE, ANYWHERE},
};

static cpu_set_t set_of(unsigned long bits)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	for (size_t i = 0; i < 64; i++)
		if (bits >> i & 1)
			CPU_SET(i, &set);
	return set;
}

static void test_decision(void **state)
{
	(void)state;
	needs_hwloc();
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct filch__settings s = {.bind = (enum filch__bind)cases[i].bind,
		                            .workers = cases[i].workers};
		cpu_set_t may = set_of(cases[i].may);
		struct filch__topology t;
		char why[128];

		assert_int_equal(filch__topology_init(&t, cases[i].machine), 0);
		t.here = cases[i].here;
		assert_int_equal(filch__bind_decide(&s, &t, cases[i].may ? &may : NULL,
		                                    cases[i].taken, why, sizeof why),
		                 cases[i].kind);
		assert_string_equal(why, cases[i].why);
		filch__topology_destroy(&t);
	}
}

/* ---- real pools ---- */

static cpu_set_t all;

/* Two groups, of the even and of the odd processors of four, of which the machine may
 * have two. */
#define HALVES "numa:2 core:2 pu:1(indexes=0,2,1,3)"

static struct filch_pool *make(const char *bind, unsigned workers)
{
	struct filch_pool_options o = {
		.workers = workers, .topology = HALVES, .bind = bind};
	struct filch_pool *p;
	const char *why = "";

	if (filch_pool_create(&p, &o, &why))
		fail_msg("%s", why);
	return p;
}

static int begin(void **state)
{
	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
	return 0;
}

static int end(void **state)
{
	(void)state;
	assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
	return 0;
}

static void worker_mask(struct filch_pool *p, unsigned i, cpu_set_t *set)
{
	CPU_ZERO(set);
	pthread_getaffinity_np(p->seat[i].worker.thread.id, sizeof *set, set);
}

/* Processors of a group that there are; all, if there are none. */
static cpu_set_t group_mask(unsigned long group)
{
	cpu_set_t set = set_of(group);

	CPU_AND(&set, &set, &all);
	return CPU_COUNT(&set) ? set : all;
}

static int spin(size_t from, size_t to, void *context)
{
	uint64_t until = filch__now_ns() + 1000 * (to - from);

	(void)context;
	while (filch__now_ns() < until)
		;
	return 0;
}

FILCH_STATIC_TASK_VOID(loops)
{
	for (int i = 0; i < 20; i++) {
		CHECK(filch_for(0, 1000, spin, NULL) == 0);
		filch_sleep(FILCH_MS);
	}
}

/* Worker i has the mask of its group. Which group is first depends on where the pool was
 * made. A worker that was called may be steered for a moment. */
static void masks_are_right(struct filch_pool *p)
{
	bool odd_first = p->seat[0].home.kind == FILCH__HOME_BOUND &&
	                 filch__pool_whole(p)->topology.first == 2;
	cpu_set_t set, want;

	for (unsigned i = 0; i < p->workers; i++) {
		want = group_mask((i / 2 % 2 == 1) != odd_first ? 0xa : 0x5);
		do
			worker_mask(p, i, &set);
		while (!CPU_EQUAL(&set, &want) && load_rlx(&p->seat[i].calls.steered));
		worker_mask(p, i, &set);
		assert_true(CPU_EQUAL(&set, &want));
	}
}

static void wait_until_bound(struct filch_pool *p)
{
	for (unsigned i = 0; i < p->workers; i++) {
		const struct filch__home *h = &p->seat[i].home;
		cpu_set_t set;

		do
			worker_mask(p, i, &set);
		while (h->kind == FILCH__HOME_BOUND && !CPU_EQUAL(&set, &h->at) &&
		       !usleep(100));
	}
}

static void test_on(void **state)
{
	struct filch_pool *p;

	(void)state;
	needs_hwloc();
	p = make("on", 6);
	wait_until_bound(p);
	masks_are_right(p);
	FILCH_RUN_ON(p, loops);
	filch_sleep(20 * FILCH_MS);
	wait_until_bound(p);
	masks_are_right(p);
	assert_int_equal(filch_pool_destroy(p), 0);
	all_right();
}

/* Auto does not believe that this machine is like this, and off is off. */
static void test_not_on(void **state)
{
	static const char *const binds[] = {"auto", "off", NULL};
	cpu_set_t set;

	(void)state;
	needs_hwloc();
	for (int k = 0; k < 3; k++) {
		struct filch_pool *p = make(binds[k], 4);

		FILCH_RUN_ON(p, loops);
		for (unsigned i = 0; i < 4; i++) {
			assert_int_equal(p->seat[i].home.kind, FILCH__HOME_NONE);
			do
				worker_mask(p, i, &set);
			while (!CPU_EQUAL(&set, &all) && !usleep(100));
		}
		assert_int_equal(filch_pool_destroy(p), 0);
	}
}

/* As by `taskset -c 0`: nobody leaves what the process may use. */
static void test_taskset(void **state)
{
	cpu_set_t one, set;
	size_t first = 0;

	(void)state;
	needs_hwloc();
	while (!CPU_ISSET(first, &all))
		first++;
	CPU_ZERO(&one);
	CPU_SET(first, &one);
	assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
	for (int on = 0; on < 2; on++) {
		struct filch_pool *p = make(on ? "on" : NULL, 4);

		FILCH_RUN_ON(p, loops);
		for (unsigned i = 0; i < 4; i++) {
			worker_mask(p, i, &set);
			assert_true(CPU_EQUAL(&set, &one));
		}
		assert_int_equal(filch_pool_destroy(p), 0);
	}
	all_right();
}

/* The first pool that has homes keeps others from having some, until it ends. */
static void test_one_pool(void **state)
{
	struct filch_pool *first, *second;

	(void)state;
	needs_hwloc();
	first = make("on", 2);
	second = make("on", 2);
	assert_true(filch__pool_whole(first)->bound.took);
	assert_false(filch__pool_whole(second)->bound.took);
	assert_int_equal(filch_pool_destroy(second), 0);
	assert_int_equal(filch_pool_destroy(first), 0);
	first = make("off", 2);
	assert_false(filch__pool_whole(first)->bound.took);
	second = make("on", 2);
	assert_true(filch__pool_whole(second)->bound.took);
	assert_int_equal(filch_pool_destroy(first), 0);
	assert_int_equal(filch_pool_destroy(second), 0);
}

/* ---- what a bound worker starts ---- */

static bool has_all(void)
{
	cpu_set_t set;

	return !sched_getaffinity(0, sizeof set, &set) && CPU_EQUAL(&set, &all);
}

static void *look(void *arg)
{
	*(bool *)arg = has_all();
	return arg;
}

FILCH_STATIC_TASK_VOID(starts)
{
	bool helper_has = false;
	int status = 1;
	pid_t pid;

	filch_blocking(look, &helper_has);
	CHECK(helper_has);
	pid = fork();
	if (!pid)
		_exit(has_all() ? 0 : 1);
	CHECK(waitpid(pid, &status, 0) == pid && status == 0);
}

static void test_children(void **state)
{
	struct filch_pool *p;

	(void)state;
	needs_hwloc();
	p = make("on", 4);
	wait_until_bound(p);
	for (int i = 0; i < 10; i++)
		FILCH_RUN_ON(p, starts);
	assert_int_equal(filch_pool_destroy(p), 0);
	all_right();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_decision),
		cmocka_unit_test_setup_teardown(test_on, begin, end),
		cmocka_unit_test_setup_teardown(test_not_on, begin, end),
		cmocka_unit_test_setup_teardown(test_taskset, begin, end),
		cmocka_unit_test_setup_teardown(test_one_pool, begin, end),
		cmocka_unit_test_setup_teardown(test_children, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
