/* SPDX-License-Identifier: MIT */
/*
 * Litmus tests: a few threads of a few accesses, whose outcomes are known. They check the
 * checker. Each thread is a block that may set r[], what it has read.
 *
 *   THREAD(1, store_rlx(x, 1); store_rel(y, 1);)
 *   THREAD(2, r[0] = load_acq(y); r[1] = load_rlx(x);)
 *   RUN("litmus/mp", 2, OBSERVE(r[0]); OBSERVE(r[1]); CHECK(!(r[0] && !r[1]));)
 *
 * The number of distinct outcomes that each must have is in ./clients.
 */
#include "client.h"

/* Operations that src/base/atomic.h does not have. */
#ifdef VERIFY_GENMC
#define fence_acq() atomic_thread_fence(memory_order_acquire)
#define fence_rel() atomic_thread_fence(memory_order_release)
#define add_sc(p, v) atomic_fetch_add_explicit((p), (v), memory_order_seq_cst)
#else
#define fence_acq() explore_fence(SITE_("fence_acq", ), EXPLORE_ACQ)
#define fence_rel() explore_fence(SITE_("fence_rel", ), EXPLORE_REL)
#define add_sc(p, v) RMW_("add_sc", p, ADD, v, SC)
#endif

struct state {
	_Atomic(int) x, y, z;
	long r[4];
};

static void *thread_1(void *state);
static void *thread_2(void *state);
static void *thread_3(void *state);
static void *thread_4(void *state);

#define THREAD(n, ...)                                                             \
	static void *thread_##n(void *arg)                                         \
	{                                                                          \
		struct state *s = arg;                                             \
		_Atomic(int) *const x = &s->x, *const y = &s->y, *const z = &s->z; \
		long *const r = s->r;                                              \
                                                                                   \
		(void)x, (void)y, (void)z, (void)r;                                \
		__VA_ARGS__                                                        \
		return 0;                                                          \
	}

/* Runs the threads, and then what tells outcomes apart and what they must not be. */
#define RUN(title, threads, ...)                                                      \
	CLIENT(title)                                                                 \
	{                                                                             \
		static void *(*const body[])(void *) = {thread_1, thread_2, thread_3, \
		                                        thread_4};                    \
		static const char *const name[] = {"T1", "T2", "T3", "T4"};           \
		client_thread t[threads];                                             \
		long *const r = state.r;                                              \
                                                                                      \
		atomic_init(&state.x, 0);                                             \
		atomic_init(&state.y, 0);                                             \
		atomic_init(&state.z, 0);                                             \
		for (int i = 0; i < threads; i++)                                     \
			t[i] = client_spawn(name[i], body[i], &state);                \
		for (int i = 0; i < threads; i++)                                     \
			client_join(t[i]);                                            \
		(void)r;                                                              \
		__VA_ARGS__                                                           \
	}
