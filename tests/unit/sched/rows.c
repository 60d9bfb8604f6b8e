/* SPDX-License-Identifier: MIT */
/*
 * Which worker fires which timers, in pools of one row and of three: a busy worker, and the
 * lookout. The workers are only played; there are no threads.
 */
#include <string.h>

#include "base/clock.h"
#include "sched/lookout.h"
#include "sched/own.h"
#include "tests/test.h"

#define ROWS 3
#define WORKERS (ROWS * FILCH__ROW)
#define SECOND UINT64_C(1000000000)

static struct filch_pool pool;
static struct filch__timers timers[ROWS];
static struct filch__seat seat[WORKERS];
static struct filch__parker parker[WORKERS];
static struct filch__timer timer[ROWS];
static unsigned fired[ROWS];

static void note(struct filch__timer *t)
{
	fired[t - timer]++;
}

static void begin(uint32_t rows)
{
	pool = (struct filch_pool){.rows = rows,
	                           .workers = rows * FILCH__ROW,
	                           .cpus = rows * FILCH__ROW,
	                           .seat = seat,
	                           .timers = timers};
	filch__lot_init(&pool.lot, parker, pool.workers, filch__lookout_kick);
	memset(seat, 0, sizeof seat);
	memset(timer, 0, sizeof timer);
	memset(fired, 0, sizeof fired);
	for (uint32_t i = 0; i < rows; i++)
		filch__timers_init(&timers[i], filch__now_ns() - SECOND);
	for (uint32_t i = 0; i < pool.workers; i++) {
		seat[i].worker.pool = &pool;
		seat[i].worker.index = i;
		assert_int_equal(filch__own_init(&seat[i]), 0);
	}
}

static void end(void)
{
	for (uint32_t i = 0; i < pool.workers; i++)
		filch__own_destroy(&seat[i]);
}

/* Sets a timer of this row, which has been due for so long. */
static void set(uint32_t row, uint64_t ns)
{
	timer[row].in = &timers[row];
	timer[row].deadline = filch__now_ns() - ns;
	timer[row].fire = note;
	filch__lock(&timers[row].lock);
	filch__timer_set(&timer[row]);
	filch__unlock(&timers[row].lock);
}

static void look(uint32_t worker)
{
	for (uint32_t i = 0; i < ROWS; i++)
		filch__look(&seat[worker]);
}

static void own_row(void **state)
{
	(void)state;
	begin(ROWS);
	assert_ptr_equal(filch__timers(&pool, NULL), &timers[0]);
	assert_ptr_equal(filch__timers(&pool, &seat[WORKERS - 1].worker),
	                 &timers[ROWS - 1]);
	store_rlx(&pool.lookout, 1); /* another worker, which is asleep */
	set(1, SECOND / 2);
	look(FILCH__ROW);
	assert_int_equal(fired[1], 1);
	assert_int_equal(load_rlx(&pool.lookout), 1); /* as before */
	end();
}

static void late_row(void **state)
{
	(void)state;
	begin(ROWS);
	set(1, SECOND / 2);
	set(2, SECOND / 2);
	look(0);
	assert_int_equal(fired[1], 1);
	assert_int_equal(fired[2], 1);
	assert_int_equal(load_rlx(&pool.lookout), 0); /* nobody else is there */
	end();
}

/* A timer far off is nobody's business. */
static void nothing_due(void **state)
{
	(void)state;
	begin(ROWS);
	timer[1].in = &timers[1];
	timer[1].deadline = filch__now_ns() + 1000 * SECOND;
	timer[1].fire = note;
	filch__timer_set(&timer[1]);
	assert_true(filch__unwatched(&pool));
	assert_true(filch__next_timer(&pool) == load_rlx(&timers[1].earliest)); /* own */
	look(0);
	look(FILCH__ROW);
	assert_int_equal(fired[1], 0);
	assert_true(filch__timer_unset(&timer[1]));
	assert_false(filch__timer_unset(&timer[1]));
	end();
}

static void lookout(void **state)
{
	(void)state;
	begin(ROWS);
	for (uint32_t i = 0; i < ROWS; i++)
		set(i, 0);
	while (filch__now_ns() <= timer[ROWS - 1].deadline + (1u << FILCH__TICK_BITS))
		;
	assert_true(filch__lookout_take(&seat[0]));
	assert_false(filch__lookout_take(&seat[1]));
	filch__look(&seat[0]);
	for (uint32_t i = 0; i < ROWS; i++)
		assert_int_equal(fired[i], 1);
	filch__lookout_drop(&seat[0]);
	end();
}

/* In a pool of one row a busy worker fires nothing while there is a lookout. */
static void one_row(void **state)
{
	(void)state;
	begin(1);
	store_rlx(&pool.lookout, 1); /* another worker, which is asleep */
	set(0, SECOND / 2);
	look(1);
	assert_int_equal(fired[0], 0);
	store_rlx(&pool.lookout, 0); /* it is busy, too */
	look(1);
	assert_int_equal(fired[0], 1);
	end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(own_row),     cmocka_unit_test(late_row),
		cmocka_unit_test(nothing_due), cmocka_unit_test(lookout),
		cmocka_unit_test(one_row),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
