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
#define FILCH__DECLARE(link, has, result, name, ...)                            \
	link result name(FILCH__PARAMS(0, ##__VA_ARGS__));                      \
	link void name##__set(                                                  \
		struct filch__record *FILCH__MORE(FILCH__TYPE, ##__VA_ARGS__)); \
	link void name##__spawn(                                                \
		struct filch__record *FILCH__MORE(FILCH__TYPE, ##__VA_ARGS__)); \
	link result name##__join(FILCH__JOINED(0, ##__VA_ARGS__));              \
	link result name##__join_at(struct filch__record *);                    \
	link result name##__result(struct filch__record *);                     \
	FILCH__FOR(FILCH__VALUE, FILCH__NOTHING, name, 0, ##__VA_ARGS__)        \
	FILCH__REST(FILCH__NO_VALUE, name, ##__VA_ARGS__)                       \
	extern char name##__is_no_task__define_it_by_FILCH_TASK[FILCH__SIZE(    \
		has, result, ##__VA_ARGS__)]
#define FILCH__VALUE(name, y, i, pair) extern FILCH__TYPE pair name##__##i;
#define FILCH__NO_VALUE(name, i) extern char name##__##i;

/* A join is given eight values, whatever the task: those beyond its own are chars. */
#define FILCH__JOINED(x, ...)                                                   \
	struct filch__record *filch__r FILCH__MORE(FILCH__PARAM, ##__VA_ARGS__) \
		FILCH__REST(FILCH__FILLER, 0, ##__VA_ARGS__)
#define FILCH__FILLER(x, i) , FILCH__UNUSED char filch__##i

/* ---- spawning ---- */

#define FILCH__FILL(name, ...)                  \
	FILCH__SELF(name);                      \
	filch__self->head.task = &name##__task; \
	FILCH__EACH(FILCH__KEEP, ##__VA_ARGS__)
#define FILCH__KEEP(type, name)        \
	filch__self->args.name = name; \
	FILCH__STORED(filch__self->args.name);

#define FILCH__DEFINE_SPAWN(link, name, ...)                                             \
	FILCH__EMITTED FILCH__INLINE link void name##__set(                              \
		struct filch__record *filch__r FILCH__MORE(FILCH__PARAM, ##__VA_ARGS__)) \
	{                                                                                \
		FILCH__FILL(name, ##__VA_ARGS__);                                        \
	}                                                                                \
	FILCH__EMITTED FILCH__INLINE link void name##__spawn(                            \
		struct filch__record *filch__r FILCH__MORE(FILCH__PARAM, ##__VA_ARGS__)) \
	{                                                                                \
		FILCH__FILL(name, ##__VA_ARGS__);                                        \
		filch__spawned(filch__r);                                                \
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
			(void (*)(void))name}

/* ---- joining ---- */

/* An integer or a pointer comes from the caller's variable, which the compiler may keep
 * in a register. Everything else comes from the record: no register keeps a
 * floating-point number over a call, so that a variable would only be a second copy in
 * memory. */
#define FILCH__NAME(type, name) \
	(__builtin_classify_type(name) <= 5 ? name : filch__self->args.name)

#define FILCH__RETURN_0(name) (void)filch__r
#define FILCH__RETURN_1(name) return ((struct name##__record *)filch__r)->result

/* Joins: calls the task here, with arguments made by M, unless it was exposed. */
#define FILCH__JOIN(name, M, ...)                                     \
	FILCH__SELF(name);                                            \
	if (FILCH__NEVER(!filch__take_back(filch__r, &name##__task))) \
		return name##__wait(filch__r);                        \
	return name(FILCH__LIST(M, ##__VA_ARGS__))

#define FILCH__DEFINE_JOIN(link, has, result_type, name, ...)                       \
	FILCH__COLD static result_type name##__wait(struct filch__record *filch__r) \
	{                                                                           \
		filch__join_slow(filch__r);                                         \
		FILCH__THROW_AGAIN(filch__r);                                       \
		FILCH__RETURN_##has(name);                                          \
	}                                                                           \
	FILCH__EMITTED FILCH__INLINE link result_type name##__join(                 \
		FILCH__JOINED(0, ##__VA_ARGS__))                                    \
	{                                                                           \
		FILCH__JOIN(name, FILCH__NAME, ##__VA_ARGS__);                      \
	}                                                                           \
	FILCH__EMITTED FILCH__INLINE link result_type name##__join_at(              \
		struct filch__record *filch__r)                                     \
	{                                                                           \
		FILCH__JOIN(name, FILCH__PASS, ##__VA_ARGS__);                      \
	}                                                                           \
	FILCH__EMITTED FILCH__INLINE link result_type name##__result(               \
		struct filch__record *filch__r)                                     \
	{                                                                           \
		FILCH__THROW_AGAIN(filch__r);                                       \
		FILCH__RETURN_##has(name);                                          \
	}

/* ---- defining ---- */

/* `shows` is an enum filch__shows. */
#define FILCH__DEFINE(shows, link, has, result, name, ...)         \
	FILCH__DECLARE(link, has, result, name, ##__VA_ARGS__);    \
	FILCH__DEFINE_RECORD(has, result, name, ##__VA_ARGS__);    \
	FILCH__DEFINE_TASK(shows, has, name, ##__VA_ARGS__);       \
	FILCH__DEFINE_SPAWN(link, name, ##__VA_ARGS__)             \
	FILCH__DEFINE_JOIN(link, has, result, name, ##__VA_ARGS__) \
	result name(FILCH__PARAMS(0, ##__VA_ARGS__))

#endif
