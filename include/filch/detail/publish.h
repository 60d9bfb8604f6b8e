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

#define FILCH__INLINE __attribute__((always_inline, unused)) inline
#define FILCH__COLD __attribute__((noinline, cold, unused))
#define FILCH__UNUSED __attribute__((unused))
#define FILCH__NEVER(x) __builtin_expect_with_probability(!!(x), 0, 1.0)

/* Makes the record one that the runtime may find on the stack, once all that the task may
 * read is in memory. Its mark becomes its address plus the secret, whose lowest bits say
 * whether a worker is hungry. The compiler neither splits nor moves the store. It does not
 * see the address either: otherwise gcc keeps it over calls for the slow path of the join,
 * which costs more than to form it again. */
#if defined(__x86_64__)
#define FILCH__PUBLISH(r)                                           \
	do {                                                        \
		uint64_t filch__word = 0;                           \
                                                                    \
		__asm__ __inline__ __volatile__(                    \
			"leaq %0, %1\n\taddq %2, %1\n\tmovq %1, %0" \
			: "=m"((r)->mark), "=&r"(filch__word)       \
			: "m"(filch__secret), "m"((r)->task)        \
			: "memory", "cc");                          \
	} while (0)
#else
#define FILCH__PUBLISH(r)                                                          \
	do {                                                                       \
		__asm__ __volatile__("" : : "m"((r)->task) : "memory");            \
		*(volatile uint64_t *)&(r)->mark =                                 \
			(uintptr_t)(r) + filch__load_rlx(&filch__secret);          \
	} while (0)
#endif

/* Forces the argument to be in memory at this point. Each argument is forced by itself:
 * otherwise the compiler combines several of them into a vector, early, which is work done
 * in vain on the paths that spawn nothing. */
#define FILCH__STORED(arg) __asm__ __volatile__("" : : "m"(arg))

/* Spawns a record whose task and arguments are set. */
static FILCH__INLINE void filch__spawned(struct filch__record *r)
{
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
	FILCH__PUBLISH(r);
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
	bool was_live;

	(void)task;
	__asm__ __inline__ __volatile__("shlq %2, %0"
	                                : "+m"(r->mark), "=@ccc"(was_live)
	                                : "i"(FILCH__SHIFT));
	return filch__seen(r, was_live);
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
