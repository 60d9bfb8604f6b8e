/* SPDX-License-Identifier: MIT */
/*
 * The functions that FILCH_TASK writes for a task, here called fib. Part of filch/task.h;
 * nothing here is for users.
 *
 *   fib(arguments)              the body that the user writes
 *   struct fib__record          a spawned call: the record, the arguments, the result
 *   fib__run(r)                 calls fib with the arguments of the record; what fib
 *                               throws is in the record then
 *   fib__task                   the description of the task for the runtime
 *   fib__set(r, arguments)      fills the record
 *   fib__spawn(r, arguments)    fills the record and publishes it
 *   fib__wait(r)                the slow half of a join
 *   fib__join(r, arguments)     joins a call that FILCH_SPAWN spawned
 *   fib__join_at(r)             joins a call that FILCH_SPAWN_AT spawned
 *   fib__result(r)              the result of a record that is done; like a join, it
 *                               throws what fib has thrown
 *   fib__1 ... fib__8           never defined: their types are those of the parameters
 *   fib__at(level)              the function that a body of this level calls for fib
 *   fib__body, fib__nest1, _nest2   what clang makes fib of, see "nesting"
 *   fib__is_no_task__...        never defined: its size is that of a frame
 *
 * Some names are sentences: a compiler that does not find them prints them, and so tells
 * the user what to do.
 *
 * In the macros, `link` is `static` or nothing, and `has` is 1 for a task that has a
 * result and 0 for one that has none.
 */
#ifndef FILCH_DETAIL_DEFINE_H
#define FILCH_DETAIL_DEFINE_H

#include <filch/detail/pairs.h>
#include <filch/detail/publish.h>
#include <filch/detail/thrown.h>

/* ---- the record ---- */

#define FILCH__FIELDS(has, result_type, ...)              \
	struct filch__record head;                        \
	struct {                                          \
		FILCH__EACH(FILCH__MEMBER, ##__VA_ARGS__) \
	} args;                                           \
	FILCH__FIELD_##has(result_type)
#define FILCH__FIELD_0(type)
#define FILCH__FIELD_1(type) type result;

#ifdef __cplusplus
#define FILCH__ASSERT static_assert
/* C++ allows no new type within sizeof: this is a bound that holds for any order and
 * alignment of the fields. */
template <class... T> struct filch__bound;
template <> struct filch__bound<> {
	static constexpr size_t size = sizeof(struct filch__record) + 16;
};
template <class T, class... More> struct filch__bound<T, More...> {
	static constexpr size_t size = sizeof(T) + alignof(T) +
	                               filch__bound<More...>::size;
};
#define FILCH__SIZE(has, result, ...) \
	(FILCH__ROOM_##has(result)    \
	         filch__bound<FILCH__LIST(FILCH__TYPE, ##__VA_ARGS__)>::size)
#define FILCH__ROOM_0(result)
#define FILCH__ROOM_1(result) sizeof(result) + alignof(result) +
#define FILCH__EMITTED __attribute__((used))
#else
#define FILCH__ASSERT _Static_assert
#define FILCH__SIZE(has, result_type, ...) \
	sizeof(struct {FILCH__FIELDS(has, result_type, ##__VA_ARGS__)})
#define FILCH__EMITTED
#endif

#define FILCH__DEFINE_RECORD(has, result_type, name, ...)                         \
	struct name##__record {                                                   \
		FILCH__FIELDS(has, result_type, ##__VA_ARGS__)                    \
	} __attribute__((may_alias));                                             \
	FILCH__ASSERT(sizeof(struct name##__record) <=                            \
	                      sizeof name##__is_no_task__define_it_by_FILCH_TASK, \
	              "task " #name ": declared with other parameters");          \
	FILCH__ASSERT(__alignof__(struct name##__record) <= 16,                   \
	              "task " #name ": pass what is aligned to more than 16 by pointer")

/* The record in its own type; the macros below use it by this name. */
#define FILCH__SELF(name)                                  \
	FILCH__UNUSED struct name##__record *filch__self = \
		(struct name##__record *)filch__r

/* ---- declaring ---- */

/* All of this may be repeated: a task can be declared and then defined. */
#define FILCH__DECLARE(link, has, result, name, ...)                                    \
	link result name(FILCH__PARAMS(0, ##__VA_ARGS__));                              \
	link void name##__set(                                                          \
		struct filch__record *FILCH__MORE(FILCH__TYPE, ##__VA_ARGS__));         \
	link void name##__spawn(                                                        \
		struct filch__record *FILCH__MORE(FILCH__TYPE, ##__VA_ARGS__));         \
	link result name##__join(FILCH__JOINED(0, ##__VA_ARGS__) FILCH__LEVEL_OF_JOIN); \
	link __typeof__(&name) name##__at(unsigned);                                    \
	link result name##__join_at(struct filch__record *);                            \
	link result name##__result(struct filch__record *);                             \
	FILCH__FOR(FILCH__VALUE, FILCH__NOTHING, name, 0, ##__VA_ARGS__)                \
	FILCH__REST(FILCH__NO_VALUE, name, ##__VA_ARGS__)                               \
	extern char name##__is_no_task__define_it_by_FILCH_TASK[FILCH__SIZE(            \
		has, result, ##__VA_ARGS__)]
#define FILCH__VALUE(name, y, i, pair) extern FILCH__TYPE pair name##__##i;
#define FILCH__NO_VALUE(name, i) extern char name##__##i;

/* A join is given eight values, whatever the task: those beyond its own are chars. */
#define FILCH__JOINED(x, ...)                                                   \
	struct filch__record *filch__r FILCH__MORE(FILCH__PARAM, ##__VA_ARGS__) \
		FILCH__REST(FILCH__FILLER, 0, ##__VA_ARGS__)
#define FILCH__FILLER(x, i) , FILCH__UNUSED char filch__##i

/* ---- spawning ---- */

#define FILCH__FILL(name, ...)                                                  \
	FILCH__SELF(name);                                                      \
	FILCH__EACH(FILCH__CAT(FILCH__KEEP_, FILCH__SEVERAL(0, ##__VA_ARGS__)), \
	            ##__VA_ARGS__)
#define FILCH__KEEP_0(type, name) filch__self->args.name = name;
#define FILCH__KEEP_1(type, name)      \
	filch__self->args.name = name; \
	FILCH__STORED(filch__self->args.name);

#define FILCH__DEFINE_SPAWN(link, name, ...)                                             \
	FILCH__EMITTED FILCH__INLINE link void name##__set(                              \
		struct filch__record *filch__r FILCH__MORE(FILCH__PARAM, ##__VA_ARGS__)) \
	{                                                                                \
		FILCH__FILL(name, ##__VA_ARGS__);                                        \
		filch__r->task = &name##__task;                                          \
	}                                                                                \
	FILCH__EMITTED FILCH__INLINE link void name##__spawn(                            \
		struct filch__record *filch__r FILCH__MORE(FILCH__PARAM, ##__VA_ARGS__)) \
	{                                                                                \
		FILCH__FILL(name, ##__VA_ARGS__);                                        \
		filch__spawned(filch__r, &name##__described);                            \
	}

/* ---- running ---- */

#define FILCH__PASS(type, name) filch__self->args.name
#define FILCH__SAVE_0
#define FILCH__SAVE_1 filch__self->result =

#define FILCH__DEFINE_TASK(shows, has, name, ...)                                        \
	static FILCH__UNUSED void name##__run(struct filch__record *filch__r)            \
	{                                                                                \
		FILCH__SELF(name);                                                       \
		FILCH__TRY                                                               \
		{                                                                        \
			FILCH__SAVE_##has name(FILCH__LIST(FILCH__PASS, ##__VA_ARGS__)); \
		}                                                                        \
		FILCH__CATCH(filch__r)                                                   \
	}                                                                                \
	static struct filch__task name##__task                                           \
		__attribute__((section("filch_tasks"), used, aligned(8))) = {            \
			#name, name##__run, sizeof(struct name##__record) | (shows),     \
			(void (*)(void))name};                                           \
	static const struct filch__task *const name##__described = &name##__task

/* ---- joining ---- */

/* An integer or a pointer comes from the caller's variable, which the compiler may keep
 * in a register. Everything else comes from the record: no register keeps a
 * floating-point number over a call, so that a variable would only be a second copy in
 * memory. */
#define FILCH__NAME(type, name) \
	(__builtin_classify_type(name) <= 5 ? name : filch__self->args.name)

#define FILCH__RETURN_0(name) (void)filch__r
#define FILCH__RETURN_1(name) return ((struct name##__record *)filch__r)->result

/* Joins: calls the task here, with arguments made by M, unless it was exposed. That the
 * slow half is cold tells compilers enough; __builtin_expect() would count as a call when
 * gcc decides what to inline. */
#define FILCH__JOIN(name, at, M, ...)                   \
	FILCH__SELF(name);                              \
	if (!filch__take_back(filch__r, &name##__task)) \
		return name##__wait(filch__r);          \
	return at(FILCH__LIST(M, ##__VA_ARGS__))

#define FILCH__DEFINE_JOIN(link, has, result_type, name, ...)                       \
	FILCH__COLD static result_type name##__wait(struct filch__record *filch__r) \
	{                                                                           \
		filch__join_slow(filch__r);                                         \
		FILCH__THROW_AGAIN(filch__r);                                       \
		FILCH__RETURN_##has(name);                                          \
	}                                                                           \
	FILCH__EMITTED FILCH__INLINE link result_type name##__join(                 \
		FILCH__JOINED(0, ##__VA_ARGS__) FILCH__LEVEL_OF_JOIN)               \
	{                                                                           \
		FILCH__JOIN(name, FILCH__NESTED(name), FILCH__NAME, ##__VA_ARGS__); \
	}                                                                           \
	FILCH__EMITTED FILCH__INLINE link result_type name##__join_at(              \
		struct filch__record *filch__r)                                     \
	{                                                                           \
		FILCH__JOIN(name, name, FILCH__PASS, ##__VA_ARGS__);                \
	}                                                                           \
	FILCH__EMITTED FILCH__INLINE link result_type name##__result(               \
		struct filch__record *filch__r)                                     \
	{                                                                           \
		FILCH__THROW_AGAIN(filch__r);                                       \
		FILCH__RETURN_##has(name);                                          \
	}

/* ---- nesting ---- */

/* clang neither inlines a function into itself nor into others that it calls back. Here it
 * does: the body is a function with one parameter more, its level, and is inlined into fib
 * (level 0), fib__nest1 and fib__nest2. What a body of a known level calls is the function of the
 * next level, or fib. A body whose level is not known, since it was too large to be inlined,
 * calls fib. All this is for the compiler to decide: __builtin_constant_p() waits for it.
 * Files that do not nest define fib__at, too: those that do may call it.
 *
 * It inlines a function once it is done with that, so it must come to fib__nest2 first. It
 * takes callees first. So fib seems to call fib__nest1, if filch__secret were a constant, and
 * calls back are by pointers that it knows only at last. */
#ifdef FILCH__NESTS
#define FILCH__LEVEL_OF_JOIN , FILCH__UNUSED unsigned filch__level
#define FILCH__NESTED(name) name##__at(filch__level)
#define FILCH__SOME_DAY __builtin_constant_p(filch__secret)
#define FILCH__ARGUMENT(type, name) name
#define FILCH__THEN(type, name) name,
#define FILCH__PARAM_THEN(type, name) type name,
#define FILCH__LEVELLED(x, ...)                        \
	(FILCH__EACH(FILCH__PARAM_THEN, ##__VA_ARGS__) \
	         FILCH__UNUSED unsigned filch__level)

/* The function of a level: its body, behind what seems to be a call of the next one. */
#define FILCH__DEFINE_LEVEL(link, result, name, level, me, next, ...)               \
	static __attribute__((noinline, cold))                                      \
	result me##__before(FILCH__PARAMS(0, ##__VA_ARGS__))                        \
	{                                                                           \
		return next(FILCH__LIST(FILCH__ARGUMENT, ##__VA_ARGS__));           \
	}                                                                           \
	link result me(FILCH__PARAMS(0, ##__VA_ARGS__))                             \
	{                                                                           \
		if (__builtin_expect(FILCH__SOME_DAY, 0))                           \
			return me##__before(                                        \
				FILCH__LIST(FILCH__ARGUMENT, ##__VA_ARGS__));       \
		return name##__body(FILCH__EACH(FILCH__THEN, ##__VA_ARGS__) level); \
	}
#define FILCH__DEFINE_NESTED(link, result, name, ...)                                   \
	static inline result name##__body FILCH__LEVELLED(0, ##__VA_ARGS__);            \
	static inline result name##__nest2(FILCH__PARAMS(0, ##__VA_ARGS__))             \
	{                                                                               \
		return name##__body(FILCH__EACH(FILCH__THEN, ##__VA_ARGS__) 2);         \
	}                                                                               \
	FILCH__DEFINE_LEVEL(static inline __attribute__((always_inline)), result, name, \
	                    1, name##__nest1, name##__nest2, ##__VA_ARGS__)             \
	FILCH__DEFINE_LEVEL(link, result, name, 0, name, name##__nest1, ##__VA_ARGS__)  \
	FILCH__EMITTED FILCH__INLINE link __typeof__(&name) name##__at(                 \
		unsigned filch__level)                                                  \
	{                                                                               \
		if (__builtin_constant_p(filch__level) && filch__level == 0)            \
			return name##__nest1;                                           \
		if (__builtin_constant_p(filch__level) && filch__level == 1)            \
			return name##__nest2;                                           \
		return FILCH__SOME_DAY ? name##__nest1 : name;                          \
	}
#define FILCH__HEAD(link, result, name, ...) \
	static inline result name##__body FILCH__LEVELLED(0, ##__VA_ARGS__)
#else
#define FILCH__LEVEL_OF_JOIN
#define FILCH__NESTED(name) name
#define FILCH__DEFINE_NESTED(link, result, name, ...)                                  \
	FILCH__EMITTED FILCH__INLINE link __typeof__(&name) name##__at(unsigned level) \
	{                                                                              \
		(void)level;                                                           \
		return name;                                                           \
	}
#define FILCH__HEAD(link, result, name, ...) \
	FILCH__SHORT(link) result name(FILCH__PARAMS(0, ##__VA_ARGS__))
#endif

/* ---- defining ---- */

/* gcc inlines a function into itself, some levels deep, and splits off what it does without
 * a spawn: at -O3, and at -O2 only if it is declared inline. In C the declaration without
 * that word makes it an external definition nevertheless. In C++ it would not. */
#define FILCH__SHORT(link) FILCH__SHORT_##link
#if defined(__clang__)
#define FILCH__SHORT_
#define FILCH__SHORT_static
#elif defined(__cplusplus)
#define FILCH__SHORT_
#define FILCH__SHORT_static inline
#else
#define FILCH__SHORT_ inline
#define FILCH__SHORT_static inline
#endif

/* `shows` is an enum filch__shows. */
#define FILCH__DEFINE(shows, link, has, result, name, ...)         \
	FILCH__DECLARE(link, has, result, name, ##__VA_ARGS__);    \
	FILCH__DEFINE_RECORD(has, result, name, ##__VA_ARGS__);    \
	FILCH__DEFINE_TASK(shows, has, name, ##__VA_ARGS__);       \
	FILCH__DEFINE_SPAWN(link, name, ##__VA_ARGS__)             \
	FILCH__DEFINE_NESTED(link, result, name, ##__VA_ARGS__)    \
	FILCH__DEFINE_JOIN(link, has, result, name, ##__VA_ARGS__) \
	FILCH__HEAD(link, result, name, ##__VA_ARGS__)

#endif
