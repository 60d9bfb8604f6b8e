/* SPDX-License-Identifier: MIT */
/*
 * Filters. A crew takes blocks in order. If all blocks before a block are complete, the
 * place of its results in the caller's `out` is known, and they are written there; a
 * worker on its own always does that. Otherwise they are written aside, to memory that
 * stays in the cache, and the block is parked; the member that completes the block before
 * it moves them to their place. No member waits for another.
 *
 * The memory aside is scratch memory or, when there is no more of that, the place in
 * `out` that the block would have if all elements before it were kept. No earlier block
 * writes there, since the places of all earlier blocks end before it. The places of later
 * blocks may overlap it, so these blocks get no place until it has been moved.
 */
#include <filch/filter.h>

#include <assert.h>
#include <errno.h>
#include <filch/detail/wait.h>
#include <stdlib.h>
#include <string.h>

#include "algo/alone.h"
#include "algo/crew.h"
#include "base/cpu.h"
#include "base/lock.h"
#include "base/misuse.h"

#define BLOCK_MOST 8192

/* How many bytes of results stay in a core's own cache, and how many pieces of scratch
 * memory of that size there are at most. */
#define CACHED (size_t)(128 << 10)
#define SCRATCH_MOST 128

/* Memory for the results of one block. */
struct scratch {
	alignas(FILCH_LINE) struct scratch *next, *next_free;
	alignas(FILCH_LINE) char data[];
};

/* The results of a block that is complete, but not at its place. */
struct parked {
	char *at; /* where the results are; NULL: the block is not parked */
	size_t kept;
	struct scratch *scratch; /* that holds them; NULL: they are aside in `out` */
};

struct filter {
	struct filch__crew crew; /* first */
	int (*body)(size_t begin, size_t end, void *out, size_t *kept, void *context);
	void *context;
	char *out;   /* where all results go */
	char *aside; /* where the results of the crew's range would begin if all elements
	              * before it were kept */
	size_t size; /* of an element, in bytes */
	struct filch__lock lock; /* guards these: */
	size_t members;
	struct parked *parked; /* one for each block; NULL while there is one member */
	size_t front;          /* the first block whose results are not at their place */
	size_t kept;           /* how many elements are before that place */
	bool moving;           /* a member moves the block `front` within `out` */
	struct scratch *all, *free;
	size_t scratches; /* in `all`, or being allocated */
};

/* The second strand to join allocates the array of parked blocks; without the array it
 * cannot become a member. */
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
	assert(f->members);
	f->members--;
	filch__unlock(&f->lock);
}

/* Returns one more piece of scratch memory, which the caller has counted, or NULL. */
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
		assert(f->scratches);
		f->scratches--;
	}
	filch__unlock(&f->lock);
	return s;
}

/* Chooses where the results of the block are to be written. Returns true if that is their
 * final place. */
static bool choose(struct filter *f, size_t block, struct parked *p)
{
	bool more = false;

	filch__lock(&f->lock);
	assert(block >= f->front);
	if (block == f->front) {
		assert(!f->moving);
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

/* Caller: holds the lock. */
static void give_back(struct filter *f, struct scratch *s)
{
	s->next_free = f->free;
	f->free = s;
}

/* Moves the results of block `front`, which is parked, to their place. Results in scratch
 * memory have their place as soon as they are counted; results in `out` are in the way of
 * the next block until they have been moved. Caller: holds the lock, which is released
 * during the move. */
static void move_front(struct filter *f)
{
	struct parked p = f->parked[f->front];
	char *to = f->out + f->kept * f->size;

	assert(p.at && !f->moving);
	assert(p.scratch || to <= p.at);
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

/* The block is complete; perhaps it and blocks after it can be moved now. */
static void complete(struct filter *f, size_t block, const struct parked *p, bool placed)
{
	filch__lock(&f->lock);
	if (placed) {
		assert(block == f->front && !f->moving);
		f->kept += p->kept;
		f->front++;
	} else {
		assert(f->parked && !f->parked[block].at);
		f->parked[block] = *p;
	}
	while (f->parked && !f->moving && f->front < f->crew.blocks &&
	       f->parked[f->front].at)
		move_front(f);
	filch__unlock(&f->lock);
}

/* Has the body write the elements of [begin, end) that it keeps to p->at, and count
 * them. */
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
	size_t block = filch__crew_block(n, BLOCK_MOST);

	if (block > CACHED / size)
		block = CACHED / size;
	return block ? block : 1;
}

/* The caller filters alone, and then a crew filters the rest. */
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
	r = filch__crew_run(c);
	assert(!f->members && (r || f->front == c->blocks));
	return r;
}

int filch_filter(size_t begin, size_t end, void *out, size_t size, size_t *kept,
                 int (*body)(size_t begin, size_t end, void *out, size_t *kept,
                             void *context),
                 void *context)
{
	struct filter f = {
		.crew = {.shown = (filch__function *)body,
	                 .end = end,
	                 .run = filter_block,
	                 .join = join,
	                 .leave = leave},
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
