/* SPDX-License-Identifier: MIT */
/*
 * What a client of the model checkers may use, whichever of the two it is compiled for:
 * our own (verify/explore), or GenMC, with VERIFY_GENMC defined.
 *
 * A client defines `struct state`, everything its threads share, and then
 *
 *   CLIENT("folder/name") { ... }
 *
 * which is its main thread. It begins with all of `state` zero.
 */
#ifndef VERIFY_CLIENT_H
#define VERIFY_CLIENT_H

#include <assert.h>
#include <stdint.h>

#include "base/atomic.h"

#ifdef VERIFY_GENMC

#include <pthread.h>

typedef pthread_t client_thread;

#define CLIENT(title)                  \
	static struct state state;     \
	static void client_main(void); \
	int main(void)                 \
	{                              \
		client_main();         \
		return 0;              \
	}                              \
	static void client_main(void)

static inline client_thread client_spawn(const char *name, void *(*body)(void *),
                                         void *arg)
{
	pthread_t t;

	(void)name;
	if (pthread_create(&t, 0, body, arg))
		assert(0);
	return t;
}

#define client_join(t) pthread_join((t), 0)
#define CHECK(x) assert(x)
#define COVER(what) ((void)0)
#define ASSUME(x) __VERIFIER_assume(x) /* GenMC declares it */
#define OBSERVE(v) ((void)(v))
#define STEP(kept) ((void)(kept))
#define STEP_ALL() ((void)0)
#define KEPT(v) ((void)(v))

#else

#include "explore/explore.h"

typedef int client_thread;

#define CLIENT(title)                                   \
	static struct state state;                      \
	void *const explore_state = &state;             \
	const size_t explore_state_size = sizeof state; \
	const char *const explore_name = title;         \
	void explore_client(void)

/* Starts a thread. The name appears in reports. */
#define client_spawn(name, body, arg) explore_spawn((name), (body), (arg))
#define client_join(t) explore_join(t)

/* What must hold in every execution. */
#define CHECK(x) \
	((x) ? (void)0 : explore_fail(__FILE__, __LINE__, "CHECK(%s) does not hold", #x))
/* What at least one execution must reach, so that the client is not vacuous. */
#define COVER(what) explore_cover(what)
/* Leaves executions out in which x does not hold. */
#define ASSUME(x) explore_assume(x)
/* Part of this execution's outcome; distinct outcomes are counted. */
#define OBSERVE(v) explore_observe((uint64_t)(v))
/* The thread keeps this value, which it has just read. */
#define KEPT(v) explore_kept(v)
/* Between two operations of a thread that keeps nothing of what it has done but *kept. */
#define STEP(kept) explore_step((kept), sizeof *(kept))
/* The same, and it keeps things all over memory. */
#define STEP_ALL() explore_step(0, 0)

#endif
#endif
