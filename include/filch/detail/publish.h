/* SPDX-License-Identifier: MIT */
/*
 * The two operations that the fast path consists of: to publish a record, and to take it
 * back. Part of filch/task.h; nothing here is for users. See src/strand/README.md,
 * "Records".
 */
#ifndef FILCH_DETAIL_PUBLISH_H
#define FILCH_DETAIL_PUBLISH_H

#include <filch/detail/atomic.h>
#include <filch/detail/record.h>
#include <stdbool.h>

#if defined(__SANITIZE_THREAD__)
#define FILCH__TOLD 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define FILCH__TOLD 1
#endif
#endif

/* Whether bodies of tasks are nested: see define.h. Not in C++, where a lambda in the body
 * would have to capture the level. */
#if defined(__clang__) && defined(__OPTIMIZE__) && !defined(__OPTIMIZE_SIZE__) && \
	!defined(__cplusplus)
#define FILCH__NESTS 1
#endif

#define FILCH__INLINE __attribute__((always_inline, unused)) inline
#define FILCH__COLD __attribute__((noinline, cold, unused))
#define FILCH__UNUSED __attribute__((unused))

/* Makes the record one that the runtime may find on the stack, once all that the task may
 * read is in memory. `described` is an lvalue in memory that points to the task. The mark
 * becomes the address of the record plus the secret, whose lowest bits say whether a worker
 * is hungry. One store writes it together with the
 * task: of all that a spawn does, its stores cost most. The compiler neither splits nor
 * moves it. The compiler does not see the address either: otherwise gcc keeps it over calls
 * for the slow path of the join, which costs more than to form it again. */
#if defined(__x86_64__) && defined(__SSE2__)
#ifdef __AVX__
#define FILCH__PAIR "vmovq %1, %2\n\tvmovhps %3, %2, %2\n\tvmovaps %2, %0"
#else
#define FILCH__PAIR "movq %1, %2\n\tmovhps %3, %2\n\tmovaps %2, %0"
#endif
typedef unsigned long long filch__pair __attribute__((vector_size(16), may_alias));
#define FILCH__PUBLISH(r, described)                                             \
	do {                                                                     \
		uint64_t filch__word;                                            \
		filch__pair filch__both;                                         \
                                                                                 \
		__asm__ __inline__ __volatile__(                                 \
			"leaq %0, %1\n\taddq %4, %1\n\t" FILCH__PAIR             \
			: "=m"(*(filch__pair *)(void *)(r)), "=&r"(filch__word), \
			  "=&x"(filch__both)                                     \
			: "m"(described), "m"(filch__secret)                     \
			: "memory", "cc");                                       \
	} while (0)
#else
#define FILCH__PUBLISH(r, described)                                                \
	do {                                                                        \
		(r)->task = (described);                                            \
		__asm__ __volatile__("" : : "m"((r)->task) : "memory");             \
		*(volatile uint64_t *)&(r)->mark = (uintptr_t)(r) +                 \
		                                   filch__load_rlx(&filch__secret); \
	} while (0)
#endif

/* Forces the argument to be in memory at this point. Each of several arguments is forced by
 * itself: otherwise the compiler combines them into a vector, early, which is work done in
 * vain on the paths that spawn nothing. */
#define FILCH__STORED(arg) __asm__ __volatile__("" : : "m"(arg))

/* Spawns a record whose arguments are set, for the task that *described points to. */
static FILCH__INLINE void filch__spawned(struct filch__record *r,
                                         const struct filch__task *const *described)
{
#if defined(FILCH__TOLD) || defined(FILCH_DEBUG) || defined(FILCH_EAGER) || FILCH__LISTING
	r->task = *described;
#endif
#ifdef FILCH__TOLD
	filch__told_spawn(r);
#endif
#ifdef FILCH_DEBUG
	filch__check_spawn(r);
#endif
#if defined(FILCH_EAGER)
	filch__spawn_eager(r);
#elif FILCH__LISTING
	filch__spawn_listed(r, FILCH__LISTING);
#else
	FILCH__PUBLISH(r, *described);
#endif
}

/* Under ThreadSanitizer no record looks private: the slow half of the join tells TSan of
 * the task, see filch__told_spawn(). */
static FILCH__INLINE bool filch__seen(struct filch__record *r, bool was_live)
{
#ifdef FILCH__TOLD
	if (was_live)
		r->mark = FILCH__SHIFTED(FILCH__HEARD);
	return false;
#else
	(void)r;
	return was_live;
#endif
}

/* Shifts the mark, and goes to `other` if it was not that of a private record. With the
 * jump in the assembly gcc takes the function for a shorter one, and inlines more. */
#if defined(__clang__) || __GNUC__ < 11
#define FILCH__TAKE(r, other)                                                           \
	do {                                                                            \
		bool filch__live;                                                       \
                                                                                        \
		__asm__ __inline__ __volatile__("shlq %[by], %0"                        \
		                                : "+m"((r)->mark), "=@ccc"(filch__live) \
		                                : [by] "i"(FILCH__SHIFT));              \
		if (!filch__live)                                                       \
			goto other;                                                     \
	} while (0)
#else
#define FILCH__TAKE(r, other)                                                       \
	__asm__ __inline__ __volatile__ goto("shlq %[by], %0\n\tjnc %l[" #other "]" \
	                                     : "+m"((r)->mark)                      \
	                                     : [by] "i"(FILCH__SHIFT)               \
	                                     : "cc"                                 \
	                                     : other)
#endif

/* Takes a spawned record back. Returns true if it was still private: then no other thread
 * has seen it. A signal handler may expose the record at any moment. Therefore one
 * instruction both removes the mark and tells what the mark was; or, on other processors,
 * the mark is removed first, and the trace that the handler leaves is looked for
 * afterwards. */
static FILCH__INLINE bool filch__take_back(struct filch__record *r,
                                           const struct filch__task *task)
{
#ifdef FILCH_DEBUG
	filch__check_join(r);
#endif
#if FILCH__LISTING
	(void)task;
	return filch__seen(r, filch__join_listed(r));
#elif defined(__x86_64__)
	(void)task;
	FILCH__TAKE(r, other);
	return filch__seen(r, true);
other:
	return false;
#else
	uint64_t mark = *(volatile uint64_t *)&r->mark;

	*(volatile uint64_t *)&r->mark = 0;
	__asm__ __volatile__("" : "+m"(r->mark), "+m"(r->task));
	if (__builtin_expect(r->task == task && (mark & FILCH__LIVE), 1))
		return filch__seen(r, true);
	/* The slow path expects what the shift above leaves. */
	r->mark = FILCH__SHIFTED(r->task == task ? mark : FILCH__EXPOSED);
	return false;
#endif
}

#endif
