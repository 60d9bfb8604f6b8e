/* SPDX-License-Identifier: MIT */
#include "algo/crew.h"

#include <assert.h>
#include <errno.h>
#include <filch/group.h>
#include <filch/task.h>

#include "algo/hungry.h"

size_t filch__crew_block(size_t n, size_t most)
{
	size_t block = n / 64;

	return block > most ? most : block ? block : 1;
}

void filch__crew_stop(struct filch__crew *c, int result)
{
	int none = 0;

	assert(result);
	cas_rlx(&c->result, &none, result); /* read after the joins, or as a hint */
}

static bool some_left(const struct filch__crew *c)
{
	return load_rlx(&c->next) < c->blocks && /* a hint; do_next() decides */
	       !filch__crew_stopped(c);
}

/* Does the next block. Returns false if there is none. */
static bool do_next(struct filch__crew *c, void *mine)
{
	size_t b, begin, end;
	int r;

	if (!some_left(c))
		return false;
	b = add_rlx(&c->next, 1); /* gives each block to one member; orders nothing */
	if (b >= c->blocks)
		return false;
	filch__hungry_answer();
	begin = c->begin + b * c->block;
	assert(b >= c->first && begin < c->end);
	end = c->end - begin > c->block ? begin + c->block : c->end;
	r = filch_cancelled() ? -ECANCELED : c->run(c, b, begin, end, mine);
	if (r)
		filch__crew_stop(c, r);
	return true;
}

/* A member. Its spawn, which would be the next member, is for a hungry worker; if none
 * has taken it, the join runs it when no block is left. */
FILCH__DEFINE(FILCH__SHOWS_BEHIND, static, 0, void, attend, (struct filch__crew *, c))
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

	assert(c->begin < c->end && c->block && c->run);
	c->blocks = n / c->block + (n % c->block != 0);
	assert(c->first < c->blocks);
	store_rlx(&c->next, c->first); /* no other member yet */
	store_rlx(&c->result, 0);      /* no other member yet */
	filch__enter_pool_as(c->shown, attend_here, c);
	assert(!some_left(c));
	return load_rlx(&c->result); /* the joins order it */
}
