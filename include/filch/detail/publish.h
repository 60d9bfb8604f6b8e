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
#if !defined(FILCH_ASK_POLL) && defined(FILCH__TOLD)
#define FILCH_ASK_POLL 1
#endif

#define FILCH__INLINE __attribute__((always_inline, unused)) inline
#define FILCH__COLD __attribute__((noinline, cold, unused))
#define FILCH__UNUSED __attribute__((unused))
#define FILCH__NEVER(x) __builtin_expect_with_probability(!!(x), 0, 1.0)

/* Makes the record one that the runtime may find on the stack. The compiler neither splits
 * nor moves this store, and the number that it stores is never in a register that is saved:
 * so there is no copy of the mark elsewhere on the stack. On a processor where this cannot
 * be guaranteed, the record says where it lies, and the runtime ignores any copy. */
#if defined(__x86_64__)
#define FILCH__PUBLISH(r)                                 \
	__asm__ __inline__ __volatile__("movl %2, %0"     \
	                                : "=m"((r)->mark) \
	                                : "m"((r)->task), "i"(FILCH__LIVE))
#elif defined(__aarch64__)
#define FILCH__PUBLISH(r)                                                           \
	__asm__ __inline__ __volatile__(                                            \
		"mov w17, %1\n\tmovk w17, %2, lsl 16\n\tstr w17, %0"                \
		: "=m"((r)->mark)                                                   \
		: "i"(FILCH__LIVE & 0xffff), "i"(FILCH__LIVE >> 16), "m"((r)->task) \
		: "x17")
#else
#define FILCH__PUBLISH(r)                                                     \
	do {                                                                  \
		(r)->where = (uint32_t)(uintptr_t)(r);                        \
		__asm__ __volatile__("" : : "m"((r)->task), "m"((r)->where)); \
		*(volatile uint32_t *)&(r)->mark = FILCH__LIVE;               \
	} while (0)
#endif

/* Forces the argument to be in memory at this point. Each argument is forced by itself:
 * otherwise the compiler combines several of them into a vector, early, which is work done
 * in vain on the paths that spawn nothing. */
#define FILCH__STORED(arg) __asm__ __volatile__("" : : "m"(arg))

/* The number that a polling join adds. Under ThreadSanitizer it is as if a worker always
 * asked: the slow half of the join tells TSan of the task, see filch__told_spawn(). */
#ifdef FILCH__TOLD
#define FILCH__EXPECTED (0u - FILCH__HUNGRY)
#else
#define FILCH__EXPECTED filch__load_rlx(&filch__expected)
#endif

/* Spawns a record whose task and arguments are set. */
static FILCH__INLINE void filch__spawned(struct filch__record *r)
{
#ifdef FILCH__TOLD
	filch__told_spawn(r);
#endif
#ifdef FILCH_DEBUG
	filch__check_spawn(r);
#endif
#ifdef FILCH_EAGER
	filch__spawn_eager(r);
#else
	FILCH__PUBLISH(r);
#endif
}

/* Takes a spawned record back. Returns true if it was still private: then no other thread
 * has seen it. A signal handler may expose the record at any moment. Therefore one
 * instruction both removes the mark and tells what the mark was; or, on other processors,
 * the mark is removed first, and the trace that the handler leaves is looked for
 * afterwards. Like FILCH__PUBLISH, this never has FILCH__LIVE in a register. */
static FILCH__INLINE bool filch__take_back(struct filch__record *r,
                                           const struct filch__task *task)
{
#ifdef FILCH_DEBUG
	filch__check_join(r);
#endif
#if defined(__x86_64__)
	bool other;

	(void)task;
#ifdef FILCH_ASK_POLL
	__asm__ __inline__ __volatile__("addl %2, %0"
	                                : "+m"(r->mark), "=@ccne"(other)
	                                : "r"(FILCH__EXPECTED));
#else
	__asm__ __inline__ __volatile__("subl %2, %0"
	                                : "+m"(r->mark), "=@ccne"(other)
	                                : "i"(FILCH__LIVE));
#endif
	return !other;
#else
	bool hungry = false;

	*(volatile uint32_t *)&r->mark = 0;
	__asm__ __volatile__("" : "+m"(r->mark), "+m"(r->task));
#ifdef FILCH_ASK_POLL
	hungry = FILCH__EXPECTED != FILCH__MINUS_LIVE;
#endif
	if (__builtin_expect(r->task == task && !hungry, 1))
		return true;
	/* The slow path expects the difference that the subtraction above leaves. */
	r->mark = r->task != task ? FILCH__EXPOSED - (uint32_t)FILCH__LIVE
	                          : FILCH__LIVE - (uint32_t)FILCH__HUNGRY;
	return false;
#endif
}

#endif
