/* SPDX-License-Identifier: MIT */
#define FILCH_ASK_POLL 1
#include "algo/crew.h"

#include <errno.h>
#include <filch/group.h>
#include <filch/task.h>

#include "algo/enter.h"

void filch__crew_stop(struct filch__crew *c, int result)
{
	int none = 0;

	cas_rlx(&c->result, &none, result); /* read after the joins, or as a hint */
}

/* Does the next block. False if there is none. */
static bool do_next(struct filch__crew *c, void *mine)
{
	size_t b, begin, end;
	int r;

	if (load_rlx(&c->next) >= c->blocks || filch__crew_stopped(c)) /* the add tells */
		return false;
	b = add_rlx(&c->next, 1); /* only the number counts */
	if (b >= c->blocks)
		return false;
	filch__answer_polls();
	begin = c->begin + b * c->block;
	end = c->end - begin > c->block ? begin + c->block : c->end;
	r = !c->whole && filch_cancelled() ? -ECANCELED : c->run(c, b, begin, end, mine);
	if (r)
		filch__crew_stop(c, r);
	return true;
}

static bool some_left(const struct filch__crew *c)
{
	return load_rlx(&c->next) < c->blocks && /* a hint; do_next() tells */
	       !filch__crew_stopped(c);
}

/* The spawn is for whoever is hungry. If nobody was, its join comes here, when nothing is
 * left. */
FILCH_STATIC_TASK_VOID(attend, (struct filch__crew *, c))
{
	void *mine = NULL;

	if (!some_left(c) || (c->join && !c->join(c, &mine)))
		return;
	FILCH_SPAWN(other, attend, c);
	while (do_next(c, mine))
		;
	if (c->leave)
		c->leave(c, mine);
	FILCH_JOIN(other);
}

static void attend_here(void *c)
{
	attend(c);
}

int filch__crew_run(struct filch__crew *c)
{
	size_t n = c->end - c->begin;

	c->blocks = n / c->block + (n % c->block != 0);
	store_rlx(&c->next, c->first); /* nobody else yet */
	store_rlx(&c->result, 0);      /* nobody else yet */
	filch__enter_pool(attend_here, c);
	return load_rlx(&c->result); /* the joins order it */
}
