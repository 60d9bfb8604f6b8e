/* SPDX-License-Identifier: MIT */
/*
 * The variables that FILCH_SPAWN declares besides the frame. Part of filch/task.h;
 * nothing here is for users.
 */
#ifndef FILCH_DETAIL_SPAWN_H
#define FILCH_DETAIL_SPAWN_H

#include <filch/detail/pairs.h>
#include <filch/detail/publish.h>

/* The level of a body outside of bodies. */
#ifdef FILCH__NESTS
enum { filch__level = 9 };
#define FILCH__LEVEL , filch__level
#define FILCH__CALLED(task) task##__at(filch__level)
#else
#define FILCH__LEVEL
#define FILCH__CALLED(task) task
#endif

/* The first word of every FILCH_SPAWN. */
typedef char FILCH_SPAWN_needs_braces_around_it;

/* The arguments are kept in variables, too, x__1 to x__8: the address of the record
 * escapes, so that the compiler would have to load the arguments from the record again.
 * Variables beyond the parameters of the task are chars. */
#define FILCH__LOCALS(x, task, ...)                                      \
	FILCH__FOR(FILCH__LOCAL, FILCH__NOTHING, x, task, ##__VA_ARGS__) \
	FILCH__REST(FILCH__NO_LOCAL, x, ##__VA_ARGS__)
#define FILCH__LOCAL(x, task, i, argument) __typeof__(task##__##i) x##__##i = argument;
#define FILCH__NO_LOCAL(x, i) FILCH__UNUSED char x##__##i = 0;

/* The same variables as arguments. */
#define FILCH__NAMED(x, ...) \
	FILCH__FOR(FILCH__LOCAL_NAME, FILCH__NOTHING, x, 0, ##__VA_ARGS__)
#define FILCH__LOCAL_NAME(x, y, i, argument) , x##__##i

/* Notices a frame that is left without a join. In C++ an exception may do that; anything
 * else is a mistake, which FILCH_DEBUG reports. */
#if defined(__cplusplus) && defined(FILCH_DEBUG)
struct filch__checker {
	struct filch__record *r;

	~filch__checker()
	{
		if (r->mark)
			filch__check_unwound(r);
	}
};
#define FILCH__KEEPER(x) struct filch__checker x##__keeper = {&x.head}
#define FILCH__LEFT
#elif defined(__cplusplus)
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

#endif
