/* SPDX-License-Identifier: MIT */
/*
 * Pipelines: every item once through every stage, in order and one at a time where it is
 * serial, never more than tokens at once; items replaced, done with, dropped; stages that
 * fail, wait, spawn.
 */
#include <filch/for.h>
#include <filch/pipeline.h>
#include <string.h>

#include "tests/together.h"

#define ITEMS (TEST_SLOW_BUILD ? 90u : 300u)
#define STAGES 10

static struct filch_pool *pool;

struct item {
	unsigned number;
	unsigned passed; /* stages */
	int live;
};

/* The task of a run, and the observations made during it. */
struct job {
	unsigned items, stages, tokens;
	bool serial[STAGES];
	unsigned fail_at, fail_number; /* stage and item; stage 0: the first, ... */
	int fail;                      /* result */
	bool keep;                     /* the failing stage keeps its item */
	unsigned gone_at;              /* every third item ends there; 0: none */
	unsigned renew_at;             /* and is replaced by a copy there; 0: none */
	void (*also)(struct job *j, unsigned stage, struct item *x);
	struct filch_event hold;
	unsigned sleepers, most_sleepers;
	struct filch_mutex mutex; /* of what follows: */
	unsigned made, through, dropped, gone, under_way, most;
	unsigned next[STAGES], inside[STAGES], calls[STAGES];
	struct filch_stage stage[STAGES];
};

struct place {
	struct job *j;
	unsigned stage;
};

static struct item *item_new(unsigned number, unsigned passed)
{
	struct item *x = malloc(sizeof *x);

	*x = (struct item){number, passed, 1};
	return x;
}

static void item_free(struct item *x)
{
	CHECK(x->live == 1);
	x->live = 0;
	free(x);
}

/* For drop(), which has no context. */
static struct job *dropping;

static void drop(void *item)
{
	filch_mutex_lock(&dropping->mutex);
	dropping->dropped++;
	dropping->under_way--;
	filch_mutex_unlock(&dropping->mutex);
	if (((struct item *)item)->number == dropping->fail_number)
		filch_event_set(&dropping->hold);
	item_free(item);
}

static bool goes(const struct job *j, const struct item *x, unsigned stage)
{
	return j->gone_at && x->number % 3 == 1 && stage == j->gone_at;
}

/* The number of the item that comes next in a stage behind one where some are gone. */
static unsigned following(const struct job *j, unsigned stage, unsigned number)
{
	number++;
	if (j->gone_at && stage > j->gone_at && number % 3 == 1)
		number++;
	return number;
}

static void arrive(struct job *j, unsigned s, struct item *x)
{
	filch_mutex_lock(&j->mutex);
	j->calls[s]++;
	j->inside[s]++;
	if (j->serial[s]) {
		CHECK(j->inside[s] == 1);
		CHECK(j->next[s] == x->number);
		j->next[s] = following(j, s, x->number);
	}
	filch_mutex_unlock(&j->mutex);
	CHECK(x->live == 1);
	CHECK(x->passed == s);
	x->passed++;
}

static void depart(struct job *j, unsigned s, unsigned out, unsigned gone)
{
	filch_mutex_lock(&j->mutex);
	j->inside[s]--;
	j->through += out;
	j->gone += gone;
	j->under_way -= out + gone;
	filch_mutex_unlock(&j->mutex);
}

static bool fails(const struct job *j, unsigned s, unsigned number)
{
	return j->fail && s == j->fail_at && number == j->fail_number;
}

static int do_first(struct job *j, void **item)
{
	struct item *x;

	CHECK(!*item);
	if (j->made == j->items)
		return 0;
	x = item_new(j->made, 0);
	filch_mutex_lock(&j->mutex);
	j->made++;
	if (++j->under_way > j->most)
		j->most = j->under_way;
	filch_mutex_unlock(&j->mutex);
	*item = x;
	return 0;
}

static int do_stage(void **item, void *context)
{
	struct place *w = context;
	struct job *j = w->j;
	bool last = w->stage + 1 == j->stages, gone;
	struct item *x;

	if (!w->stage)
		do_first(j, item);
	x = *item;
	if (!x)
		return 0;
	arrive(j, w->stage, x);
	if (j->also)
		j->also(j, w->stage, x);
	if (fails(j, w->stage, x->number)) {
		depart(j, w->stage, 0, !j->keep);
		if (!j->keep) {
			item_free(x);
			*item = NULL;
		}
		return j->fail;
	}
	gone = goes(j, x, w->stage);
	if (j->renew_at && w->stage == j->renew_at && !last)
		*item = item_new(x->number, x->passed);
	if (*item != x || gone || last)
		item_free(x);
	if (gone && *item != x)
		item_free(*item);
	if (gone)
		*item = NULL;
	depart(j, w->stage, last && !gone, gone);
	return 0;
}

static int run_job(void *arg)
{
	struct job *j = arg;
	struct place place[STAGES];

	dropping = j;
	for (unsigned s = 0; s < j->stages; s++) {
		place[s] = (struct place){j, s};
		j->stage[s] =
			(struct filch_stage){j->serial[s] ? FILCH_SERIAL : FILCH_PARALLEL,
		                             do_stage, &place[s]};
	}
	return filch_pipeline(j->stage, j->stages, j->tokens, drop);
}

FILCH_STATIC_TASK(int, job_task, (struct job *, j))
{
	return run_job(j);
}

static void check_all(const struct job *j)
{
	assert_int_equal(j->under_way, 0);
	assert_int_equal(j->made, j->items);
	assert_int_equal(j->through + j->gone, j->items);
	assert_int_equal(j->dropped, 0);
	assert_true(!j->tokens || j->most <= j->tokens);
	for (unsigned s = 0; s < j->stages; s++)
		assert_int_equal(j->calls[s],
		                 j->items - (j->gone_at && s > j->gone_at ? j->gone : 0));
	all_right();
}

/* "spSP": stages. */
static struct job job_of(const char *stages, unsigned items, unsigned tokens)
{
	struct job j = {.items = items, .tokens = tokens};

	j.stages = (unsigned)strlen(stages);
	for (unsigned s = 0; s < j.stages; s++)
		j.serial[s] = stages[s] == 's';
	return j;
}

static const char *const shapes[] = {"s",   "sp",  "sps",        "spsps",
                                     "sss", "spp", "spppspspss", "sspp"};
#define SHAPES (sizeof shapes / sizeof *shapes)

/* ---- all goes well ---- */

static void with_each_shape(unsigned tokens,
                            void (*also)(struct job *, unsigned, struct item *))
{
	for (unsigned i = 0; i < SHAPES; i++) {
		struct job j = job_of(shapes[i], ITEMS, tokens);

		j.also = also;
		assert_int_equal(FILCH_RUN_ON(pool, job_task, &j), 0);
		check_all(&j);
	}
}

static void on_each_pool(void (*also)(struct job *, unsigned, struct item *))
{
	static const unsigned workers[] = {1, 2, 8}, tokens[] = {1, 2, 7, 1000, 0};

	for (unsigned w = 0; w < 3; w++) {
		pool = pool_of(workers[w]);
		for (unsigned t = 0; t < 5; t++)
			with_each_shape(tokens[t], also);
		assert_int_equal(filch_pool_destroy(pool), 0);
	}
}

static void plain(void **state)
{
	(void)state;
	on_each_pool(NULL);
}

static void yields(struct job *j, unsigned stage, struct item *x)
{
	(void)j;
	if ((stage + x->number) % 5 < 2)
		filch_yield();
}

static void stages_yield(void **state)
{
	(void)state;
	on_each_pool(yields);
}

static int count_up(size_t begin, size_t end, void *context)
{
	add_rlx((_Atomic(size_t) *)context, end - begin); /* a count */
	return 0;
}

FILCH_STATIC_TASK(unsigned, fib, (unsigned, n))
{
	if (n < 2)
		return n;
	FILCH_SPAWN(a, fib, n - 1);
	unsigned b = FILCH_CALL(fib, n - 2);
	return FILCH_JOIN(a) + b;
}

static void spawns(struct job *j, unsigned stage, struct item *x)
{
	_Atomic(size_t) n = 0;

	(void)j;
	if ((x->number + stage) % 8 == 0) {
		CHECK(filch_for(0, 100, count_up, &n) == 0);
		CHECK(load_rlx(&n) == 100); /* joined */
	} else if ((x->number + stage) % 8 == 1) {
		CHECK(fib(8) == 21);
	}
}

static void stages_spawn(void **state)
{
	(void)state;
	on_each_pool(spawns);
}

static int count_to_20(void **item, void *context)
{
	unsigned *n = context;

	if (++*n <= 20)
		*item = context;
	return 0;
}

static int counts(void **item, void *context)
{
	*(unsigned *)context += *item != NULL;
	return 0;
}

static void nests(struct job *j, unsigned stage, struct item *x)
{
	unsigned n = 0, sum = 0;
	struct filch_stage inner[] = {{FILCH_SERIAL, count_to_20, &n},
	                              {FILCH_SERIAL, counts, &sum}};

	(void)j;
	if ((x->number + stage) % 8)
		return;
	CHECK(filch_pipeline(inner, 2, 0, NULL) == 0);
	CHECK(sum == 20);
}

static void stages_nest(void **state)
{
	(void)state;
	on_each_pool(nests);
}

static void outside(void **state)
{
	(void)state;
	for (unsigned i = 0; i < SHAPES; i++) {
		struct job j = job_of(shapes[i], ITEMS, 0);

		assert_int_equal(run_job(&j), 0);
		check_all(&j);
	}
}

static void no_items(void **state)
{
	(void)state;
	pool = pool_of(2);
	for (unsigned i = 0; i < SHAPES; i++)
		for (unsigned items = 0; items < 3; items++) {
			struct job j = job_of(shapes[i], items, i % 3);

			assert_int_equal(FILCH_RUN_ON(pool, job_task, &j), 0);
			check_all(&j);
		}
	assert_int_equal(filch_pool_destroy(pool), 0);
}

static void replaced_and_gone(void **state)
{
	(void)state;
	for (unsigned workers = 1; workers <= 4; workers *= 2) {
		pool = pool_of(workers);
		for (unsigned i = 0; i < SHAPES; i++)
			for (unsigned at = 1; shapes[i][at]; at++) {
				struct job j = job_of(shapes[i], ITEMS, i % 4 * 3);

				j.gone_at = at;
				j.renew_at = (at + i) % 3;
				j.also = yields;
				assert_int_equal(FILCH_RUN_ON(pool, job_task, &j), 0);
				assert_int_equal(j.gone, ITEMS / 3);
				check_all(&j);
			}
		assert_int_equal(filch_pool_destroy(pool), 0);
	}
}

/* ---- waiting ---- */

/* All tokens are in the parallel stage at once, on any number of workers, or nobody would
 * go on. */
static void all_meet(struct job *j, unsigned stage, struct item *x)
{
	if (stage != 1 || x->number >= j->tokens)
		return;
	filch_mutex_lock(&j->mutex);
	if (++j->sleepers == j->tokens)
		filch_event_set(&j->hold);
	filch_mutex_unlock(&j->mutex);
	CHECK(filch_event_wait_until(&j->hold, filch_after(20 * FILCH_S)) == 0);
}

/* The first item is late, so that others have nothing to do for a while. */
static void all_meet_later(struct job *j, unsigned stage, struct item *x)
{
	if (stage == 0 && x->number % 16 == 0)
		filch_sleep(3 * FILCH_MS);
	all_meet(j, stage, x);
}

static void tokens_meet(void (*also)(struct job *j, unsigned stage, struct item *x))
{
	for (unsigned workers = 1; workers <= 4; workers++) {
		pool = pool_of(workers);
		for (unsigned tokens = 1; tokens <= 64; tokens *= 4) {
			struct job j = job_of("sps", 64, tokens);

			j.also = also;
			assert_int_equal(FILCH_RUN_ON(pool, job_task, &j), 0);
			assert_int_equal(j.sleepers, tokens);
			check_all(&j);
		}
		assert_int_equal(filch_pool_destroy(pool), 0);
	}
}

static void stages_wait(void **state)
{
	(void)state;
	tokens_meet(all_meet);
	tokens_meet(all_meet_later);
}

static void naps(struct job *j, unsigned stage, struct item *x)
{
	if (stage != 1)
		return;
	filch_mutex_lock(&j->mutex);
	if (++j->sleepers > j->most_sleepers)
		j->most_sleepers = j->sleepers;
	filch_mutex_unlock(&j->mutex);
	filch_sleep(((TEST_SLOW_BUILD ? 100 : 10) + x->number % 3) * FILCH_MS);
	filch_mutex_lock(&j->mutex);
	j->sleepers--;
	filch_mutex_unlock(&j->mutex);
}

static void stages_sleep(void **state)
{
	(void)state;
	for (unsigned workers = 1; workers <= 2; workers++) {
		struct job j = job_of("sps", 100, 20);

		pool = pool_of(workers);
		j.also = naps;
		assert_int_equal(FILCH_RUN_ON(pool, job_task, &j), 0);
		assert_int_equal(j.most_sleepers, 20);
		check_all(&j);
		assert_int_equal(filch_pool_destroy(pool), 0);
	}
}

/* The first stage waits for what another item does in the last. */
static void ping(struct job *j, unsigned stage, struct item *x)
{
	if (stage == 0 && x->number == 5)
		filch_event_wait(&j->hold);
	else if (stage == j->stages - 1 && x->number == 4)
		filch_event_set(&j->hold);
}

static void first_waits(void **state)
{
	(void)state;
	for (unsigned workers = 1; workers <= 4; workers++) {
		pool = pool_of(workers);
		for (unsigned i = 1; i < SHAPES; i++) {
			struct job j = job_of(shapes[i], 20, 2 + i);

			j.also = ping;
			assert_int_equal(FILCH_RUN_ON(pool, job_task, &j), 0);
			check_all(&j);
		}
		assert_int_equal(filch_pool_destroy(pool), 0);
	}
}

/* ---- failing ---- */

/* Later items than this one were begun while it was in this stage: they pass it if no
 * serial stage is to come. */
static void check_made(const struct job *j, unsigned stage, unsigned number)
{
	bool serial = false;

	for (unsigned s = stage; s < j->stages; s++)
		serial = serial || j->serial[s];
	assert_in_range(j->made, number + 1, serial ? number + j->tokens : j->items);
}

static void check_failed(const struct job *j, int result)
{
	assert_int_equal(result, j->fail);
	assert_int_equal(j->through + j->gone + j->dropped, j->made);
	assert_int_equal(j->under_way, 0);
	check_made(j, j->fail_at, j->fail_number);
	assert_true(j->most <= j->tokens);
	all_right();
}

static void fail_everywhere(const char *shape, unsigned tokens, bool keep)
{
	for (unsigned at = 0; shape[at]; at++)
		for (unsigned number = 0; number < ITEMS; number += 40) {
			struct job j = job_of(shape, ITEMS, tokens);

			j.fail = at % 2 ? -5 : 7;
			j.fail_at = at;
			j.fail_number = number;
			j.keep = keep;
			j.also = tokens % 2 ? yields : NULL;
			check_failed(&j, FILCH_RUN_ON(pool, job_task, &j));
		}
}

static void failing(void **state)
{
	static const unsigned workers[] = {1, 2, 8}, tokens[] = {1, 2, 5, 16};

	(void)state;
	for (unsigned w = 0; w < 3; w++) {
		pool = pool_of(workers[w]);
		for (unsigned i = 0; i < SHAPES; i++)
			for (unsigned t = 0; t < 4; t++)
				fail_everywhere(shapes[i], tokens[t], t % 2);
		assert_int_equal(filch_pool_destroy(pool), 0);
	}
}

/* One that is in a stage when it fails finishes that, and is dropped; so are those that
 * wait for their turn behind it. */
static void hold_0(struct job *j, unsigned stage, struct item *x)
{
	if (stage == 1 && x->number == 0)
		filch_event_wait(&j->hold);
}

static void parked_are_dropped(void **state)
{
	(void)state;
	for (unsigned workers = 1; workers <= 4; workers++) {
		struct job j = job_of("sps", ITEMS, 8);

		pool = pool_of(workers);
		j.fail = 3;
		j.fail_at = 1;
		j.fail_number = 7;
		j.keep = true;
		j.also = hold_0;
		assert_int_equal(FILCH_RUN_ON(pool, job_task, &j), 3);
		assert_int_equal(j.made, 8);
		assert_int_equal(j.dropped, 8);
		assert_int_equal(j.calls[2], 0);
		all_right();
		assert_int_equal(filch_pool_destroy(pool), 0);
	}
}

/* Without drop() nothing is called. */
static int one_item(void **item, void *context)
{
	*item = context;
	return 0;
}

static int three(void **item, void *context)
{
	(void)item;
	(void)context;
	return 3;
}

static void no_drop(void **state)
{
	int x;
	struct filch_stage stage[] = {{FILCH_SERIAL, one_item, &x},
	                              {FILCH_PARALLEL, three, NULL}};

	(void)state;
	assert_int_equal(filch_pipeline(stage, 2, 0, NULL), 3);
	assert_int_equal(filch_pipeline(stage, 2, 1, NULL), 3);
}

/* ---- cancelled ---- */

FILCH_STATIC_TASK_VOID(job_in_group, (struct job *, j), (int *, result))
{
	*result = run_job(j);
}

static struct filch_group group;

static void cancels(struct job *j, unsigned stage, struct item *x)
{
	if (stage == j->stages - 1 && x->number == 50)
		filch_group_cancel(&group);
}

FILCH_STATIC_TASK(int, cancelled_job, (struct job *, j))
{
	int result = 0;

	filch_group_begin(&group);
	FILCH_GROUP_SPAWN(&group, job_in_group, j, &result);
	filch_group_wait(&group);
	return result;
}

static void cancelled_group(void **state)
{
	(void)state;
	for (unsigned workers = 1; workers <= 4; workers++) {
		pool = pool_of(workers);
		for (unsigned i = 0; i < SHAPES; i++) {
			struct job j = job_of(shapes[i], ITEMS, 5);
			int r;

			j.also = cancels;
			r = FILCH_RUN_ON(pool, cancelled_job, &j);
			/* Before a parallel stage all others may pass the one that cancels. */
			if (r || j.serial[j.stages - 1])
				assert_int_equal(r, -ECANCELED);
			else
				assert_int_equal(j.through, j.items);
			check_made(&j, j.stages - 1, 50);
			assert_int_equal(j.through + j.dropped, j.made);
			all_right();
		}
		assert_int_equal(filch_pool_destroy(pool), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain),
		cmocka_unit_test(stages_yield),
		cmocka_unit_test(stages_spawn),
		cmocka_unit_test(stages_nest),
		cmocka_unit_test(outside),
		cmocka_unit_test(no_items),
		cmocka_unit_test(replaced_and_gone),
		cmocka_unit_test(stages_wait),
		cmocka_unit_test(stages_sleep),
		cmocka_unit_test(first_waits),
		cmocka_unit_test(failing),
		cmocka_unit_test(parked_are_dropped),
		cmocka_unit_test(no_drop),
		cmocka_unit_test(cancelled_group),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
