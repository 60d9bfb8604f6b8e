/* SPDX-License-Identifier: MIT */
/*
 * How long a task has been hidden shows in its mark: the oldest one can be dated, and is
 * old until the word of hunger changes.
 */
#undef FILCH__LISTING /* as a release has it: records are in no list */
#undef FILCH_EXACT
#include <filch.h>

#include "fiber/switch.h"
#include "strand/expose.h"
#include "strand/hunger.h"
#include "strand/worker.h"
#include "tests/test.h"

FILCH_STATIC_TASK(int, one)
{
	return 1;
}

static void pass_us(uint64_t us)
{
	uint64_t until = filch__ticks() + us * filch__ticks_per_us();

	while (filch__ticks() < until)
		;
}

static void change_the_word(void)
{
	if (filch__hunger_is_shown())
		filch__hunger_hide();
	else
		while (!filch__hunger_is_shown()) /* not too soon after the last change */
			filch__hunger_show();
}

/* Counts what is not as it should be, while the task's strand hides one task. */
static int look(struct filch__worker *w)
{
	int wrong = 0;

	filch__enter(w);
	wrong += filch__oldest(w) != FILCH__SEES_TASK; /* it was spawned just now */
	filch__date_oldest(w);
	wrong += filch__oldest(w) != FILCH__SEES_OLD;
	pass_us(2 * FILCH__OLD_US);
	wrong += filch__glance(w) != FILCH__SEES_OLD;
	change_the_word();
	wrong += filch__oldest(w) != FILCH__SEES_TASK;
	change_the_word();
	wrong += filch__oldest(w) != FILCH__SEES_OLD;
	filch__leave(w);
	return wrong;
}

FILCH_STATIC_TASK(int, hides)
{
	struct filch__worker *w = filch__worker_self();
	int wrong = 0;

	filch__enter(w);
	wrong += filch__oldest(w) != FILCH__SEES_NOTHING;
	filch__leave(w);
	for (int i = 0; i < 2; i++) { /* with both words */
		FILCH_SPAWN(x, one);
		wrong += look(w);
		wrong += FILCH_JOIN(x) != 1;
		change_the_word();
	}
	filch__enter(w);
	wrong += filch__oldest(w) != FILCH__SEES_NOTHING;
	filch__leave(w);
	return wrong;
}

static void dated(void **state)
{
	struct filch_pool_options o = {.workers = 1};
	struct filch_pool *p;

	(void)state;
	if (FILCH__ASAN)
		skip(); /* frames lie elsewhere */
	assert_int_equal(filch_pool_create(&p, &o, NULL), 0);
	assert_int_equal(FILCH_RUN_ON(p, hides), 0);
	assert_int_equal(filch_pool_destroy(p), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(dated)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
