/* SPDX-License-Identifier: MIT */
/*
 * Tasks: functions that may run elsewhere.
 *
 *   FILCH_TASK(result, name, (type, parameter)...) { body }    defines a task
 *   FILCH_TASK_VOID(name, (type, parameter)...) { body }       one without a result
 *   FILCH_TASK_DECL(result, name, (type, parameter)...);       declares one that is
 *   FILCH_TASK_VOID_DECL(name, (type, parameter)...);          defined later or elsewhere
 *   FILCH_STATIC_TASK, _STATIC_TASK_VOID, ..._DECL             the same, for this file
 *
 *   FILCH_SPAWN(x, name, arguments...);    declares x: the call may run elsewhere
 *   FILCH_JOIN(x)                          its result; runs it here unless somebody has it
 *   FILCH_CALL(name, arguments...)         a plain call
 *   FILCH_RUN(name, arguments...)          from any thread: runs it on the default pool
 *   FILCH_RUN_ON(pool, name, arguments...) the same on a pool of one's own
 *
 *   FILCH_FRAME(name) part[n];                     for a number known at run time:
 *   FILCH_SPAWN_AT(&part[i], name, arguments...);  spawns into an element
 *   FILCH_JOIN_AT(&part[i], name)                  joins it
 *
 * Up to eight parameters, of any type that can be assigned. What was spawned must be
 * joined, once, by the function that spawned it, in any order. Frames and arrays of them
 * belong on the stack: the runtime looks for spawned tasks there and only there. For more
 * than fits there, or tasks that outlive the frame, see filch/group.h.
 *
 * After a join the function may run on another thread: errno and other thread-local
 * variables must be read again. While a worker is asked for tasks, a system call that is
 * not restarted after a signal (poll, nanosleep, ...) may return EINTR early. Joins may
 * stand in a C++ catch block; an exception may pass a FILCH_SPAWN, but no frame of
 * FILCH_SPAWN_AT that is not joined.
 *
 * A task is a function of its name; FILCH_CALL(fib, 3) is fib(3). Outside a pool a spawn
 * and its join are a call, made at the join.
 *
 * Defined before this header is included:
 *   FILCH_EAGER     every spawn goes straight into a queue (for comparing queues)
 *   FILCH_ASK_POLL  joins look whether somebody is hungry; needed where the pool's option
 *                   `ask` is "poll", and on by default under ThreadSanitizer
 *   FILCH_DEBUG     checks what would cost time: use outside a pool, a join by another
 *                   strand, a join forgotten, a frame that is not on the strand's stack
 */
#ifndef FILCH_TASK_H
#define FILCH_TASK_H

#include <filch/atomic.h>
#include <filch/pairs.h>
#include <filch/record.h>
#include <stdbool.h>

#if !defined(FILCH_ASK_POLL) && defined(__SANITIZE_THREAD__)
#define FILCH_ASK_POLL 1
#elif !defined(FILCH_ASK_POLL) && defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define FILCH_ASK_POLL 1
#endif
#endif

#define FILCH__INLINE __attribute__((always_inline, unused)) inline
#define FILCH__COLD __attribute__((noinline, cold, unused))
#define FILCH__UNUSED __attribute__((unused))
#define FILCH__NEVER(x) __builtin_expect_with_probability(!!(x), 0, 1.0)

/* ---- the two operations that everything here is about ---- */

/* Makes the record one that the runtime may find. A store that the compiler neither
 * splits nor moves, of a number that is in no register that is ever saved: so no copy of
 * it can be elsewhere on the stack. Where that cannot be had, the record says where it
 * is. */
#if defined(__x86_64__)
#define FILCH__PUBLISH(r)                                 \
	__asm__ __inline__ __volatile__("movl %1, %0"     \
	                                : "=m"((r)->mark) \
	                                : "i"(FILCH__LIVE), "m"((r)->task))
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

/* Has the argument in memory by now. One at a time: vectors of them are made early, and in
 * vain where nothing is spawned after all. */
#define FILCH__STORED(arg) __asm__ __volatile__("" : : "m"(arg));

/* Takes it back. True if it was still private: then nobody else has seen it. A signal
 * handler may expose the record at any moment; so one instruction both unpublishes it and
 * tells what it was, or else the mark goes first and the handler's trace is looked for
 * afterwards. Like FILCH__PUBLISH, it never has FILCH__LIVE in a register. */
static FILCH__INLINE bool filch__take_back(struct filch__record *r,
                                           const struct filch__task *task)
{
#if defined(__x86_64__)
	bool other;

	(void)task;
#ifdef FILCH_ASK_POLL
	__asm__ __inline__ __volatile__("addl %2, %0"
	                                : "+m"(r->mark), "=@ccne"(other)
	                                : "r"(filch__load_rlx(&filch__expected)));
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
	hungry = filch__load_rlx(&filch__expected) != FILCH__MINUS_LIVE;
#endif
	if (__builtin_expect(r->task == task && !hungry, 1))
		return true;
	/* For the slow path, as the subtraction above would have left it. */
	r->mark = r->task != task ? FILCH__EXPOSED - (uint32_t)FILCH__LIVE
	                          : FILCH__LIVE - (uint32_t)FILCH__HUNGRY;
	return false;
#endif
}

/* clang-format off */
#define FILCH__KEEP(type, name) filch__self->args.name = name; FILCH__STORED(filch__self->args.name)
#define FILCH__PASS(type, name) filch__self->args.name
#define FILCH__NAME(type, name) \
	(__builtin_classify_type(name) <= 5 ? name : filch__self->args.name)
/* clang-format on */

#ifdef __cplusplus
#define FILCH__ASSERT static_assert
/* No types within sizeof in C++: a bound that holds for any order and alignment. */
template <class... T> struct filch__bound;
template <> struct filch__bound<> {
	static constexpr size_t size = sizeof(struct filch__record) + 16;
};
template <class T, class... More> struct filch__bound<T, More...> {
	static constexpr size_t size = sizeof(T) + alignof(T) +
	                               filch__bound<More...>::size;
};
#define FILCH__SIZE(x, ...) (filch__bound<FILCH__LIST(FILCH__TYPE, ##__VA_ARGS__)>::size)
#define FILCH__SIZE_OF(result, ...) \
	(sizeof(result) + alignof(result) + FILCH__SIZE(0, ##__VA_ARGS__))
#define FILCH__EMITTED __attribute__((used))
#else
#define FILCH__ASSERT _Static_assert
#define FILCH__SIZE(x, ...)                                       \
	sizeof(struct {                                           \
		struct filch__record head;                        \
		struct {                                          \
			FILCH__EACH(FILCH__MEMBER, ##__VA_ARGS__) \
		} args;                                           \
	})
#define FILCH__SIZE_OF(result_type, ...)                          \
	sizeof(struct {                                           \
		struct filch__record head;                        \
		struct {                                          \
			FILCH__EACH(FILCH__MEMBER, ##__VA_ARGS__) \
		} args;                                           \
		result_type result;                               \
	})
#define FILCH__EMITTED
#endif

/* ---- declaring and defining ---- */

/* All of these may be repeated: a task can be declared and then defined. `link` is
 * `static` or nothing. */
#define FILCH__DECLARE(link, result, name, bytes, ...)                          \
	link result name(FILCH__PARAMS(0, ##__VA_ARGS__));                      \
	link void name##__set(                                                  \
		struct filch__record *FILCH__MORE(FILCH__TYPE, ##__VA_ARGS__)); \
	link void name##__spawn(                                                \
		struct filch__record *FILCH__MORE(FILCH__TYPE, ##__VA_ARGS__)); \
	link result name##__join(struct filch__record *FILCH__MORE(             \
		FILCH__PARAM, ##__VA_ARGS__) FILCH__FILL(0, ##__VA_ARGS__));    \
	link result name##__join_at(struct filch__record *);                    \
	FILCH__VALUES(name, ##__VA_ARGS__);                                     \
	link result name##__result(struct filch__record *);                     \
	extern char name##__size[bytes]

#define FILCH__DEFINE(link, result_type, name, RESULT, ...)                              \
	struct name##__record {                                                          \
		struct filch__record head;                                               \
		struct {                                                                 \
			FILCH__EACH(FILCH__MEMBER, ##__VA_ARGS__)                        \
		} args;                                                                  \
		FILCH__MEMBER_##RESULT(result_type)                                      \
	} __attribute__((may_alias));                                                    \
	FILCH__ASSERT(sizeof(struct name##__record) <= sizeof name##__size,              \
	              "task " #name ": declared with other parameters");                 \
	FILCH__ASSERT(__alignof__(struct name##__record) <= 16,                          \
	              "task " #name                                                      \
	              ": pass what is aligned to more than 16 by pointer");              \
	static FILCH__UNUSED void name##__run(struct filch__record *filch__r)            \
	{                                                                                \
		struct name##__record *filch__self = (struct name##__record *)filch__r;  \
                                                                                         \
		(void)filch__self;                                                       \
		FILCH__SAVE_##RESULT name(FILCH__LIST(FILCH__PASS, ##__VA_ARGS__));      \
	}                                                                                \
	static struct filch__task name##__task                                           \
		__attribute__((section("filch_tasks"), used, aligned(8))) = {            \
			#name, name##__run, sizeof(struct name##__record),               \
			(void (*)(void))name};                                           \
	FILCH__EMITTED FILCH__INLINE link void name##__set(                              \
		struct filch__record *filch__r FILCH__MORE(FILCH__PARAM, ##__VA_ARGS__)) \
	{                                                                                \
		struct name##__record *filch__self = (struct name##__record *)filch__r;  \
                                                                                         \
		filch__self->head.task = &name##__task;                                  \
		FILCH__EACH(FILCH__KEEP, ##__VA_ARGS__)                                  \
	}                                                                                \
	FILCH__EMITTED FILCH__INLINE link void name##__spawn(                            \
		struct filch__record *filch__r FILCH__MORE(FILCH__PARAM, ##__VA_ARGS__)) \
	{                                                                                \
		struct name##__record *filch__self = (struct name##__record *)filch__r;  \
                                                                                         \
		filch__self->head.task = &name##__task;                                  \
		FILCH__EACH(FILCH__KEEP, ##__VA_ARGS__)                                  \
		FILCH__SPAWNED(&filch__self->head);                                      \
	}                                                                                \
	FILCH__COLD static result_type name##__wait(struct filch__record *filch__r)      \
	{                                                                                \
		filch__join_slow(filch__r);                                              \
		FILCH__RETURN_##RESULT(name, filch__r);                                  \
	}                                                                                \
	FILCH__EMITTED FILCH__INLINE link result_type name##__join(                      \
		struct filch__record *filch__r FILCH__MORE(FILCH__PARAM, ##__VA_ARGS__)  \
			FILCH__FILL(0, ##__VA_ARGS__))                                   \
	{                                                                                \
		struct name##__record *filch__self = (struct name##__record *)filch__r;  \
                                                                                         \
		(void)filch__self;                                                       \
		FILCH__DROP(0, ##__VA_ARGS__)                                            \
		FILCH__CHECK_JOIN(filch__r);                                             \
		if (FILCH__NEVER(!filch__take_back(filch__r, &name##__task)))            \
			return name##__wait(filch__r);                                   \
		return name(FILCH__LIST(FILCH__NAME, ##__VA_ARGS__));                    \
	}                                                                                \
	FILCH__EMITTED FILCH__INLINE link result_type name##__join_at(                   \
		struct filch__record *filch__r)                                          \
	{                                                                                \
		struct name##__record *filch__self = (struct name##__record *)filch__r;  \
                                                                                         \
		(void)filch__self;                                                       \
		FILCH__CHECK_JOIN(filch__r);                                             \
		if (FILCH__NEVER(!filch__take_back(filch__r, &name##__task)))            \
			return name##__wait(filch__r);                                   \
		return name(FILCH__LIST(FILCH__PASS, ##__VA_ARGS__));                    \
	}                                                                                \
	FILCH__EMITTED FILCH__INLINE link result_type name##__result(                    \
		struct filch__record *filch__r)                                          \
	{                                                                                \
		(void)filch__r;                                                          \
		FILCH__RETURN_##RESULT(name, filch__r);                                  \
	}                                                                                \
	result_type name(FILCH__PARAMS(0, ##__VA_ARGS__))

#define FILCH__MEMBER_VALUE(result_type) result_type result;
#define FILCH__SAVE_VALUE filch__self->result =
#define FILCH__RETURN_VALUE(name, r) return ((struct name##__record *)(r))->result
#define FILCH__MEMBER_NOTHING(result_type)
#define FILCH__SAVE_NOTHING
#define FILCH__RETURN_NOTHING(name, r) (void)(r)

#ifdef FILCH_DEBUG
#define FILCH__CHECK_SPAWN(r) filch__check_spawn(r)
#define FILCH__CHECK_JOIN(r) filch__check_join(r)
#else
#define FILCH__CHECK_SPAWN(r) (void)0
#define FILCH__CHECK_JOIN(r) (void)0
#endif

#ifdef FILCH_EAGER
#define FILCH__SPAWNED(r)              \
	do {                           \
		FILCH__CHECK_SPAWN(r); \
		filch__spawn_eager(r); \
	} while (0)
#else
#define FILCH__SPAWNED(r)              \
	do {                           \
		FILCH__CHECK_SPAWN(r); \
		FILCH__PUBLISH(r);     \
	} while (0)
#endif

#define FILCH__DECL(link, result, name, ...)                                      \
	FILCH__DECLARE(link, result, name, FILCH__SIZE_OF(result, ##__VA_ARGS__), \
	               ##__VA_ARGS__)
#define FILCH__DECL_VOID(link, name, ...) \
	FILCH__DECLARE(link, void, name, FILCH__SIZE(0, ##__VA_ARGS__), ##__VA_ARGS__)

#define FILCH_TASK_DECL(result, name, ...) FILCH__DECL(, result, name, ##__VA_ARGS__)
#define FILCH_TASK_VOID_DECL(name, ...) FILCH__DECL_VOID(, name, ##__VA_ARGS__)
#define FILCH_STATIC_TASK_DECL(result, name, ...) \
	FILCH__DECL(static, result, name, ##__VA_ARGS__)
#define FILCH_STATIC_TASK_VOID_DECL(name, ...) \
	FILCH__DECL_VOID(static, name, ##__VA_ARGS__)

#define FILCH_TASK(result, name, ...)               \
	FILCH__DECL(, result, name, ##__VA_ARGS__); \
	FILCH__DEFINE(, result, name, VALUE, ##__VA_ARGS__)
#define FILCH_TASK_VOID(name, ...)               \
	FILCH__DECL_VOID(, name, ##__VA_ARGS__); \
	FILCH__DEFINE(, void, name, NOTHING, ##__VA_ARGS__)
#define FILCH_STATIC_TASK(result, name, ...)              \
	FILCH__DECL(static, result, name, ##__VA_ARGS__); \
	FILCH__DEFINE(static, result, name, VALUE, ##__VA_ARGS__)
#define FILCH_STATIC_TASK_VOID(name, ...)              \
	FILCH__DECL_VOID(static, name, ##__VA_ARGS__); \
	FILCH__DEFINE(static, void, name, NOTHING, ##__VA_ARGS__)

/* ---- using ---- */

#define FILCH_FRAME(task)                                                             \
	union {                                                                       \
		struct filch__record head;                                            \
		unsigned char body[sizeof task##__size] __attribute__((aligned(16))); \
	}

#define FILCH_SPAWN_AT(frame, task, ...) task##__spawn(&(frame)->head, ##__VA_ARGS__)
#define FILCH_JOIN_AT(frame, task) task##__join_at(&(frame)->head)

/* Looks after a frame that is left without a join: in C++ an exception may do so, in C
 * nobody should. */
#if defined(__cplusplus)
struct filch__keeper {
	struct filch__record *r;

	~filch__keeper()
	{
		if (r->mark)
			filch__abandon(r);
	}
};
#define FILCH__KEEPER(x) struct filch__keeper x##__keeper = {&x.head}
#define FILCH__LEFT
#elif defined(FILCH_DEBUG)
#define FILCH__KEEPER(x) (void)0
#define FILCH__LEFT __attribute__((cleanup(filch__check_left)))
#else
#define FILCH__KEEPER(x) (void)0
#define FILCH__LEFT
#endif

/* The arguments are kept in variables, too, x__1 and so on: the record's address gets
 * about, so that the compiler would have to load them from it again. A join that was
 * forgotten shows as a warning: x__join is not used. */
#define FILCH_SPAWN(x, task, ...)                                        \
	FILCH__LEFT FILCH_FRAME(task) x;                                 \
	static __typeof__(&task##__join) const x##__join = task##__join; \
	FILCH__LOCALS(x, task, ##__VA_ARGS__);                           \
	task##__spawn(&x.head FILCH__NAMED(x, ##__VA_ARGS__));           \
	FILCH__KEEPER(x)
#define FILCH_JOIN(x) \
	x##__join(&x.head, x##__1, x##__2, x##__3, x##__4, x##__5, x##__6, x##__7, x##__8)

#define FILCH_CALL(task, ...) ((void)sizeof task##__size, task(__VA_ARGS__))

#define FILCH_RUN(task, ...) FILCH_RUN_ON((struct filch_pool *)NULL, task, ##__VA_ARGS__)
#define FILCH_RUN_ON(pool, task, ...)                       \
	__extension__({                                     \
		FILCH_FRAME(task) filch__f;                 \
                                                            \
		task##__set(&filch__f.head, ##__VA_ARGS__); \
		filch__run(pool, &filch__f.head);           \
		task##__result(&filch__f.head);             \
	})

/* ---- where the tasks of this program or library are ---- */

#ifdef __cplusplus
extern "C" {
#endif
extern const struct filch__task __start_filch_tasks[]
	__attribute__((weak, visibility("hidden")));
extern const struct filch__task __stop_filch_tasks[]
	__attribute__((weak, visibility("hidden")));
#ifdef __cplusplus
}
#endif

static __attribute__((constructor, unused)) void filch__tasks_begin(void)
{
	filch__register_tasks(__start_filch_tasks, __stop_filch_tasks);
}

static __attribute__((destructor, unused)) void filch__tasks_end(void)
{
	filch__unregister_tasks(__start_filch_tasks, __stop_filch_tasks);
}

#endif
