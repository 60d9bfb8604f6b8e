/* SPDX-License-Identifier: MIT */
#include "strand/expose.h"

#include "base/clock.h"
#include "strand/loose.h"
#include "strand/names.h"
#include "strand/worker.h"

#if __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>
#else
#define VALGRIND_DISABLE_ERROR_REPORTING
#define VALGRIND_ENABLE_ERROR_REPORTING
#endif

#define DEEP ((size_t)64 << 10)  /* a stack of more than this is a deep one */
#define SLACK ((size_t)16 << 10) /* bytes above the last find, looked at again */

/* ---- one record ---- */

static bool expose_one(struct filch__worker *w, struct filch__strand *s,
                       struct filch__record *r, bool handler)
{
	struct filch__deque *d = s->deque ? s->deque : filch__deque_attach(w, s);
	enum filch_result put;

	if (!d)
		return false;
	assert(!d->carrier);
	filch__record_expose(r, filch__group_at(s, r));
	put = handler ? filch_bwos_lifo_try_put(filch__deque_owner(d), (filch_entry)r)
	              : filch_bwos_lifo_put(filch__deque_owner(d), (filch_entry)r);
	if (put == FILCH_OK)
		return true;
	filch__record_hide(r);
	return false;
}

static bool is_record(struct filch__record *r)
{
#if !defined(__x86_64__) && !defined(__aarch64__)
	if (r->where != (uint32_t)(uintptr_t)r)
		return false; /* a copy: see FILCH__PUBLISH */
#endif
	return filch__is_task(r->task);
}

/* ---- looking through a stack ---- */

/* Returns the oldest private record in [lo, hi), or NULL. Reads whatever is in the
 * strand's frames. */
__attribute__((noinline, no_sanitize("address", "thread",
                                     "undefined"))) static struct filch__record *
find_record(char *lo, char *hi)
{
	/* Records are aligned to 16 (FILCH_FRAME). */
	for (char *p = hi; (size_t)(p - lo) >= 16 && p > lo;) {
		p -= 16;
		if (*(volatile uint32_t *)p == FILCH__LIVE &&
		    is_record((struct filch__record *)p))
			return (struct filch__record *)p;
	}
	return NULL;
}

static char *align_up(char *p)
{
	return (char *)(((uintptr_t)p + 15) & ~(uintptr_t)15);
}

static char *top_of(const struct filch__strand *s)
{
	return (char *)((uintptr_t)s->hi & ~(uintptr_t)15);
}

/* Where to begin, for a strand that stops with this stack pointer. A coroutine of the
 * user's may stop it on a stack of its own: then all of the strand's stack is looked
 * through, since dead frames hold no live record. */
static char *lowest_of(const struct filch__strand *s, char *sp)
{
	return sp >= s->lo && sp < s->hi ? sp : s->lo;
}

/* Exposes up to `most` records in [lo, hi), from hi down: the oldest first. */
static size_t sweep(struct filch__worker *w, struct filch__strand *s, char *lo, char *hi,
                    size_t most, bool handler)
{
	size_t n = 0;

	assert(lo >= s->lo && hi <= s->hi);
	VALGRIND_DISABLE_ERROR_REPORTING;
	for (char *top = hi; n < most;) {
		struct filch__record *r = find_record(lo, top);

		if (!r || !expose_one(w, s, r, handler))
			break;
		s->swept = top = (char *)r;
		n++;
	}
	VALGRIND_ENABLE_ERROR_REPORTING;
	return n;
}

/* Looks at the whole stack. A deep one takes a while, so this is done only so often that
 * it takes at most a twentieth of the time. */
static size_t sweep_all(struct filch__worker *w, struct filch__strand *s, char *lo,
                        char *hi, size_t most, bool handler)
{
	uint64_t begin, end;
	size_t n;

	if ((size_t)(hi - lo) <= DEEP)
		return sweep(w, s, lo, hi, most, handler);
	begin = filch__now_ns();
	if (most != SIZE_MAX && begin < w->sweep_again)
		return 0;
	n = sweep(w, s, lo, hi, most, handler);
	end = filch__now_ns();
	w->sweep_again = end + 20 * (end - begin);
	return n;
}

/* In a deep stack, the part that was swept last time is looked at again only if the rest
 * has nothing: a frame that was there may have spawned since. */
static size_t sweep_new(struct filch__worker *w, struct filch__strand *s, char *lo,
                        char *hi, size_t most, bool handler)
{
	char *from = s->swept ? s->swept + SLACK : hi;
	size_t n = 0;

	if (most != SIZE_MAX && (size_t)(hi - lo) > DEEP && from < hi && from > lo)
		n = sweep(w, s, lo, from, most, handler);
	if (!n)
		n = sweep_all(w, s, lo, hi, most, handler);
	if (!n)
		s->swept = lo;
	return n;
}

/* ---- tasks of groups ---- */

static size_t expose_loose(struct filch__worker *w, struct filch__strand *s, size_t most,
                           bool handler)
{
	size_t n = 0;

	for (; n < most && !filch__list_empty(&s->loose); n++) {
		struct filch__loose *l = filch__loose_oldest(s);

		filch__loose_remove(s, l);
		if (!expose_one(w, s, &l->head, handler)) {
			filch__loose_push_oldest(s, l);
			break;
		}
		/* From here on a thief may have run the task, and it may be gone. */
	}
	return n;
}

void filch__expose_loose(struct filch__worker *w, struct filch__strand *s)
{
	size_t n = expose_loose(w, s, SIZE_MAX, false);

	FILCH__COUNT(w, exposed, n);
	if (s->deque) /* no worker answers for a strand that is stopped */
		filch_bwos_lifo_share(filch__deque_owner(s->deque));
}

/* ---- the whole ---- */

size_t filch__expose(struct filch__worker *w, char *sp, size_t most, bool handler)
{
	struct filch__strand *s = w->active;
	char *hi = top_of(s), *lo = align_up(most == SIZE_MAX ? lowest_of(s, sp) : sp);
	size_t n, before = s->deque ? filch__deque_size(s->deque) : 0;

	assert(w->inside);
	n = expose_loose(w, s, most, handler);
	if (n < most && lo >= s->lo && lo < hi) /* else sp is on another stack */
		n += sweep_new(w, s, lo, hi, most == SIZE_MAX ? most : most - n, handler);
	FILCH__COUNT(w, exposed, n);
	if (!s->deque)
		return 0;
	filch_bwos_lifo_share(filch__deque_owner(s->deque));
	filch__offer(w, s->deque);
	return n ? n : filch__deque_size(s->deque) > before;
}

bool filch__expose_stopped(struct filch__worker *w, struct filch__strand *s)
{
	char *lo = lowest_of(s, s->fiber.context.sp);
	size_t n = sweep(w, s, align_up(lo), top_of(s), SIZE_MAX, false);

	assert(s != w->active);
	FILCH__COUNT(w, exposed, n);
	if (!n)
		return false;
	assert(s->deque);
	filch_bwos_lifo_share(filch__deque_owner(s->deque));
	filch__deque_show(w, s->deque);
	return true;
}
