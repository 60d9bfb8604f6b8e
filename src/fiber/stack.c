/* SPDX-License-Identifier: MIT */
/*
 * A header is on its stack's topmost page, which is touched anyway. A stack's top and the
 * guard of the next stack are neighbours, so that they share a page table however large
 * stacks are. A huge page would commit 2 MiB at the first touch.
 */
#include "fiber/stack.h"

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__has_include)
#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#endif
#endif
#ifndef RUNNING_ON_VALGRIND
#define RUNNING_ON_VALGRIND 0
#endif

/* Valgrind assumes another stack when the stack pointer moves by more than 2 MB. (It can
 * be told of stacks instead. But since it remembers one stack for all threads, it then
 * mistakes the first large frame of a thread that resumes for a change of stacks.) */
#define VALGRIND_APART ((size_t)4 << 20)

/* LeakSanitizer, in programs that have it, is told of regions whose pointers keep memory
 * from being a leak. By itself it looks only at the stacks of threads. */
/* NOLINTBEGIN(bugprone-reserved-identifier) */
extern __attribute__((weak)) void __lsan_register_root_region(const void *, size_t);
extern __attribute__((weak)) void __lsan_unregister_root_region(const void *, size_t);
/* NOLINTEND(bugprone-reserved-identifier) */

#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102
#endif

/* The guard is a sixteenth of the stack, within these bounds. Frames larger than a guard
 * may step over it unless they are compiled with -fstack-clash-protection, which on
 * aarch64 expects the lower one. A marker costs an entry of a page table per page. */
#define GUARD_LEAST ((size_t)64 << 10)
#define GUARD_MOST ((size_t)256 << 10)
#define KEEP ((size_t)16 << 10) /* bytes that a trimmed stack keeps at its top */
#define BATCH (FILCH__STACK_CACHE / 2)
#define REFILL 16      /* stacks that a cache takes at once */
#define REFILL_LARGE 4 /* the same for stacks of which few fit into the first slab */
#define WARM 4         /* refills that the pool keeps untrimmed */
#define TEND 16        /* stacks that are trimmed at once */
#define SLAB_MIN 64    /* stacks in the first slab, unless they are large */
#define SLAB_BYTES ((size_t)64 << 20) /* then it has at most so many bytes */
#define SIZE_MOST ((size_t)1 << 40)

/* Stack tops that differ only by whole pages would all use the same few cache sets, and
 * if they differed by a multiple of many pages, few sets of the TLB. So the distance of
 * two stacks is an odd number of pages, and tops have colours. */
#define COLOURS 8
#define COLOUR ((size_t)128)

/* How far the first stack of a slab is from the start of its mapping, so that the top of
 * a stack and the guard of the next share a page table however large stacks are. */
#define SKEW ((size_t)64 << 10)

/* The number of guards by mprotect() that this process has. */
static _Atomic(size_t) guards_now;

static size_t round_up(size_t n, size_t unit)
{
	return (n + unit - 1) / unit * unit;
}

static void *map(size_t size)
{
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
	               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

/* Checks whether the kernel has guard markers. Emulators may accept any advice and do
 * nothing, so this function has the kernel write to a marker. Returns 0 or -errno. */
static int probe_markers(size_t page)
{
	char *p = map(page);
	int err = 0;

	if (!p)
		return -ENOMEM;
	if (madvise(p, page, MADV_GUARD_INSTALL))
		err = -errno;
	else if (syscall(SYS_getrandom, p, 1, 1 /* GRND_NONBLOCK */) != -1 ||
	         errno != EFAULT)
		err = -ENOSYS;
	munmap(p, page);
	return err;
}

/* Returns how many guards by mprotect() there may be. Each costs two mappings; a quarter
 * of all mappings is left to the program. */
static size_t most_guards(void)
{
	FILE *f = fopen("/proc/sys/vm/max_map_count", "re");
	unsigned long mappings = 0;

	if (f) {
		if (fscanf(f, "%lu", &mappings) != 1)
			mappings = 0;
		fclose(f);
	}
	return (mappings ? mappings : 65530) / 4 * 3 / 2;
}

static void degrade(struct filch__stacks *p, enum filch__guard level, int why)
{
	store_rlx(&p->level, level);   /* under the lock; else a hint */
	store_rlx(&p->level_why, why); /* as above */
}

static size_t guard_size(size_t size)
{
	if (size / 16 < GUARD_LEAST)
		return GUARD_LEAST;
	return size / 16 < GUARD_MOST ? size / 16 : GUARD_MOST;
}

int filch__stacks_init(struct filch__stacks *p, size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	int err;

	if (size < FILCH__STACK_MIN || size > SIZE_MOST)
		return -EINVAL;
	memset(p, 0, sizeof(*p));
	p->size = round_up(size, page);
	if (RUNNING_ON_VALGRIND && p->size < VALGRIND_APART)
		p->size = VALGRIND_APART;
	p->guard = round_up(guard_size(p->size), page);
	if ((p->guard + p->size) / page % 2 == 0)
		p->guard += page; /* see COLOURS */
	p->stride = p->guard + p->size;
	p->first = SLAB_BYTES / p->size < SLAB_MIN ? SLAB_BYTES / p->size + 1 : SLAB_MIN;
	p->refill = p->first < REFILL ? REFILL_LARGE : REFILL;
	err = pthread_mutex_init(&p->lock, NULL);
	if (err)
		return -err;
	atomic_init(&p->guards_most, most_guards());
	err = probe_markers(page);
	if (err)
		degrade(p, FILCH__GUARD_PROTECTED, err);
	return 0;
}

/* Returns the header of the stack whose guard begins at `lo`. */
static struct filch__stack *header(const struct filch__stacks *p, char *lo)
{
	return (struct filch__stack *)(void *)(lo + p->stride -
	                                       sizeof(struct filch__stack));
}

/* A range of memory that stacks have been made of. */
struct made {
	char *lo, *end;
};

/* Finds the ranges in which stacks are. Returns how many ranges there are. */
static unsigned find_made(struct filch__stacks *p, struct made made[FILCH__SLABS])
{
	unsigned n;

	pthread_mutex_lock(&p->lock);
	n = p->slabs;
	for (unsigned i = 0; i < n; i++) {
		made[i].lo = (char *)load_rlx(&p->slab[i].lo);   /* under the lock */
		made[i].end = (char *)load_rlx(&p->slab[i].end); /* as above */
	}
	if (n)
		made[n - 1].end = p->fresh;
	pthread_mutex_unlock(&p->lock);
	return n;
}

void filch__stacks_each(struct filch__stacks *p,
                        void (*visit)(struct filch__stack *stack, void *arg), void *arg)
{
	struct made made[FILCH__SLABS];
	unsigned n = find_made(p, made);

	/* The lock is not held here, since workers would wait for it; stacks stay where
	 * they are. */
	for (unsigned i = 0; i < n; i++)
		for (char *at = made[i].lo; at < made[i].end; at += p->stride) {
			struct filch__stack *s = header(p, at);

			/* K1 acquire: pairs with the release in make(); carries the
			 * header. */
			if (load_acq(&s->made))
				visit(s, arg);
		}
}

static void unmake(struct filch__stack *s, void *arg)
{
	const struct filch__stacks *p = arg;

	if (s->guard == FILCH__GUARD_PROTECTED)
		add_rlx(&guards_now, (size_t)-1); /* a count */
	if (__lsan_unregister_root_region)
		__lsan_unregister_root_region(s->lo, p->size);
}

void filch__stacks_destroy(struct filch__stacks *p)
{
	/* Relaxed: no other thread is left. */
	assert(load_rlx(&p->spare) + p->trimmed_count == p->made); /* as above */
	filch__stacks_each(p, unmake, p);
	for (unsigned i = 0; i < p->slabs; i++) {
		uintptr_t lo = load_rlx(&p->slab[i].lo);   /* no other thread is left */
		uintptr_t end = load_rlx(&p->slab[i].end); /* as above */

		munmap((char *)lo - SKEW, end - lo + SKEW);
	}
	pthread_mutex_destroy(&p->lock);
}

/* Maps as many stacks as there are already, or half of that, and so on, if the system
 * refuses. */
static bool slab_add(struct filch__stacks *p)
{
	size_t n = p->made > p->first ? p->made : p->first;
	char *m = NULL;

	if (p->slabs == FILCH__SLABS)
		return false;
	while (n && !(m = map(SKEW + n * p->stride)))
		n /= 2;
	if (!m)
		return false;
	/* A huge page would be committed whole at the first touch. If the call is
	 * refused, the kernel has no huge pages. */
	(void)madvise(m, SKEW + n * p->stride, MADV_NOHUGEPAGE);
	p->fresh = m + SKEW;
	p->fresh_end = p->fresh + n * p->stride;
	/* Relaxed: a strand that overflows a stack took it under the lock, after this. */
	store_rlx(&p->slab[p->slabs].lo, (uintptr_t)p->fresh);      /* as above */
	store_rlx(&p->slab[p->slabs].end, (uintptr_t)p->fresh_end); /* as above */
	p->slabs++;
	return true;
}

/* Guards the new stack at `lo` without a marker, after the error `err` if that is not 0.
 * Caller: holds the lock. */
static enum filch__guard guard_otherwise(struct filch__stacks *p, char *lo, int err)
{
	unsigned level = load_rlx(&p->level); /* under the lock */

	if (level == FILCH__GUARD_MARKER) {
		degrade(p, FILCH__GUARD_PROTECTED, err);
		level = FILCH__GUARD_PROTECTED;
	}
	if (level == FILCH__GUARD_PROTECTED) {
		size_t most = load_rlx(&p->guards_most); /* constant, except in tests */

		err = -ENOMEM;
		if (add_rlx(&guards_now, 1) < most) { /* a count */
			if (!mprotect(lo, p->guard, PROT_NONE))
				return FILCH__GUARD_PROTECTED;
			err = -errno;
		}
		add_rlx(&guards_now, (size_t)-1); /* a count */
		degrade(p, FILCH__GUARD_NONE, err);
	}
	add_rlx(&p->unguarded, 1); /* a count */
	return FILCH__GUARD_NONE;
}

/* Guards the new stack at `lo` as well as the pool still can. */
static enum filch__guard guard(struct filch__stacks *p, char *lo)
{
	enum filch__guard result;
	int err = 0;

	if (load_rlx(&p->level) == FILCH__GUARD_MARKER) { /* a look; it may fall */
		if (!madvise(lo, p->guard, MADV_GUARD_INSTALL))
			return FILCH__GUARD_MARKER;
		err = -errno;
	}
	pthread_mutex_lock(&p->lock);
	result = guard_otherwise(p, lo, err);
	pthread_mutex_unlock(&p->lock);
	return result;
}

/* Takes fresh memory for up to n stacks; none if the system refuses. Caller: holds the
 * lock. */
static struct made carve(struct filch__stacks *p, size_t n)
{
	struct made m = {NULL, NULL};

	if (!n || (p->fresh == p->fresh_end && !slab_add(p)))
		return m;
	if (n > (size_t)(p->fresh_end - p->fresh) / p->stride)
		n = (size_t)(p->fresh_end - p->fresh) / p->stride;
	m.lo = p->fresh;
	m.end = p->fresh += n * p->stride;
	p->made += n;
	return m;
}

/* Makes the stack whose guard begins at `lo`. Only its maker knows of it. */
static struct filch__stack *make(struct filch__stacks *p, char *lo)
{
	struct filch__stack *s = header(p, lo);

	s->pool = p;
	s->guard = guard(p, lo);
	s->lo = lo + p->guard;
	s->hi = (char *)s - (uintptr_t)lo / p->stride % COLOURS * COLOUR;
	s->hi -= (uintptr_t)s->hi % 16;
	if (__lsan_register_root_region)
		__lsan_register_root_region(s->lo, p->size);
	/* K1 release: pairs with the acquire in filch__stacks_each(); carries the
	 * header. */
	store_rel(&s->made, 1);
	return s;
}

static void spare_add(struct filch__stacks *p, size_t n)
{
	store_rlx(&p->spare, load_rlx(&p->spare) + n); /* under the lock */
}

static struct filch__stack *pop(struct filch__stack **list)
{
	struct filch__stack *s = *list;

	if (s)
		*list = s->next;
	return s;
}

static struct filch__stack *get_free(struct filch__stacks *p)
{
	struct filch__stack *s = pop(&p->free);

	if (s)
		spare_add(p, (size_t)-1);
	return s;
}

/* Returns a stack that the pool has, or NULL. */
static struct filch__stack *get(struct filch__stacks *p)
{
	struct filch__stack *s = get_free(p);

	if (s)
		return s;
	s = pop(&p->trimmed);
	if (s)
		p->trimmed_count--;
	return s;
}

static void keep(struct filch__stack_cache *c, struct filch__stack *s)
{
	s->next = c->free;
	c->free = s;
	c->count++;
}

/* New stacks are guarded without the lock: each takes a system call, and touches a page. */
struct filch__stack *filch__stack_take_slow(struct filch__stacks *p,
                                            struct filch__stack_cache *c)
{
	struct filch__stack *s;
	struct made fresh;

	assert(!c->free && !c->count);
	pthread_mutex_lock(&p->lock);
	while (c->count < p->refill && (s = get(p)) != NULL)
		keep(c, s);
	fresh = carve(p, p->refill - c->count);
	pthread_mutex_unlock(&p->lock);
	for (char *at = fresh.lo; at < fresh.end; at += p->stride)
		keep(c, make(p, at));
	s = pop(&c->free);
	if (s)
		c->count--;
	return s;
}

bool filch__stack_prepare(struct filch__stacks *p, struct filch__stack_cache *c)
{
	struct filch__stack *s;

	if (c->free)
		return false;
	s = filch__stack_take_slow(p, c);
	if (!s)
		return false;
	keep(c, s);
	return true;
}

/* Gives back the pages that deep calls have touched. Guards stay as they are. */
static void trim(struct filch__stacks *p, struct filch__stack *s)
{
	if (p->size > KEEP)
		(void)madvise(s->lo, p->size - KEEP, MADV_DONTNEED);
}

/* Whether there are more stacks than the few that stay untrimmed for the next takers. */
static bool has_many(struct filch__stacks *p)
{
	return load_rlx(&p->spare) > WARM * p->refill; /* a look, or under the lock */
}

bool filch__stacks_tend(struct filch__stacks *p)
{
	struct filch__stack *s, *some = NULL, **end = &some;
	size_t n;

	if (!has_many(p))
		return false;
	pthread_mutex_lock(&p->lock);
	for (n = 0; n < TEND && has_many(p); n++) {
		*end = get_free(p);
		assert(*end); /* `spare` counts it */
		end = &(*end)->next;
	}
	*end = NULL;
	pthread_mutex_unlock(&p->lock);
	for (s = some; s; s = s->next)
		trim(p, s);
	pthread_mutex_lock(&p->lock);
	*end = p->trimmed;
	p->trimmed = some;
	p->trimmed_count += n;
	pthread_mutex_unlock(&p->lock);
	return true;
}

/* Moves a list of n stacks to the pool. */
static void give_back(struct filch__stacks *p, struct filch__stack *first, size_t n)
{
	struct filch__stack *last = first;

	while (last->next)
		last = last->next;
	pthread_mutex_lock(&p->lock);
	last->next = p->free;
	p->free = first;
	spare_add(p, n);
	pthread_mutex_unlock(&p->lock);
}

FILCH_COLD void filch__stack_give_slow(struct filch__stacks *p,
                                       struct filch__stack_cache *c)
{
	struct filch__stack *s = c->free, *rest;
	unsigned keep = c->count - BATCH;

	/* The cache keeps the newest stacks: their pages are in the processor's cache. */
	for (unsigned i = 1; i < keep; i++)
		s = s->next;
	rest = s->next;
	s->next = NULL;
	c->count = keep;
	give_back(p, rest, BATCH);
}

void filch__stack_cache_flush(struct filch__stacks *p, struct filch__stack_cache *c)
{
	if (c->free)
		give_back(p, c->free, c->count);
	*c = (struct filch__stack_cache){0};
}

/* ThreadSanitizer does not look at it: the handler of an overflow is ordered after nothing
 * that other threads did. */
__attribute__((no_sanitize("thread"))) struct filch__stack *filch__stack_of_guard(
	struct filch__stacks *p, const void *address)
{
	uintptr_t a = (uintptr_t)address;

	for (unsigned i = 0; i < FILCH__SLABS; i++) {
		uintptr_t lo = load_rlx(&p->slab[i].lo);   /* see slab_add() */
		uintptr_t end = load_rlx(&p->slab[i].end); /* as above */
		size_t into = a < lo || a >= end ? 0 : (a - lo) % p->stride;
		struct filch__stack *s;

		if (a < lo || a >= end || into >= p->guard)
			continue;
		s = header(p, (char *)(a - into));
		return s->lo ? s : NULL;
	}
	return NULL;
}
