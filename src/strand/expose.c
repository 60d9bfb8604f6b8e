/* SPDX-License-Identifier: MIT */
#include "strand/expose.h"

#include "base/check.h"
#include "base/clock.h"
#include "strand/hunger.h"
#include "strand/listed.h"
#include "strand/loose.h"
#include "strand/names.h"
#include "strand/worker.h"

#if __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>
#else
#define RUNNING_ON_VALGRIND 0
#define VALGRIND_DISABLE_ERROR_REPORTING ((void)0)
#define VALGRIND_ENABLE_ERROR_REPORTING ((void)0)
#endif

#define DEEP ((size_t)64 << 10)  /* a stack of more than this is a deep one */
#define SLACK ((size_t)16 << 10) /* bytes above the last find, looked at again */
#define PIECE ((size_t)32 << 10) /* bytes between two looks at the clock */
#define LOOK ((size_t)4 << 10)   /* bytes of another worker's stack to look at */
#define SLICE_NS 100000          /* the longest look through a stack */

/* ---- one record ---- */

static bool expose_one(struct filch__worker *w, struct filch__strand *s,
                       struct filch__record *r, bool handler)
{
	struct filch__deque *d = s->deque ? s->deque : filch__deque_attach(w, s);
	enum filch_result put;

	if (!d)
		return false;
	assert(!d->carrier);
	if (filch__is_listed(r)) /* debug builds assert that it is in the list */
		filch__listed_remove(s, r);
	filch__record_expose(r, filch__group_at(s, r));
	put = handler ? filch_bwos_lifo_try_put(filch__deque_owner(d), (filch_entry)r)
	              : filch_bwos_lifo_put(filch__deque_owner(d), (filch_entry)r);
	if (put == FILCH_OK)
		return true;
	filch__record_hide(r);
	if (filch__is_listed(r))
		filch__listed_push(s, r);
	return false;
}

/* ---- looking through a stack ---- */

/* Without Valgrind, a request to it takes as long as a look at several frames. */
static bool on_valgrind;

__attribute__((constructor)) static void ask_valgrind(void)
{
	on_valgrind = RUNNING_ON_VALGRIND;
}

/* Returns the oldest private record in [lo, hi), or NULL. Reads whatever is in the
 * strand's frames. */
__attribute__((noinline, no_sanitize("address", "thread",
                                     "undefined"))) static struct filch__record *
find_record(char *lo, char *hi)
{
	uint64_t key = filch__private_key();

	assert(lo && lo <= hi && (uintptr_t)lo % 16 == 0 && (uintptr_t)hi % 16 == 0);
	/* Records are aligned to 16 (FILCH_FRAME). */
#pragma GCC unroll 4
	for (char *p = hi; p != lo;) {
		p -= 16;
		if (filch__is_private_at(p, *(const volatile uint64_t *)p, key) &&
		    filch__is_task(((struct filch__record *)p)->task))
			return (struct filch__record *)p;
	}
	return NULL;
}

/* Whether the record was spawned, or dated, before the word of hunger last changed; false
 * if there is no private record any longer. Reads as find_record() does. */
__attribute__((noinline, no_sanitize("address", "thread", "undefined"))) static bool
is_dated(const struct filch__record *r)
{
	uint64_t mark = *(const volatile uint64_t *)&r->mark, key = filch__private_key();
	bool heard = !((mark - (uintptr_t)r - key) & FILCH__HEARD);

	return filch__is_private_at(r, mark, key) && heard != filch__hunger_is_shown();
}

/* Whether a list is not empty, while another thread changes it. */
__attribute__((no_sanitize("thread"))) static bool has_any(const struct filch__list *l)
{
	return *(struct filch__link *const volatile *)&l->first != NULL;
}

__attribute__((no_sanitize("thread"))) static char *top_of(const struct filch__strand *s)
{
	return (char *)((uintptr_t)s->hi & ~(uintptr_t)15);
}

/* Returns the oldest private record in the oldest part of the strand's stack, or below the
 * last one that was exposed, or NULL. */
__attribute__((no_sanitize("thread"))) static struct filch__record *look_at(
	const struct filch__strand *s)
{
	char *hi = top_of(s), *swept = *(char *const volatile *)&s->swept;
	struct filch__record *found;

	if (on_valgrind)
		VALGRIND_DISABLE_ERROR_REPORTING;
	found = find_record(hi - LOOK, hi);
	if (!found && swept && swept >= s->lo + LOOK && swept <= hi - LOOK)
		found = find_record(swept - LOOK, swept);
	if (on_valgrind)
		VALGRIND_ENABLE_ERROR_REPORTING;
	return found;
}

/* A strand lies in its stack, which is mapped as long as the pool is; one that runs in
 * place does not. */
__attribute__((no_sanitize("thread"))) enum filch__sight filch__glance(
	const struct filch__worker *w)
{
	struct filch__strand *s = *(struct filch__strand *const volatile *)&w->active;
	uint64_t since = filch__hunger_unchanged(), us = filch__ticks_per_us();
	const struct filch__record *r;

	if (!s)
		return FILCH__SEES_NOTHING;
	if (has_any(&s->loose) || has_any(&s->listed) || !s->stack)
		return FILCH__SEES_OLD; /* or it does not see: to be asked */
	r = look_at(s);
	if (!r)
		return FILCH__SEES_NOTHING;
	if (since >= FILCH__OLD_US * us && is_dated(r))
		return FILCH__SEES_OLD;
	return since >= 2 * FILCH__OLD_US * us && filch__hunger_is_shown()
	               ? FILCH__SEES_OLD /* no join has heard */
	               : FILCH__SEES_TASK;
}

void filch__date_oldest(struct filch__worker *w)
{
	struct filch__strand *s = w->active;
	struct filch__record *r = s->stack ? look_at(s) : NULL;
	uint64_t old = filch__hunger_is_shown() ? FILCH__LIVE : FILCH__HEARD;

	assert(w->inside);
	if (r)
		r->mark = (uintptr_t)r + (filch__secret_now() & ~(uint64_t)15) + old +
		          (r->mark & FILCH__LISTED);
}

enum filch__sight filch__oldest(struct filch__worker *w)
{
	struct filch__strand *s = w->active;
	struct filch__record *r = s->stack ? look_at(s) : NULL;

	assert(w->inside);
	if (!filch__list_empty(&s->loose) || !filch__list_empty(&s->listed))
		return FILCH__SEES_OLD;
	if (!r)
		return FILCH__SEES_NOTHING;
	return is_dated(r) ? FILCH__SEES_OLD : FILCH__SEES_TASK;
}

static char *align_up(char *p)
{
	return (char *)(((uintptr_t)p + 15) & ~(uintptr_t)15);
}

/* Where to begin, for a strand that stops with this stack pointer. A coroutine of the
 * user's may stop it on a stack of its own: then all of the strand's stack is looked
 * through, since dead frames hold no live record. */
static char *lowest_of(const struct filch__strand *s, char *sp)
{
	return sp >= s->lo && sp < s->hi ? sp : s->lo;
}

/* Asserts that no record of the list lies in [lo, hi) that a look there should have
 * found. */
static void check_none_missed(const struct filch__strand *s, const char *lo,
                              const char *hi)
{
	for (struct filch__record *r = filch__listed_oldest(s); r;
	     r = filch__listed_newer(r))
		assert(r->mark == FILCH__LISTED_ONLY || !filch__is_task(r->task) ||
		       (char *)r < lo || (char *)r >= hi);
	(void)lo;
	(void)hi;
}

/* Exposes up to `most` records in [lo, hi), from hi down: the oldest first. Ends early,
 * and notes where, when it has taken too long: a handler stops whatever its thread does,
 * and a strand that is looked through cannot resume. A strand that runs in place is on no
 * shelf, where the rest could be looked through: so that is done at once. */
static size_t sweep(struct filch__worker *w, struct filch__strand *s, char *lo, char *hi,
                    size_t most, bool handler)
{
	bool in_slices = s->stack && (size_t)(hi - lo) > DEEP;
	uint64_t until = in_slices ? filch__now_ns() + SLICE_NS : UINT64_MAX;
	char *top = hi;
	size_t n = 0;

	assert(lo >= s->lo && hi <= s->hi);
	s->left_off = NULL;
	if (on_valgrind)
		VALGRIND_DISABLE_ERROR_REPORTING;
	while (n < most && top > lo && !s->left_off) {
		char *bottom = (size_t)(top - lo) > PIECE ? top - PIECE : lo;
		struct filch__record *r = find_record(bottom, top);

		if (r && !expose_one(w, s, r, handler))
			break;
		top = r ? (char *)r : bottom;
		if (r)
			s->swept = top;
		n += r != NULL;
		if (bottom > lo && filch__now_ns() >= until)
			s->left_off = top;
	}
	if (on_valgrind)
		VALGRIND_ENABLE_ERROR_REPORTING;
	if (top == lo)
		FILCH__CHECK(check_none_missed(s, lo, hi));
	return n;
}

/* Looks at the whole stack, or at what an earlier look has left. A deep one takes a while,
 * so this is done only so often that it takes at most a twentieth of the time. */
static size_t sweep_all(struct filch__worker *w, struct filch__strand *s, char *lo,
                        char *hi, size_t most, bool handler)
{
	uint64_t begin, end;
	size_t n;

	if ((size_t)(hi - lo) <= DEEP || most == SIZE_MAX)
		return sweep(w, s, lo, hi, most, handler);
	begin = filch__now_ns();
	if (begin < w->sweep_again)
		return 0;
	n = sweep(w, s, lo, s->left_off > lo && s->left_off < hi ? s->left_off : hi, most,
	          handler);
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

	if (most != SIZE_MAX && (size_t)(hi - lo) > DEEP && from < hi && from > lo &&
	    !s->left_off)
		n = sweep(w, s, lo, from, most, handler);
	if (!n)
		n = sweep_all(w, s, lo, hi, most, handler);
	if (!n && !s->left_off)
		s->swept = lo;
	return n;
}

/* ---- records in a list ---- */

/* Exposes up to `most` records that only the list leads to, the oldest first. */
static size_t expose_listed(struct filch__worker *w, struct filch__strand *s, size_t most,
                            bool handler)
{
	struct filch__record *r = filch__listed_oldest(s);
	size_t n = 0;

	if (r && !filch__records_are_listed())
		return 0; /* all are found by looking through the stack */
	while (r && n < most) {
		struct filch__record *newer = filch__listed_newer(r);

		if (r->mark == FILCH__LISTED_ONLY) {
			if (!expose_one(w, s, r, handler))
				break;
			n++;
		}
		r = newer;
	}
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
		filch__deque_share(s->deque);
}

/* ---- the whole ---- */

size_t filch__expose(struct filch__worker *w, char *sp, size_t most, bool handler)
{
	struct filch__strand *s = w->active;
	char *hi = top_of(s), *lo = align_up(most == SIZE_MAX ? lowest_of(s, sp) : sp);
	size_t n, before = s->deque ? filch__deque_size(s->deque) : 0;

	assert(w->inside);
	n = expose_loose(w, s, most, handler);
	n += expose_listed(w, s, most - n, handler);
	if (most == SIZE_MAX)
		s->left_off = NULL;               /* begins at the top */
	if (n < most && lo >= s->lo && lo < hi && /* else sp is on another stack */
	    filch__records_are_scanned())
		n += sweep_new(w, s, lo, hi, most == SIZE_MAX ? most : most - n, handler);
	FILCH__COUNT(w, exposed, n);
	if (!s->deque)
		return 0;
	filch_bwos_lifo_share(filch__deque_owner(s->deque));
	s->deque->shared |= n != 0; /* else all in it comes from eager spawns */
	filch__offer(w, s->deque);
	return n ? n : filch__deque_size(s->deque) > before;
}

bool filch__expose_stopped(struct filch__worker *w, struct filch__strand *s)
{
	char *lo = align_up(lowest_of(s, s->fiber.context.sp));
	size_t n = expose_listed(w, s, SIZE_MAX, false);

	if (filch__records_are_scanned())
		n += sweep(w, s, lo, s->left_off ? s->left_off : top_of(s), SIZE_MAX,
		           false);
	assert(s != w->active);
	FILCH__COUNT(w, exposed, n);
	if (!n)
		return false;
	assert(s->deque);
	filch__deque_share(s->deque);
	filch__deque_show(w, s->deque);
	return true;
}
