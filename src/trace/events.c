/* SPDX-License-Identifier: MIT */
#include "trace/events.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/clock.h"
#include "base/symbol.h"

const char *filch__why_text(enum filch__why why)
{
	static const char *const text[] = {
#define TEXT(name, text) text,
		FILCH__WHYS(TEXT)
#undef TEXT
	};

	return text[why];
}

/* Pages to which no event was written cost nothing. */
int filch__events_init(struct filch__events *r, size_t size)
{
	void *at = mmap(NULL, size * sizeof *r->slot, PROT_READ | PROT_WRITE,
	                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (at == MAP_FAILED)
		return -ENOMEM;
	r->slot = at;
	r->size = size;
	atomic_init(&r->added, 0);
	return 0;
}

void filch__events_destroy(struct filch__events *r)
{
	munmap(r->slot, r->size * sizeof *r->slot);
}

static struct filch__event_slot *slot_at(const struct filch__events *r, uint64_t i)
{
	return &r->slot[i & (r->size - 1)];
}

/* ---- one event ---- */

static uint64_t pack(enum filch__event_kind kind, enum filch__why why, int32_t about)
{
	return (uint64_t)(uint32_t)about << 32 | (uint64_t)kind << 16 | (uint64_t)why;
}

void filch__events_add(struct filch__events *r, enum filch__event_kind kind,
                       enum filch__why why, int32_t about, const char *name, uint64_t id)
{
	uint64_t i = load_rlx(&r->added); /* own word */
	struct filch__event_slot *s = slot_at(r, i);

	/* T2 release: pairs with the acquire in read_slot(); carries how many events were
	 * added before event i, so that a reader of a part of it knows that the older
	 * event is gone. */
	store_rel(&s->word[0], filch__ticks());
	/* T2 release: as above, by read_slot(). */
	store_rel(&s->word[1], (uintptr_t)name);
	/* T2 release: as above, by read_slot(). */
	store_rel(&s->word[2], id);
	/* T2 release: as above, by read_slot(). */
	store_rel(&s->word[3], pack(kind, why, about));
	/* T1 release: pairs with the acquire in filch__events_copy(); carries event i. */
	store_rel(&r->added, i + 1);
}

static struct filch__event read_slot(struct filch__event_slot *s)
{
	uint64_t word[4];

	for (int i = 0; i < 4; i++)
		/* T2 acquire: pairs with the releases in filch__events_add(); carries how
		 * many events were added before the one that is read here. */
		word[i] = load_acq(&s->word[i]);
	return (struct filch__event){.ticks = word[0],
	                             .name = (const char *)(uintptr_t)word[1],
	                             .id = word[2],
	                             .about = (int32_t)(word[3] >> 32),
	                             .kind = (uint16_t)(word[3] >> 16),
	                             .why = (uint16_t)word[3]};
}

/* ---- all of them ---- */

static uint64_t oldest(const struct filch__events *r, uint64_t added)
{
	return added > r->size ? added - r->size : 0;
}

int filch__events_copy(const struct filch__events *r, struct filch__history *out,
                       uint64_t until)
{
	/* T1 acquire: pairs with the release in filch__events_add(); carries the
	 * events. */
	uint64_t added = load_acq(&r->added), first = oldest(r, added), gone;
	size_t n = (size_t)(added - first), skip;
	struct filch__event *e = malloc(n * sizeof *e + 1);

	if (!e)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		e[i] = read_slot(slot_at(r, first + i));
	/* One more event than `added` says may be half written, in the slot of the oldest
	 * one. */
	gone = oldest(r, load_rlx(&r->added) +
	                         1); /* T2 carries it, if a slot was overwritten */
	skip = gone > first ? (size_t)(gone - first) : 0;
	skip = skip < n ? skip : n;
	while (n > skip && e[n - 1].ticks > until)
		n--;
	*out = (struct filch__history){e, n - skip, first + skip};
	for (size_t i = skip; i < n; i++)
		e[i - skip] = e[i];
	return 0;
}

void filch__history_free(struct filch__history *h)
{
	free(h->event);
}

bool filch__events_rename(struct filch__events *r, const char *name, const char *to)
{
	uint64_t n = load_rlx(&r->added); /* no event with the name is added */
	bool any = false;

	for (uint64_t i = oldest(r, n); i < n; i++) {
		uint64_t old = (uintptr_t)name;

		/* Relaxed: the file's lock carries what the new name points to. */
		any |= cas_rlx(&slot_at(r, i)->word[1], &old, (uintptr_t)to);
	}
	return any;
}

void filch__events_rename_functions(struct filch__events *r,
                                    const char *(*change)(uintptr_t function))
{
	uint64_t n = load_rlx(&r->added); /* no event that matters is added */

	for (uint64_t i = oldest(r, n); i < n; i++) {
		uint64_t old = load_rlx(&slot_at(r, i)->word[1]); /* the CAS re-checks */

		/* Relaxed: as above. */
		if (filch__is_function(old))
			cas_rlx(&slot_at(r, i)->word[1], &old, (uintptr_t)change(old));
	}
}
