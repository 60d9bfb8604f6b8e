/* SPDX-License-Identifier: MIT */
#include "strand/deque.h"

#include <stdlib.h>

#include "strand/above.h"
#include "strand/worker.h"

static struct filch__deque *deque_new(struct filch__deques *ds, bool carrier)
{
	const struct filch_queue_options o = {.block_size = ds->block_size, .blocks = 2};
	struct filch__deque *d = aligned_alloc(FILCH_LINE, sizeof *d);

	if (!d)
		return NULL;
	if (filch_bwos_lifo_init(&d->q, &o)) {
		free(d);
		return NULL;
	}
	d->carrier = carrier;
	d->next = NULL;
	d->ready.kind = FILCH__READY_DEQUE;
	atomic_init(&d->listed, 0);
	d->next_all = ds->all;
	ds->all = d;
	return d;
}

void filch__deques_destroy(struct filch__deques *ds)
{
	while (ds->all) {
		struct filch__deque *d = ds->all;

		ds->all = d->next_all;
		filch_bwos_lifo_destroy(&d->q);
		free(d);
	}
}

bool filch__deque_ready(struct filch__worker *w)
{
	if (!w->deques.empty)
		w->deques.empty = deque_new(&w->deques, false);
	return w->deques.empty;
}

struct filch__deque *filch__deque_attach(struct filch__worker *w, struct filch__strand *s)
{
	struct filch__deque *d = w->deques.empty;

	assert(!s->deque);
	if (d) {
		assert(!d->carrier);
		w->deques.empty = d->next;
		d->shared = false;
		s->deque = d;
	}
	return d;
}

void filch__deque_detach(struct filch__worker *w, struct filch__strand *s)
{
	struct filch__deque *d = s->deque;

	if (!d)
		return;
	assert(filch__deque_is_empty(d));
	d->next = w->deques.empty;
	w->deques.empty = d;
	s->deque = NULL;
}

struct filch__deque *filch__carrier_take(struct filch__worker *w)
{
	struct filch__deque *d = w->deques.carriers;

	if (!d)
		return deque_new(&w->deques, true);
	w->deques.carriers = d->next;
	return d;
}

void filch__carrier_give(struct filch__worker *w, struct filch__deque *d)
{
	assert(d->carrier);
	d->next = w->deques.carriers;
	w->deques.carriers = d;
}

void filch__deque_show(struct filch__worker *w, struct filch__deque *d)
{
	if (filch__deque_list(d))
		filch__make_ready(w->pool, w, &d->ready);
}
