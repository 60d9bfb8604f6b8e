/* SPDX-License-Identifier: MIT */
/* Marking in parallel, compiled for one kind of queue at a time. */
#include "queue/select.h"

struct QUEUE_ID(marker) {
	alignas(FILCH_LINE) QUEUE q;
	struct gc_crew *crew;
	struct QUEUE_ID(marker) * all; /* of the crew */
	size_t self;
	char *base;         /* of the heap */
	QUEUE_THIEF *thief; /* by victim */
	struct filch__random random;
	struct gc_stack overflow;
	struct gc_span span; /* the present cycle */
	uint64_t steals, overflowed;
	pthread_t thread;
};

/* Makes room for an object by moving the newest entries out of the queue. */
static FILCH_COLD void QUEUE_ID(overflow)(struct QUEUE_ID(marker) * m,
                                          struct gc_object *o)
{
	QUEUE_OWNER owner = QUEUE_FN(owner)(&m->q);
	size_t n = 0;
	filch_entry e;

	for (; n < GC_CHUNK && QUEUE_FN(get)(owner, &e) == FILCH_OK; n++)
		gc_stack_put(&m->overflow, e);
	if (QUEUE_FN(put)(owner, (filch_entry)o) != FILCH_OK) {
		gc_stack_put(&m->overflow, (filch_entry)o); /* thieves are still at it */
		n++;
	}
	m->overflowed += n;
}

static inline void QUEUE_ID(visit)(struct QUEUE_ID(marker) * m, uint32_t ref)
{
	struct gc_object *o = gc_object_at(m->base, ref);

	/* Relaxed: who sets the mark has the object, and it carries nothing else. */
	if (load_rlx(&o->mark) || xchg_rlx(&o->mark, 1)) /* as above */
		return;
	if (FILCH_UNLIKELY(QUEUE_FN(put)(QUEUE_FN(owner)(&m->q), (filch_entry)o) !=
	                   FILCH_OK))
		QUEUE_ID(overflow)(m, o);
}

/* From the last reference to the first, so that the first is the next to be scanned: it
 * was as a rule allocated next. */
static inline void QUEUE_ID(scan)(struct QUEUE_ID(marker) * m, filch_entry e)
{
	const struct gc_object *o = (struct gc_object *)e;

	for (uint32_t i = o->count; i-- > 0;)
		if (o->ref[i])
			QUEUE_ID(visit)(m, o->ref[i]);
}

/* Moves what overflowed back, where thieves find it. False if there was nothing. */
static bool QUEUE_ID(refill)(struct QUEUE_ID(marker) * m)
{
	QUEUE_OWNER owner = QUEUE_FN(owner)(&m->q);
	struct gc_stack *s = &m->overflow;
	bool any = s->n;

	for (size_t i = 0; i < GC_CHUNK && s->n; i++, s->n--)
		if (QUEUE_FN(put)(owner, s->entry[s->n - 1]) != FILCH_OK)
			break;
	return any;
}

static FILCH_NOINLINE void QUEUE_ID(drain)(struct QUEUE_ID(marker) * m)
{
	filch_entry e;

	do
		while (QUEUE_FN(get)(QUEUE_FN(owner)(&m->q), &e) == FILCH_OK)
			QUEUE_ID(scan)(m, e);
	while (QUEUE_ID(refill)(m));
}

/* Asks others, chosen at random, twice as often as there are. */
static bool QUEUE_ID(steal)(struct QUEUE_ID(marker) * m, filch_entry *e)
{
	size_t others = m->crew->run->markers - 1;

	for (size_t i = 0; i < 2 * others; i++) {
		size_t v = filch__random_below(&m->random, others);

		v += v >= m->self;
		if (QUEUE_FN(steal)(&m->thief[v], e) == FILCH_OK) {
			m->steals++;
			return true;
		}
	}
	return false;
}

/* Waits for something to steal, with nothing of its own. False if the cycle is over. */
static bool QUEUE_ID(find)(struct QUEUE_ID(marker) * m, filch_entry *e)
{
	unsigned turns = 0;

	while (!QUEUE_ID(steal)(m, e)) {
		if (gc_crew_idle(m->crew))
			return false;
		gc_wait(&turns);
		if (!gc_crew_busy(m->crew))
			return false;
	}
	return true;
}

static void QUEUE_ID(mark)(struct QUEUE_ID(marker) * m)
{
	const struct gc_heap *h = m->crew->run->heap;
	filch_entry e;

	for (size_t i = m->self; i < h->roots; i += m->crew->run->markers)
		QUEUE_ID(visit)(m, h->root[i]);
	QUEUE_ID(drain)(m);
	while (QUEUE_ID(find)(m, &e)) {
		QUEUE_ID(scan)(m, e);
		QUEUE_ID(drain)(m);
	}
}

/* By the first marker, when all are done. */
static void QUEUE_ID(end_cycle)(struct QUEUE_ID(marker) * all)
{
	struct gc_span span = all->span;

	for (size_t i = 1; i < all->crew->run->markers; i++) {
		if (all[i].span.begin < span.begin)
			span.begin = all[i].span.begin;
		if (all[i].span.end > span.end)
			span.end = all[i].span.end;
	}
	gc_crew_end(all->crew, span);
}

static void *QUEUE_ID(marker_main)(void *arg)
{
	struct QUEUE_ID(marker) *m = arg;

	bench_pin(m->self);
	for (size_t i = 0; i < m->crew->run->cycles; i++) {
		gc_crew_begin(m->crew);
		m->span.begin = filch__now_ns();
		QUEUE_ID(mark)(m);
		m->span.end = filch__now_ns();
		pthread_barrier_wait(&m->crew->barrier);
		if (m->self == 0)
			QUEUE_ID(end_cycle)(m);
	}
	return NULL;
}

static void QUEUE_ID(marker_init)(struct QUEUE_ID(marker) * m, struct gc_crew *crew)
{
	size_t n = crew->run->markers;

	m->crew = crew;
	m->base = crew->run->heap->base;
	m->random = filch__random_seed(m->self);
	m->thief = rounds_allocate(n, sizeof *m->thief);
	if (QUEUE_FN(init)(&m->q, &crew->run->queue))
		rounds_fail("there is not enough memory for a queue");
	for (size_t i = 0; i < n; i++)
		m->thief[i] = QUEUE_FN(thief)(&m->all[i].q, m->self * n + i);
}

static void QUEUE_ID(marker_destroy)(struct QUEUE_ID(marker) * m)
{
	QUEUE_FN(destroy)(&m->q);
	free(m->overflow.entry);
	free(m->thief);
}

struct gc_result QUEUE_ID(gc_mark)(const struct gc_run *run)
{
	struct QUEUE_ID(marker) *m = aligned_alloc(FILCH_LINE, run->markers * sizeof *m);
	struct gc_result sum = {0};
	struct gc_crew crew;

	if (!m)
		rounds_fail("there is not enough memory for the markers");
	gc_crew_init(&crew, run);
	memset(m, 0, run->markers * sizeof *m);
	for (size_t i = 0; i < run->markers; i++) {
		m[i].all = m;
		m[i].self = i;
		QUEUE_ID(marker_init)(&m[i], &crew);
	}
	for (size_t i = 0; i < run->markers; i++)
		if (pthread_create(&m[i].thread, NULL, QUEUE_ID(marker_main), &m[i]))
			rounds_fail("a thread cannot be started");
	for (size_t i = 0; i < run->markers; i++) {
		pthread_join(m[i].thread, NULL);
		sum.steals += m[i].steals;
		sum.overflowed += m[i].overflowed;
	}
	for (size_t i = 0; i < run->markers; i++)
		QUEUE_ID(marker_destroy)(&m[i]);
	free(m);
	sum.seconds = gc_crew_destroy(&crew);
	return sum;
}
