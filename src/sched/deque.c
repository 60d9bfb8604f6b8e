/* SPDX-License-Identifier: MIT */
#include "sched/deque.h"

#include <assert.h>
#include <stdlib.h>

/* One case a kind. */
#define EACH(X) FILCH_QUEUE_KINDS(X)

struct filch__deque *filch__deque_new(enum filch__queue_kind kind, size_t block_size)
{
	struct filch_queue_options o = {.block_size = block_size, .blocks = 2};
	struct filch__deque *d = aligned_alloc(FILCH_LINE, sizeof *d);
	int err = -1;

	if (!d)
		return NULL;
	if (kind != filch__queue_bwos_lifo && kind != filch__queue_bwos_fifo)
		o.blocks = 64; /* bounded kinds need room; the others grow anyway */
	switch (kind) {
#define INIT(name, order, text)                            \
	case filch__queue_##name:                          \
		err = filch_##name##_init(&d->q.name, &o); \
		break;
		EACH(INIT)
#undef INIT
	default:
		break;
	}
	if (err) {
		free(d);
		return NULL;
	}
	d->kind = kind;
	d->carrier = false;
	d->next = d->next_all = NULL;
	d->ready.kind = FILCH__READY_DEQUE;
	atomic_init(&d->listed, 0);
	return d;
}

void filch__deque_free(struct filch__deque *d)
{
	switch (d->kind) {
#define DESTROY(name, order, text)                  \
	case filch__queue_##name:                   \
		filch_##name##_destroy(&d->q.name); \
		break;
		EACH(DESTROY)
#undef DESTROY
	default:
		break;
	}
	free(d);
}

static enum filch_result put(struct filch__deque *d, filch_entry e)
{
	switch (d->kind) {
#define PUT(name, order, text)    \
	case filch__queue_##name: \
		return filch_##name##_put(filch_##name##_owner(&d->q.name), e);
		EACH(PUT)
#undef PUT
	default:
		return FILCH_FULL;
	}
}

enum filch_result filch__deque_put(struct filch__deque *d, filch_entry e)
{
	enum filch_result r = put(d, e);
	filch_entry none;

	/* ABP's has room again only when its owner has found it empty. */
	if (r == FILCH_FULL && d->kind == filch__queue_abp && !filch__deque_size(d)) {
		r = filch__deque_get(d, &none);
		assert(r == FILCH_EMPTY); /* nobody else puts */
		r = put(d, e);
	}
	return r;
}

enum filch_result filch__deque_try_put(struct filch__deque *d, filch_entry e)
{
	if (d->kind != filch__queue_bwos_lifo)
		return FILCH_FULL;
	return filch_bwos_lifo_try_put(filch_bwos_lifo_owner(&d->q.bwos_lifo), e);
}

enum filch_result filch__deque_get(struct filch__deque *d, filch_entry *e)
{
	switch (d->kind) {
#define GET(name, order, text)    \
	case filch__queue_##name: \
		return filch_##name##_get(filch_##name##_owner(&d->q.name), e);
		EACH(GET)
#undef GET
	default:
		return FILCH_EMPTY;
	}
}

void filch__deque_share(struct filch__deque *d)
{
	if (d->kind == filch__queue_bwos_lifo)
		filch_bwos_lifo_share(filch_bwos_lifo_owner(&d->q.bwos_lifo));
}

bool filch__deque_is_empty(struct filch__deque *d)
{
	switch (d->kind) {
	case filch__queue_bwos_lifo:
		return filch_bwos_lifo_is_empty(filch_bwos_lifo_owner(&d->q.bwos_lifo));
	case filch__queue_bwos_fifo:
		return false; /* not known without looking */
	default:
		return !filch__deque_size(d);
	}
}

enum filch_result filch__deque_steal(struct filch__deque *d, uint64_t seed,
                                     filch_entry *out, size_t max, size_t *n)
{
	switch (d->kind) {
#define STEAL(name, order, text)                                                        \
	case filch__queue_##name: {                                                     \
		struct filch_##name##_thief t = filch_##name##_thief(&d->q.name, seed); \
                                                                                        \
		*n = 1;                                                                 \
		return max == 1 ? filch_##name##_steal(&t, out)                         \
		                : filch_##name##_steal_batch(&t, out, max, n);          \
	}
		EACH(STEAL)
#undef STEAL
	default:
		return FILCH_EMPTY;
	}
}

bool filch__deque_sample(struct filch__deque *d, uint64_t seed)
{
	switch (d->kind) {
#define SAMPLE(name, order, text)                                                       \
	case filch__queue_##name: {                                                     \
		struct filch_##name##_thief t = filch_##name##_thief(&d->q.name, seed); \
                                                                                        \
		return filch_##name##_sample(&t);                                       \
	}
		EACH(SAMPLE)
#undef SAMPLE
	default:
		return true;
	}
}

size_t filch__deque_size(struct filch__deque *d)
{
	switch (d->kind) {
#define SIZE(name, order, text)   \
	case filch__queue_##name: \
		return filch_##name##_size_hint(&d->q.name);
		EACH(SIZE)
#undef SIZE
	default:
		return 0;
	}
}
