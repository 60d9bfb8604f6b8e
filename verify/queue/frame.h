/* SPDX-License-Identifier: MIT */
/*
 * What clients of a queue share. FILCH_QUEUE is its kind; the real source is included
 * here, so that it is checked as it stands.
 *
 * Items are powers of two, so that a sum of them tells which there are: at the end, what
 * was put is what the owner got and the thieves stole, each once. The owner of a FIFO
 * queue gets in the order in which it put.
 */
#ifndef VERIFY_QUEUE_FRAME_H
#define VERIFY_QUEUE_FRAME_H

#include "client.h"
#include "queue/select.h"

/* Spaces would be part of the name. */
/* clang-format off */
#define SOURCE_(kind) FILCH__STRING(queue/kind.c)
/* clang-format on */
#define SOURCE(kind) SOURCE_(kind)

#include "queue/order.c"
#include "queue/queue.c"
#include SOURCE(FILCH_QUEUE)

#define THIEVES 4
#define FIRST (UINT64_C(1) << 50) /* unlike any count, level, word or pointer */
#define TITLE(folder_and_name) folder_and_name "." QUEUE_NAME

/* What a thread keeps from one operation to the next. */
struct worker {
	QUEUE_THIEF thief;
	uint64_t taken; /* items */
	filch_entry last;
	uint32_t steals, result; /* steals: or gets */
};

struct state {
	QUEUE q;
	uint64_t next, in; /* the owner's */
	struct worker owner, thief[THIEVES];
	client_thread thread[THIEVES];
	int thieves;
};

static struct state *s;

/* The order in which the owner gets. */
enum { LIFO, FIFO };
enum {
#define ORDER_OF(kind, order, text) ORDER_##kind = order,
	FILCH_QUEUE_KINDS(ORDER_OF)
#undef ORDER_OF
};
#define IS_FIFO ((int)QUEUE_ID(ORDER) == (int)FIFO)

static void begin(struct state *state, const struct filch_queue_options *options)
{
	s = state;
	if (QUEUE_FN(init)(&s->q, options))
		CHECK(!"the queue was made");
	s->next = FIRST;
}

static void keep(struct worker *w, filch_entry e)
{
	CHECK(e && !(e & (e - 1)));
	CHECK(!(w->taken & e));
	KEPT(e);
	w->taken |= e;
}

/* ---- the owner ---- */

static enum filch_result put_one(void)
{
	QUEUE_OWNER owner = {&s->q};
	filch_entry e = s->next;
	enum filch_result r;

	s->next <<= 1;
	r = QUEUE_FN(put)(owner, e);
	if (r == FILCH_OK)
		s->in |= e;
	s->owner.result = r;
	STEP_ALL();
	return r;
}

static enum filch_result get_one(void)
{
	QUEUE_OWNER owner = {&s->q};
	filch_entry e = 0;
	enum filch_result r = QUEUE_FN(get)(owner, &e);

	if (r == FILCH_OK) {
		keep(&s->owner, e);
		if (IS_FIFO)
			CHECK(e > s->owner.last);
		s->owner.last = e;
	}
	s->owner.steals++;
	s->owner.result = r;
	STEP_ALL();
	return r;
}

static inline void put(int n)
{
	while (n-- > 0)
		put_one();
}

static inline void get(int n)
{
	while (n-- > 0)
		get_one();
}

/* What the owner does in figure 9 of Wang et al. (BWoS, OSDI'23). */
static inline void three_rounds(void)
{
	put(3);
	get(2);
	put(4);
	get(3);
	put(5);
	get(4);
}

/* ---- a thief ---- */

static inline enum filch_result stolen(struct worker *w, enum filch_result r)
{
	w->steals++;
	w->result = r;
	STEP(w);
	return r;
}

static inline enum filch_result steal(struct worker *w)
{
	filch_entry e = 0;
	enum filch_result r = QUEUE_FN(steal)(&w->thief, &e);

	if (r == FILCH_OK) {
		keep(w, e);
		COVER("stolen");
	}
	return stolen(w, r);
}

static inline enum filch_result steal_batch(struct worker *w, size_t max)
{
	filch_entry e[4] = {0, 0, 0, 0};
	size_t n = 0;
	enum filch_result r = QUEUE_FN(steal_batch)(&w->thief, e, max, &n);

	CHECK(n <= max && (r == FILCH_OK) == (n > 0));
	for (size_t i = 0; i < n; i++) {
		keep(w, e[i]);
		CHECK(!i || e[i] > e[i - 1]);
	}
	if (n > 1)
		COVER("stolen several");
	return stolen(w, r);
}

/* A thief that is no thread: steals in the owner's own thread, to set the scene. */
static inline struct worker *scene(void)
{
	struct worker *w = &s->thief[THIEVES - 1];

	w->thief.q = &s->q;
	w->thief.random.state = 1;
	return w;
}

static inline void start(void *(*body)(void *))
{
	static const char *const name[] = {"thief 1", "thief 2", "thief 3"};
	struct worker *w = &s->thief[s->thieves];

	/* Not by the constructor: GenMC cannot return a struct in registers. */
	w->thief.q = &s->q;
	w->thief.random.state = 1;
	s->thread[s->thieves] = client_spawn(name[s->thieves], body, w);
	s->thieves++;
}

static inline void *steal_once(void *arg)
{
	steal(arg);
	return 0;
}

static inline void *steal_twice(void *arg)
{
	steal(arg);
	steal(arg);
	return 0;
}

static void wait_for_thieves(void)
{
	for (int i = 0; i < s->thieves; i++)
		client_join(s->thread[i]);
	s->thieves = 0;
}

/* The owner gets what is left; then every item must have been taken once. */
static void finish(void)
{
	uint64_t all = 0;

	wait_for_thieves();
	while (get_one() == FILCH_OK)
		;
	for (int i = 0; i <= THIEVES; i++) {
		struct worker *w = i < THIEVES ? &s->thief[i] : &s->owner;

		CHECK(!(all & w->taken)); /* none twice */
		all |= w->taken;
		OBSERVE(w->taken / FIRST);
	}
	CHECK(all == s->in); /* none lost */
	QUEUE_FN(destroy)(&s->q);
}

#endif
