/* SPDX-License-Identifier: MIT */
#include "trace/events.h"

#include <errno.h>
#include <sys/mman.h>

#include "base/clock.h"

const char *filch__why_text(enum filch__why why)
{
	static const char *const text[] = {
#define TEXT(name, text) text,
		FILCH__WHYS(TEXT)
#undef TEXT
	};

	return text[why];
}

/* Pages that no event has come to cost nothing. */
int filch__events_init(struct filch__events *r, size_t size)
{
	void *at = mmap(NULL, size * sizeof *r->event, PROT_READ | PROT_WRITE,
	                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (at == MAP_FAILED)
		return -ENOMEM;
	r->event = at;
	r->size = size;
	r->added = 0;
	pthread_mutex_init(&r->lock, NULL);
	return 0;
}

void filch__events_destroy(struct filch__events *r)
{
	pthread_mutex_destroy(&r->lock);
	munmap(r->event, r->size * sizeof *r->event);
}

void filch__events_add(struct filch__events *r, enum filch__event_kind kind,
                       enum filch__why why, int32_t about, const char *name, uint64_t id)
{
	struct filch__event *at;

	pthread_mutex_lock(&r->lock);
	at = filch__events_at(r, r->added++);
	at->ticks = filch__ticks(); /* with the lock: so times ascend */
	at->name = name;
	at->id = id;
	at->about = about;
	at->kind = (uint16_t)kind;
	at->why = (uint16_t)why;
	pthread_mutex_unlock(&r->lock);
}
