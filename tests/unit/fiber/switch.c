/* SPDX-License-Identifier: MIT */
/*
 * Switching between stacks: what a fiber is given, what it keeps while it is stopped, and
 * that it can go on on another thread.
 */
#include "tests/test.h"

#include <fenv.h>
#include <pthread.h>
#include <string.h>

#include "fiber/stack.h"
#include "fiber/switch.h"

#define SIZE ((size_t)256 << 10)

static struct filch__stacks pool;
static struct filch__stack_cache cache;

/* A fiber with its stack, and the one it goes back to. */
struct job {
	struct filch__fiber fiber;
	struct filch__fiber *back;
	struct filch__stack *stack;
	uint64_t value;
	int rounds;
};

static void job_init(struct job *j, struct filch__fiber *back, void (*fn)(void *))
{
	j->back = back;
	j->stack = filch__stack_take(&pool, &cache);
	assert_non_null(j->stack);
	filch__fiber_init(&j->fiber, j->stack->lo, j->stack->hi, fn, j);
}

static void job_destroy(struct job *j)
{
	filch__fiber_destroy(&j->fiber);
	filch__stack_give(&pool, &cache, j->stack);
}

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

static void count_rounds(void *arg)
{
	struct job *j = arg;

	for (int i = 1; i < j->rounds; i++) {
		j->value++;
		filch__fiber_switch(&j->fiber, j->back, false);
	}
	j->value++;
	filch__fiber_switch(&j->fiber, j->back, true);
}

static void test_back_and_forth(void **state)
{
	struct filch__fiber self;
	struct job j = {.rounds = 1000};

	(void)state;
	filch__fiber_adopt(&self);
	job_init(&j, &self, count_rounds);
	for (int i = 1; i <= j.rounds; i++) {
		filch__fiber_switch(&self, &j.fiber, false);
		assert_int_equal(j.value, i);
	}
	job_destroy(&j);
	filch__fiber_destroy(&self);
}

/* The stack is aligned as the ABI says, and it is the one that was given. */
static void look_around(void *arg)
{
	struct job *j = arg;
	_Alignas(16) volatile char here[16];
	char *frame = __builtin_frame_address(0);

	here[0] = 0;
	j->value = frame > j->stack->lo && frame < j->stack->hi;
	j->rounds = (int)((uintptr_t)here % 16);
	filch__fiber_switch(&j->fiber, j->back, true);
}

static void test_stack(void **state)
{
	struct filch__fiber self;
	struct job j = {.rounds = -1};

	(void)state;
	filch__fiber_adopt(&self);
	job_init(&j, &self, look_around);
	filch__fiber_switch(&self, &j.fiber, false);
	assert_int_equal(j.value, 1);
	assert_int_equal(j.rounds, 0);
	job_destroy(&j);
}

/* More live values than there are registers, of both kinds, all of them known only at
 * run time and all of them used again after the switch. */
#define VALUES 40

FILCH_NOINLINE static uint64_t churn(struct filch__fiber *from, struct filch__fiber *to,
                                     uint64_t seed)
{
	struct filch__random r = filch__random_seed(seed);
	uint64_t a[VALUES], sum = 0;
	double d[VALUES];
	long double x = (long double)seed;

	for (int i = 0; i < VALUES; i++) {
		a[i] = filch__random_next(&r);
		d[i] = (double)(a[i] >> 12);
	}
	for (int round = 0; round < 10; round++) {
		filch__fiber_switch(from, to, false);
		for (int i = 0; i < VALUES; i++) {
			a[i] = a[i] * 3 + (uint64_t)i;
			d[i] = d[i] / 2 + i;
		}
		x = x / 3 + 1;
	}
	for (int i = 0; i < VALUES; i++)
		sum += a[i] ^ (uint64_t)d[i];
	return sum ^ (uint64_t)(x * 1000);
}

static void churn_other(void *arg)
{
	struct job *j = arg;

	j->value = churn(&j->fiber, j->back, j->value);
	filch__fiber_switch(&j->fiber, j->back, true);
}

/* The result of churn() when nothing disturbs it: two fibers that switch to each other,
 * of which one does nothing else. */
static void idle(void *arg)
{
	struct job *j = arg;

	for (;;)
		filch__fiber_switch(&j->fiber, j->back, false);
}

static uint64_t churn_alone(uint64_t seed)
{
	struct filch__fiber self;
	struct job j = {0};
	uint64_t result;

	filch__fiber_adopt(&self);
	job_init(&j, &self, idle);
	result = churn(&self, &j.fiber, seed);
	job_destroy(&j);
	return result;
}

static void test_registers(void **state)
{
	uint64_t seed = test_seed();

	(void)state;
	for (uint64_t n = 0; n < 200; n++) {
		struct filch__fiber self;
		struct job j = {.value = seed + 2 * n};
		uint64_t mine;

		filch__fiber_adopt(&self);
		job_init(&j, &self, churn_other);
		mine = churn(&self, &j.fiber, seed + 2 * n + 1);
		filch__fiber_switch(&self, &j.fiber, false);
		job_destroy(&j);
		assert_int_equal(mine, churn_alone(seed + 2 * n + 1));
		assert_int_equal(j.value, churn_alone(seed + 2 * n));
	}
}

static void round_up_always(void *arg)
{
	struct job *j = arg;

	j->rounds = fegetround();
	fesetround(FE_UPWARD);
	filch__fiber_switch(&j->fiber, j->back, false);
	j->value = fegetround() == FE_UPWARD;
	filch__fiber_switch(&j->fiber, j->back, true);
}

/* A new fiber begins with the modes of who made it; from then on they are its own, or the
 * thread's, as FILCH_KEEP_FP says. */
static void test_fp_modes(void **state)
{
	struct filch__fiber self;
	struct job j = {0};

	(void)state;
	filch__fiber_adopt(&self);
	fesetround(FE_DOWNWARD);
	job_init(&j, &self, round_up_always);
	filch__fiber_switch(&self, &j.fiber, false);
	assert_int_equal(j.rounds, FE_DOWNWARD);
	assert_int_equal(fegetround(), FILCH_KEEP_FP ? FE_DOWNWARD : FE_UPWARD);
	fesetround(FE_TONEAREST);
	filch__fiber_switch(&self, &j.fiber, false);
	assert_int_equal(j.value, FILCH_KEEP_FP);
	fesetround(FE_TONEAREST);
	job_destroy(&j);
}

FILCH_NOINLINE static uint64_t dig(struct job *j, uint64_t depth)
{
	volatile uint64_t here[16];

	for (int i = 0; i < 16; i++)
		here[i] = depth;
	if (depth)
		here[3] += dig(j, depth - 1);
	else
		filch__fiber_switch(&j->fiber, j->back, false);
	return here[3];
}

static void dig_deep(void *arg)
{
	struct job *j = arg;

	j->value = dig(j, 400); /* some 100 KiB; more in sanitizer builds */
	filch__fiber_switch(&j->fiber, j->back, true);
}

static void test_deep(void **state)
{
	struct filch__fiber self;
	struct job j = {0};

	(void)state;
	filch__fiber_adopt(&self);
	job_init(&j, &self, dig_deep);
	filch__fiber_switch(&self, &j.fiber, false);
	assert_int_equal(j.value, 0);
	filch__fiber_switch(&self, &j.fiber, false);
	assert_int_equal(j.value, 400 * 401 / 2);
	job_destroy(&j);
}

/* Many stopped fibers at once, each of which goes on where it was. */
static void test_many(void **state)
{
	size_t n = TEST_SLOW_BUILD ? 500 : 10000; /* TSan has room for 8000 */
	struct job *jobs = calloc(n, sizeof(*jobs));
	struct filch__fiber self;

	(void)state;
	assert_non_null(jobs);
	filch__fiber_adopt(&self);
	for (size_t i = 0; i < n; i++) {
		jobs[i].rounds = 3;
		jobs[i].value = i;
		job_init(&jobs[i], &self, count_rounds);
	}
	for (int round = 1; round <= 3; round++)
		for (size_t i = 0; i < n; i++) {
			filch__fiber_switch(&self, &jobs[i].fiber, false);
			assert_int_equal(jobs[i].value, i + (size_t)round);
		}
	for (size_t i = 0; i < n; i++)
		job_destroy(&jobs[i]);
	free(jobs);
}

/* One fiber to the next, without going through the thread's own stack. */
static void pass_on(void *arg)
{
	struct job *j = arg;

	j->back = j->back ? j->back : &j[1].fiber;
	j->value = 1;
	filch__fiber_switch(&j->fiber, j->back, true);
}

static void test_chain(void **state)
{
	struct filch__fiber self;
	struct job j[20] = {0};

	(void)state;
	filch__fiber_adopt(&self);
	for (int i = 0; i < 20; i++)
		job_init(&j[i], i == 19 ? &self : NULL, pass_on);
	filch__fiber_switch(&self, &j[0].fiber, false);
	for (int i = 0; i < 20; i++) {
		assert_int_equal(j[i].value, 1);
		job_destroy(&j[i]);
	}
}

/* No promise, but a figure that README.md refers to. */
static void test_speed(void **state)
{
	enum { TURNS = 100000 };
	struct filch__fiber self;
	struct job j = {0};
	double best = 1e9;

	(void)state;
	filch__fiber_adopt(&self);
	job_init(&j, &self, idle);
	for (int run = 0; run < 10; run++) {
		uint64_t start = filch__now_ns();
		double each;

		for (int i = 0; i < TURNS; i++)
			filch__fiber_switch(&self, &j.fiber, false);
		each = (double)(filch__now_ns() - start) / (2 * TURNS);
		best = each < best ? each : best;
	}
	printf("%.2f ns a switch\n", best);
	job_destroy(&j);
}

/* Fibers stop on one thread and resume on another, one after the other or all at once. */
#define MOVERS 8

struct mover {
	struct job job[MOVERS];
	int next;
	pthread_mutex_t lock; /* of next */
};

static void *move(void *arg)
{
	struct mover *m = arg;
	struct filch__fiber self;

	filch__fiber_adopt(&self);
	for (;;) {
		struct job *j;
		int i;

		pthread_mutex_lock(&m->lock);
		i = m->next++;
		pthread_mutex_unlock(&m->lock);
		if (i >= MOVERS)
			break;
		j = &m->job[i];
		j->back = &self;
		filch__fiber_switch(&self, &j->fiber, false);
	}
	filch__fiber_destroy(&self);
	return NULL;
}

/* j->back is another one after each move. */
static void travel(void *arg)
{
	struct job *j = arg;
	volatile uint64_t local = 0;

	for (int i = 1; i < j->rounds; i++) {
		local = local + (uint64_t)i;
		j->value = local;
		filch__fiber_switch(&j->fiber, j->back, false);
	}
	filch__fiber_switch(&j->fiber, j->back, true);
}

static void test_migration(void **state)
{
	struct mover m = {.lock = PTHREAD_MUTEX_INITIALIZER};
	int rounds = TEST_SLOW_BUILD ? 20 : 100;

	(void)state;
	for (int i = 0; i < MOVERS; i++) {
		m.job[i].rounds = rounds;
		job_init(&m.job[i], NULL, travel);
	}
	for (int round = 1; round <= rounds; round++) {
		pthread_t t[2];

		m.next = 0;
		for (int i = 0; i < 2; i++)
			assert_int_equal(pthread_create(&t[i], NULL, move, &m), 0);
		for (int i = 0; i < 2; i++)
			pthread_join(t[i], NULL);
		for (int i = 0; i < MOVERS && round < rounds; i++)
			assert_int_equal(m.job[i].value, round * (round + 1) / 2);
	}
	for (int i = 0; i < MOVERS; i++)
		job_destroy(&m.job[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_back_and_forth, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_stack, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_registers, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_fp_modes, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_deep, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_many, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_chain, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_speed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_migration, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
