/* SPDX-License-Identifier: MIT */
#include "fiber/apart.h"

#if FILCH__TSAN

#include <link.h>
#include <pthread.h>
#include <sanitizer/tsan_interface.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/atomic.h"
#include "base/cpu.h"

/* Of TSan's interface for Java, which alone has these: a release that forgets earlier
 * ones, and memory that is new. They work without a heap of Java's. */
void __tsan_java_alloc(unsigned long memory, unsigned long size);
void __tsan_java_free(unsigned long memory, unsigned long size);
void __tsan_java_release_store(unsigned long address);

/* Of the annotations that TSan understands. */
void AnnotateIgnoreReadsBegin(const char *file, int line);
void AnnotateIgnoreReadsEnd(const char *file, int line);
void AnnotateIgnoreWritesBegin(const char *file, int line);
void AnnotateIgnoreWritesEnd(const char *file, int line);

#define NO_SYNC __tsan_switch_to_fiber_no_sync

/* Nothing here is instrumented: TSan must not see these accesses as those of whichever
 * fiber it believes to run. */
#if defined(__clang__) && __has_attribute(disable_sanitizer_instrumentation)
#define UNSEEN __attribute__((noinline, disable_sanitizer_instrumentation))
#else /* clang's no_sanitize leaves in the calls at a function's entry and exit */
#define UNSEEN __attribute__((noinline, no_sanitize("thread")))
#endif

#define FIBERS 256           /* as many as are made at most, of 8128 that TSan allows */
#define IDLE 24              /* so many are left alone before one is used again */
#define ALL 2000             /* calls of the process that are all made apart, */
#define ONE_OF 64            /* and afterwards one of so many */
#define RANGES 16            /* of thread-local variables */
#define PAGES ((size_t)2048) /* of a stack, that are looked at */
#define PAGE ((uintptr_t)4096)

struct range {
	uintptr_t at, size;
};

/* The data that a thread keeps for calls apart. */
static _Thread_local struct thread {
	void *nursery;              /* NULL: calls are plain */
	void *aside;                /* knows all that happens on the thread */
	struct range local[RANGES]; /* the thread-local variables */
	unsigned locals;
} mine;

/* TSan takes long to make a fiber, so they are kept, in rings: those for calls, the longest
 * unused one first, and those of threads. */
struct ring {
	void *fiber[FIBERS];
	unsigned first, count, made;
};

static struct ring calls, nurseries, asides;
static unsigned threads; /* between their begin and their end */
static bool forked;      /* this process is the child of one that had threads */
/* A lock of our own: TSan delivers signals when a mutex is locked, and the handler would run
 * in the nursery; and filch__lock() is instrumented. */
static _Atomic(int) taken;

UNSEEN static void lock(void)
{
	/* A1 acquire: pairs with the release in unlock(); carries the rings. */
	while (xchg_acq(&taken, 1))
		filch__relax();
}

UNSEEN static void unlock(void)
{
	/* A1 release: pairs with the acquire in lock(); carries the rings. */
	store_rel(&taken, 0);
}

/* ---- the fibers ---- */

/* Caller: holds the lock. */
UNSEEN static void *take_from(struct ring *r, unsigned idle)
{
	if (r->count <= idle && r->made < FIBERS) {
		r->made++;
		return __tsan_create_fiber(0);
	}
	if (!r->count)
		return NULL;
	r->count--;
	return r->fiber[r->first++ % FIBERS];
}

UNSEEN static void give_to(struct ring *r, void *f)
{
	r->fiber[(r->first + r->count++) % FIBERS] = f;
}

/* Takes or gives a fiber for a call, in the nursery: what TSan orders by the lock, or a
 * new fiber after its maker, is then nothing that users did. TSan also orders the calls
 * of one fiber, so the fiber that was used last comes last. */
UNSEEN static void *trade(void *given)
{
	void *here = __tsan_get_current_fiber(), *f = NULL;

	if (!mine.nursery)
		return NULL;
	__tsan_switch_to_fiber(mine.nursery, NO_SYNC);
	lock();
	if (given)
		give_to(&calls, given);
	else
		f = take_from(&calls, IDLE);
	unlock();
	__tsan_switch_to_fiber(here, NO_SYNC);
	return f;
}

/* ---- memory that threads use one after the other ---- */

/* Makes TSan forget the accesses to this memory. */
UNSEEN static void forget(uintptr_t at, uintptr_t end)
{
	at &= ~(uintptr_t)7;
	end = (end + 7) & ~(uintptr_t)7;
	if (at < end) {
		__tsan_java_alloc(at, end - at);
		__tsan_java_free(at, end - at);
	}
}

/* The frames that were below the caller's are gone, and others come to lie there. Pages
 * that were never touched need not be forgotten. */
UNSEEN static void forget_frames(uintptr_t lo, uintptr_t sp)
{
	unsigned char resident[PAGES];
	uintptr_t at = (lo + PAGE - 1) & ~(PAGE - 1);
	size_t i = 0, n;

	if (at >= sp)
		return;
	if ((sp - at) / PAGE >= PAGES)
		at = (sp & ~(PAGE - 1)) - (PAGES - 1) * PAGE;
	n = (sp - at + PAGE - 1) / PAGE;
	/* Not by mincore(), in which TSan would see a write to the stack. */
	if (!syscall(SYS_mincore, at, sp - at, resident))
		while (i < n && !(resident[i] & 1))
			i++;
	forget(at + i * PAGE, sp);
}

static int add_local(struct dl_phdr_info *info, size_t size, void *thread)
{
	struct thread *t = thread;

	(void)size;
	if (!info->dlpi_tls_data || strstr(info->dlpi_name, "libtsan"))
		return 0;
	for (unsigned i = 0; i < info->dlpi_phnum && t->locals < RANGES; i++)
		if (info->dlpi_phdr[i].p_type == PT_TLS)
			t->local[t->locals++] =
				(struct range){(uintptr_t)info->dlpi_tls_data,
			                       info->dlpi_phdr[i].p_memsz};
	return 0;
}

/* ---- beginning and ending ---- */

/* In the child of a process that had several threads, TSan ignores what the thread that has
 * forked releases: there all calls are plain. */
UNSEEN static void in_child(void)
{
	forked = true;
	mine.nursery = NULL;
}

static void at_fork(void)
{
	pthread_atfork(NULL, NULL, in_child);
}

UNSEEN static void take_own(struct thread *t)
{
	lock();
	t->nursery = take_from(&nurseries, 0);
	t->aside = t->nursery ? take_from(&asides, 0) : NULL;
	if (t->aside) {
		threads++;
	} else if (t->nursery) {
		give_to(&nurseries, t->nursery);
		t->nursery = NULL;
	}
	unlock();
}

UNSEEN void filch__apart_begin(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, at_fork);
	mine.locals = 0;
	dl_iterate_phdr(add_local, &mine);
	if (!forked)
		take_own(&mine);
}

/* TSan counts a fiber as a thread, and a process that forks must have one thread if its
 * child is to have threads. */
UNSEEN static void destroy_all(struct ring *r)
{
	for (; r->count; r->count--)
		__tsan_destroy_fiber(r->fiber[r->first++ % FIBERS]);
	r->made = 0;
}

UNSEEN void filch__apart_end(void)
{
	if (!mine.nursery)
		return;
	lock();
	give_to(&nurseries, mine.nursery);
	give_to(&asides, mine.aside);
	if (!--threads) {
		destroy_all(&calls);
		destroy_all(&nurseries);
		destroy_all(&asides);
	}
	unlock();
	mine.nursery = NULL;
}

/* ---- the calls ---- */

UNSEEN void filch__apart_from(const void *from)
{
	__tsan_java_release_store((uintptr_t)from);
}

static void *enter(struct filch__apart *a, const void *from, char *lo);
static void leave(struct filch__apart *a);

UNSEEN void filch__apart_call(void (*fn)(struct filch__record *), struct filch__record *r,
                              const void *from, char *lo)
{
	struct filch__apart a;

	if (!enter(&a, from, lo)) {
		fn(r);
		return;
	}
	fn(r);
	leave(&a); /* perhaps on another thread */
}

/* A call apart takes some 10 us, so of very many only some are made: a task that is called
 * plainly, as part of its caller, still races with one that is called apart. */
UNSEEN static bool is_next(void)
{
	static volatile unsigned long asked; /* about how many */
	unsigned long n = asked + 1;

	asked = n;
	return n < ALL || n % ONE_OF == 0;
}

UNSEEN static void *enter(struct filch__apart *a, const void *from, char *lo)
{
	a->fiber = is_next() ? trade(NULL) : NULL;
	if (!a->fiber)
		return NULL;
	a->below = __tsan_get_current_fiber();
	a->outer = filch__apart_top;
	a->behind = true;
	a->aside = false;
	filch__apart_top = a;
	__tsan_switch_to_fiber(a->fiber, NO_SYNC);
	forget_frames((uintptr_t)lo, (uintptr_t)a);
	for (unsigned i = 0; i < mine.locals; i++)
		forget(mine.local[i].at, mine.local[i].at + mine.local[i].size);
	__tsan_acquire((void *)from);
	return a->fiber;
}

UNSEEN static void leave(struct filch__apart *a)
{
	__tsan_java_release_store((uintptr_t)a);
	__tsan_switch_to_fiber(a->below, NO_SYNC);
	__tsan_acquire(a);
	filch__apart_top = a->outer;
	trade(a->fiber);
}

UNSEEN static void catch_up(struct filch__apart *a)
{
	if (!a || !a->behind)
		return;
	catch_up(a->outer);
	__tsan_switch_to_fiber(a->below, NO_SYNC);
	__tsan_java_release_store((uintptr_t)a);
	__tsan_switch_to_fiber(a->fiber, NO_SYNC);
	__tsan_acquire(a);
	a->behind = false;
}

UNSEEN void filch__apart_catch_up(void)
{
	if (filch__apart_top && !filch__apart_top->aside)
		catch_up(filch__apart_top);
}

UNSEEN static void hide(void)
{
	AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
	AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
	if (filch__apart_top)
		filch__apart_top->aside = true;
}

UNSEEN static void show(void)
{
	if (filch__apart_top)
		filch__apart_top->aside = false;
	AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
	AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
}

/* Orders the aside after what a fiber has done. */
UNSEEN static void hand_over(void *fiber, void *with)
{
	__tsan_switch_to_fiber(fiber, NO_SYNC);
	__tsan_java_release_store((uintptr_t)with);
	__tsan_switch_to_fiber(mine.aside, NO_SYNC);
	__tsan_acquire(with);
}

UNSEEN void filch__apart_aside(void)
{
	struct filch__apart *a = filch__apart_top;

	for (; a; a = a->outer) {
		hand_over(a->fiber, a);
		if (!a->behind)
			break;
		if (!a->outer)
			hand_over(a->below, a);
	}
	hide();
}

UNSEEN void filch__apart_back(void)
{
	show();
	if (filch__apart_top)
		__tsan_switch_to_fiber(filch__apart_top->fiber, NO_SYNC);
}

#endif
