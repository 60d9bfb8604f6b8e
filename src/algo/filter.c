/* SPDX-License-Identifier: MIT */
/*
 * Filters. A crew takes blocks in order. Where the place of a block's results is known,
 * since all blocks before it are complete, they are written there; one worker alone
 * always does. Otherwise they are written aside, to memory that stays in the cache, and
 * parked; who completes the block before moves them. Nobody waits for anybody.
 *
 * Aside is scratch memory, or, when there is no more of that, the place in the caller's
 * `out` that the block would have if all before it were kept. Nothing is written there
 * for earlier blocks, whose places all end before it. Later ones may come to lie there:
 * so they get no place until the block has been moved.
 */
#include <filch/filter.h>

#include <errno.h>
#include <filch/wait.h>
#include <stdlib.h>
#include <string.h>

#include "algo/alone.h"
#include "algo/block.h"
#include "algo/crew.h"
#include "base/cpu.h"
#include "sched/lock.h"
#include "sched/misuse.h"

#define BLOCK_MOST 8192

/* Bytes of results that stay in a core's own cache, and how many such pieces of scratch
 * memory there are at most. */
#define CACHED (size_t)(128 << 10)
#define SCRATCH_MOST 128

struct scratch {
	alignas(FILCH_LINE) struct scratch *next, *next_free;
	alignas(FILCH_LINE) char data[];
};

/* A block that is complete, but not at its place. */
struct parked {
	char *at; /* NULL: not so */
	size_t kept;
	struct scratch *scratch; /* that it is in; NULL: aside in `out` */
};

struct filter {
	struct filch__crew crew; /* first */
	int (*body)(size_t begin, size_t end, void *out, size_t *kept, void *context);
	void *context;
	char *out, *aside; /* where results are; where those of the crew's range would be
	                    * if all were kept */
	size_t size;
	struct filch__lock lock; /* of these: */
	size_t members;
	struct parked *parked; /* one for each block; NULL while there is one member */
	size_t front; /* the first block whose place its results do not have yet */
	size_t kept;  /* by the blocks before: its place */
	bool moving;  /* somebody moves that block within `out` */
	struct scratch *all, *free;
	size_t scratches;
};

static bool join(struct filch__crew *c, void **mine)
{
	struct filter *f = (struct filter *)c;
	struct parked *fresh = NULL;
	bool need, may;

	(void)mine;
	filch__lock(&f->lock);
	need = f->members && !f->parked;
	filch__unlock(&f->lock);
	if (need)
		fresh = calloc(c->blocks, sizeof *fresh);
	filch__lock(&f->lock);
	if (!f->parked) {
		f->parked = fresh;
		fresh = NULL;
	}
	may = !f->members || f->parked;
	f->members += may;
	filch__unlock(&f->lock);
	free(fresh);
	return may;
}

static void leave(struct filch__crew *c, void *mine)
{
	struct filter *f = (struct filter *)c;

	(void)mine;
	filch__lock(&f->lock);
	f->members--;
	filch__unlock(&f->lock);
}

/* One more, or NULL. */
static struct scratch *more_scratch(struct filter *f)
{
	size_t bytes = sizeof(struct scratch) + f->crew.block * f->size;
	struct scratch *s;

	bytes += -bytes % FILCH_LINE;
	s = aligned_alloc(FILCH_LINE, bytes);
	filch__lock(&f->lock);
	if (s) {
		s->next = f->all;
		f->all = s;
	} else {
		f->scratches--;
	}
	filch__unlock(&f->lock);
	return s;
}

/* Where the results of the block are to be written. True if that is their place. */
static bool choose(struct filter *f, size_t block, struct parked *p)
{
	bool more = false;

	filch__lock(&f->lock);
	if (block == f->front) {
		p->at = f->out + f->kept * f->size;
		filch__unlock(&f->lock);
		return true;
	}
	p->scratch = f->free;
	if (p->scratch)
		f->free = p->scratch->next_free;
	else
		more = f->scratches < SCRATCH_MOST;
	f->scratches += more;
	filch__unlock(&f->lock);
	if (more)
		p->scratch = more_scratch(f);
	p->at = p->scratch ? p->scratch->data
	                   : f->aside + block * f->crew.block * f->size;
	return false;
}

static void give_back(struct filter *f, struct scratch *s)
{
	s->next_free = f->free;
	f->free = s;
}

/* Moves the block in front, which is parked. Caller: holds the lock, which is released
 * meanwhile. What is in scratch memory has its place as soon as that is counted; what
 * is in `out` is in the way of the next until it has been moved. */
static void move_front(struct filter *f)
{
	struct parked p = f->parked[f->front];
	char *to = f->out + f->kept * f->size;

	f->kept += p.kept;
	if (p.scratch)
		f->front++;
	else
		f->moving = true;
	filch__unlock(&f->lock);
	memmove(to, p.at, p.kept * f->size);
	filch__lock(&f->lock);
	if (p.scratch) {
		give_back(f, p.scratch);
	} else {
		f->front++;
		f->moving = false;
	}
}

/* The block is complete, and perhaps others behind it can be moved now. */
static void complete(struct filter *f, size_t block, const struct parked *p, bool placed)
{
	filch__lock(&f->lock);
	if (placed) {
		f->kept += p->kept;
		f->front++;
	} else {
		f->parked[block] = *p;
	}
	while (f->parked && !f->moving && f->front < f->crew.blocks &&
	       f->parked[f->front].at)
		move_front(f);
	filch__unlock(&f->lock);
}

static int keep(struct filter *f, size_t begin, size_t end, struct parked *p)
{
	int r = f->body(begin, end, p->at, &p->kept, f->context);

	if (FILCH_UNLIKELY(!r && p->kept > end - begin))
		filch__misuse(
			"filch_filter",
			"the body kept %zu of a piece of %zu; count what it wrote to "
			"`out`",
			p->kept, end - begin);
	return r;
}

static int filter_block(struct filch__crew *c, size_t block, size_t begin, size_t end,
                        void *mine)
{
	struct filter *f = (struct filter *)c;
	struct parked p = {0};
	bool placed = choose(f, block, &p);
	int r = keep(f, begin, end, &p);

	(void)mine;
	if (!r)
		complete(f, block, &p, placed);
	return r;
}

static int filter_alone(size_t begin, size_t end, void *arg)
{
	struct filter *f = arg;
	struct parked p = {.at = f->out + f->kept * f->size};
	int r = keep(f, begin, end, &p);

	f->kept += p.kept;
	return r;
}

static size_t block_of(size_t n, size_t size)
{
	size_t block = filch__block(n, BLOCK_MOST);

	if (block > CACHED / size)
		block = CACHED / size;
	return block ? block : 1;
}

/* By the caller, and then by all. */
static int filter(struct filter *f, size_t begin)
{
	struct filch__crew *c = &f->crew;
	size_t n = 1;
	int r;

	c->begin = filch__alone(begin, c->end, filter_alone, f, &n, &r);
	if (c->begin == c->end)
		return r;
	f->aside = f->out + (c->begin - begin) * f->size;
	c->block = block_of(c->end - c->begin, f->size);
	return filch__crew_run(c);
}

int filch_filter(size_t begin, size_t end, void *out, size_t size, size_t *kept,
                 int (*body)(size_t begin, size_t end, void *out, size_t *kept,
                             void *context),
                 void *context)
{
	struct filter f = {
		.crew = {.end = end, .run = filter_block, .join = join, .leave = leave},
		.body = body,
		.context = context,
		.out = out,
		.size = size,
	};
	int r;

	if (begin > end || (!out && begin < end) || !size || !kept || !body)
		return -EINVAL;
	r = filter(&f, begin);
	if (!r)
		*kept = f.kept;
	while (f.all) {
		struct scratch *s = f.all;

		f.all = s->next;
		free(s);
	}
	free(f.parked);
	return r;
}
