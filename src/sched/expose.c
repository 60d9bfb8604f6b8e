/* SPDX-License-Identifier: MIT */
#include "sched/expose.h"

#include <errno.h>
#include <string.h>
#include <ucontext.h>

#include "base/clock.h"
#include "sched/loose.h"
#include "sched/names.h"
#include "sched/record.h"

#if __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>
#else
#define VALGRIND_DISABLE_ERROR_REPORTING
#define VALGRIND_ENABLE_ERROR_REPORTING
#endif

#define BATCH_MOST 64
#define SOON_NS 100000 /* asked again within this time: expose more at once */
#define BARREN_NS \
	(uint64_t)40000 /* after an answer without anything; doubled, so often: */
#define BARREN_MOST 9
#define DEEP ((size_t)64 << 10)
#define SLACK ((size_t)16 << 10)

/* ---- looking through a stack ---- */

static struct filch__deque *deque_of(struct filch__worker *w, struct filch__strand *s)
{
	return s->deque ? s->deque : filch__deque_attach(w, s);
}

/* Where a queue has room for so many only, what is in it makes way. */
static enum filch_result put(struct filch__worker *w, struct filch__deque *d,
                             struct filch__record *r)
{
	enum filch_result result = filch__deque_put(d, (filch_entry)r);

	if (result == FILCH_FULL && filch__deque_is_bounded(d)) {
		filch__deque_empty_out(w, d);
		result = filch__deque_put(d, (filch_entry)r);
	}
	return result;
}

static bool expose_one(struct filch__worker *w, struct filch__strand *s,
                       struct filch__record *r, bool handler)
{
	struct filch__deque *d = deque_of(w, s);

	if (!d)
		return false;
	filch__record_expose(r, filch__group_at(s, r));
	if ((handler ? filch__deque_try_put(d, (filch_entry)r) : put(w, d, r)) ==
	    FILCH_OK)
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

/* Reads what others own: frames of the strand, whatever is in them. */
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

/* Exposes up to `most` records between lo and hi, from hi down: the oldest first. */
static size_t sweep(struct filch__worker *w, struct filch__strand *s, char *lo, char *hi,
                    size_t most, bool handler)
{
	size_t n = 0;

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

static size_t expose_loose(struct filch__worker *w, struct filch__strand *s, size_t most,
                           bool handler)
{
	size_t n = 0;

	for (; n < most && s->oldest; n++) {
		struct filch__loose *l = filch__loose_pop_oldest(s);

		if (!expose_one(w, s, &l->head, handler)) {
			filch__loose_push_oldest(s, l);
			break;
		}
		/* A thief may have run it, and it may be gone. */
	}
	return n;
}

/* Looks at the whole stack. One that is deep takes a while, so this is not done so often
 * that it would take more than a twentieth of the time. */
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

/* In a deep stack, what was swept last time is not looked at again unless nothing is found
 * in the rest: a frame that was there may have spawned since. */
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

size_t filch__expose(struct filch__worker *w, struct filch__strand *s, char *sp,
                     size_t most, bool handler)
{
	char *hi = (char *)((uintptr_t)s->hi & ~(uintptr_t)15), *lo = align_up(sp);
	size_t n, before = s->deque ? filch__deque_size(s->deque) : 0;

	n = expose_loose(w, s, most, handler);
	if (n < most && sp >= s->lo && lo < hi) /* else it runs on a stack of its own */
		n += sweep_new(w, s, lo, hi, most == SIZE_MAX ? most : most - n, handler);
	FILCH__COUNT(w, exposed, n);
	if (!s->deque)
		return 0;
	filch__deque_share(s->deque);
	filch__offer(w, s->deque);
	return n ? n : filch__deque_size(s->deque) > before;
}

void filch__expose_loose(struct filch__worker *w, struct filch__strand *s)
{
	size_t n = expose_loose(w, s, SIZE_MAX, false);

	FILCH__COUNT(w, exposed, n);
	if (s->deque) /* nobody answers for it while the strand is stopped */
		filch__deque_share(s->deque);
}

void filch__expose_spawned(struct filch__worker *w, struct filch__strand *s)
{
	filch__expose_loose(w, s);
	if (!s->deque)
		return; /* no memory for one: it is run by who waits for it */
	filch__offer(w, s->deque);
	filch__call_somebody(w->pool, w);
}

bool filch__expose_stopped(struct filch__worker *w, struct filch__strand *s)
{
	char *hi = (char *)((uintptr_t)s->hi & ~(uintptr_t)15);
	size_t n = sweep(w, s, align_up(s->fiber.context.sp), hi, SIZE_MAX, false);

	FILCH__COUNT(w, exposed, n);
	if (!n)
		return false;
	filch__deque_share(s->deque);
	filch__deque_show(w, s->deque);
	return true;
}

/* ---- asking and answering ---- */

uint32_t filch__expected = FILCH__MINUS_LIVE;

static void set_expected(uint32_t minus)
{
	store_rlx((_Atomic(uint32_t) *)&filch__expected, minus); /* polled */
}

/* What our own signals carry, so that those of others are told apart. */
static char cookie;

static bool polls(const struct filch__worker *w)
{
	return w->pool->settings.ask == FILCH__ASK_POLL;
}

bool filch__ask(struct filch__worker *w, struct filch__worker *victim)
{
	union sigval value = {.sival_ptr = &cookie};
	bool before;

	if (!load_rlx(&victim->busy) ||                     /* a hint */
	    filch__now_ns() < load_rlx(&victim->ask_after)) /* a hint */
		return false;
	before = xchg_rlx(&victim->asked, 1); /* one question at a time */
	/* Also if it was asked before: who has found something, or answered, may have taken
	 * back the word since, and then nobody would ever answer. */
	if (polls(w))
		set_expected(0u - FILCH__HUNGRY);
	if (before)
		return false;
	FILCH__COUNT(w, asked, 1);
	if (!polls(w) &&
	    pthread_sigqueue(victim->thread, w->pool->settings.signal, value)) {
		store_rlx(&victim->asked, 0); /* no room for signals: another time */
		return false;
	}
	return true;
}

void filch__ask_no_more(struct filch__worker *w)
{
	if (polls(w))
		set_expected(FILCH__MINUS_LIVE);
}

void filch__ask_forget(void)
{
	set_expected(FILCH__MINUS_LIVE);
}

/* How many to expose. More if it was asked just before; or if the last ones were all taken
 * back: of the records of one frame the compiler decides which lies highest, and so is
 * exposed first, though it may be the one that is joined next. */
static uint32_t next_batch(struct filch__worker *w, uint64_t now)
{
	uint64_t hidden = load_rlx(&w->counters.hidden); /* own */
	bool in_vain = w->gained && hidden - w->hidden_at >= w->gained;

	w->hidden_at = hidden;
	if (now - w->asked_at > SOON_NS && !in_vain)
		return 1;
	return w->batch < BATCH_MOST ? w->batch * 2 : BATCH_MOST;
}

void filch__answer(struct filch__worker *w, char *sp, bool handler)
{
	uint64_t now = filch__now_ns();

	store_rlx(&w->asked, 0); /* may be asked again */
	w->batch = next_batch(w, now);
	w->asked_at = now;
	w->gained = filch__expose(w, w->active, sp, w->batch, handler);
	if (w->gained) {
		w->barren = 0;
		filch__call_somebody(w->pool, w);
		return;
	}
	/* Asked in vain: not again so soon, since a signal cuts short what it is in. */
	store_rlx(&w->ask_after, now + (BARREN_NS << w->barren)); /* a hint */
	w->barren += w->barren < BARREN_MOST;
}

FILCH_NOINLINE void filch__answer_noted(struct filch__worker *w)
{
	while (w->noted && w->active) {
		w->noted = 0;
		w->inside = 1;
		__asm__ volatile("" ::: "memory");
		filch__answer(w, __builtin_frame_address(0), false);
		__asm__ volatile("" ::: "memory");
		w->inside = 0;
		__asm__ volatile("" ::: "memory");
	}
}

/* True if any worker of the pool was asked. */
static bool forget_asked(struct filch_pool *p)
{
	bool any = false;

	for (uint32_t i = 0; i < p->workers; i++)
		if (load_rlx(&p->worker[i].asked)) {       /* a hint */
			store_rlx(&p->worker[i].asked, 0); /* may be asked again */
			any = true;
		}
	return any;
}

FILCH_NOINLINE void filch__answer_poll(struct filch__worker *w)
{
	/* The word is the whole process's: it is left for those who were asked. Of their
	 * pool, whoever comes first answers. */
	if (!w || !w->active || !polls(w) || !forget_asked(w->pool))
		return;
	set_expected(FILCH__MINUS_LIVE);
	filch__enter(w);
	filch__answer(w, __builtin_frame_address(0), false);
	filch__leave(w);
}

/* Where the interrupted code's stack ends. */
static char *interrupted_sp(void *context, char *otherwise)
{
#if defined(__x86_64__)
	(void)otherwise;
	return (char *)((ucontext_t *)context)->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
	(void)otherwise;
	return (char *)((ucontext_t *)context)->uc_mcontext.sp;
#else
	(void)context;
	return otherwise; /* dead frames hold no live record */
#endif
}

static void on_ask(int signal, siginfo_t *info, void *context)
{
	struct filch__worker *w = filch__worker_self();
	int saved = errno;

	(void)signal;
	if (!w || info->si_code != SI_QUEUE || info->si_value.sival_ptr != &cookie)
		return;
	if (w->inside || !w->active) {
		w->noted = 1;
	} else {
		char *sp = interrupted_sp(context, w->active->lo);

		w->inside = 1;
		if (sp >= w->active->lo && sp < w->active->hi)
			filch__answer(w, sp, true);
		else
			store_rlx(&w->asked, 0); /* on some other stack; ask again */
		w->inside = 0;
	}
	errno = saved;
}

/* Takes the signal if it is free, or ours already. */
static bool take_signal(int signal)
{
	struct sigaction old, ours = {.sa_sigaction = on_ask,
	                              .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};

	if (sigaction(signal, NULL, &old))
		return false;
	if (old.sa_sigaction == on_ask)
		return true;
	if (old.sa_handler != SIG_DFL)
		return false;
	sigemptyset(&ours.sa_mask);
	return !sigaction(signal, &ours, NULL);
}

int filch__signal_open(int *signal)
{
	if (*signal)
		return take_signal(*signal) ? 0 : -EBUSY;
	for (int s = SIGRTMIN + 8; s <= SIGRTMAX; s++)
		if (take_signal(s)) {
			*signal = s;
			return 0;
		}
	return -EBUSY;
}
