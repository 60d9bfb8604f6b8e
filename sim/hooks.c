/* SPDX-License-Identifier: MIT */
/*
 * What the compiler calls before each plain access of the runtime's: its sources are
 * compiled with the instrumentation of ThreadSanitizer, but without its library.
 */
#include <string.h>

#include "sim/cache.h"
#include "sim/engine.h"

/* The compiler's names. NOLINTBEGIN(bugprone-reserved-identifier) */
#define HOOK(name, writes)                                         \
	void name(void *p);                                        \
	void name(void *p)                                         \
	{                                                          \
		sim_plain(p, writes, __builtin_return_address(0)); \
	}
#define HOOKS(size)                              \
	HOOK(__tsan_read##size, false)           \
	HOOK(__tsan_write##size, true)           \
	HOOK(__tsan_unaligned_read##size, false) \
	HOOK(__tsan_unaligned_write##size, true) \
	HOOK(__tsan_volatile_read##size, false)  \
	HOOK(__tsan_volatile_write##size, true)

HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)

#define RANGE(name, writes)                                                            \
	void name(void *p, unsigned long size);                                        \
	void name(void *p, unsigned long size)                                         \
	{                                                                              \
		for (unsigned long i = 0; i < size; i += 64)                           \
			sim_plain((char *)p + i, writes, __builtin_return_address(0)); \
	}

RANGE(__tsan_read_range, false)
RANGE(__tsan_write_range, true)

/* Newer versions of clang call these for copies, which gcc leaves as they are. */
void *__tsan_memcpy(void *to, const void *from, unsigned long size);
void *__tsan_memcpy(void *to, const void *from, unsigned long size)
{
	return memcpy(to, from, size);
}

void *__tsan_memmove(void *to, const void *from, unsigned long size);
void *__tsan_memmove(void *to, const void *from, unsigned long size)
{
	return memmove(to, from, size);
}

void *__tsan_memset(void *to, int byte, unsigned long size);
void *__tsan_memset(void *to, int byte, unsigned long size)
{
	return memset(to, byte, size);
}

void __tsan_init(void);
void __tsan_init(void)
{
}

void __tsan_func_entry(void *pc);
void __tsan_func_entry(void *pc)
{
	(void)pc;
	if (sim.me)
		sim_spend(sim.machine.costs.call);
}

void __tsan_func_exit(void);
void __tsan_func_exit(void)
{
}

/* Atomics that are not by src/base/atomic.h: how far a polling join shifts. */
unsigned __tsan_atomic32_load(const volatile unsigned *p, int order);
unsigned __tsan_atomic32_load(const volatile unsigned *p, int order)
{
	(void)order;
	sim_plain(p, false, __builtin_return_address(0));
	return *p;
}

void __tsan_atomic32_store(volatile unsigned *p, unsigned v, int order);
void __tsan_atomic32_store(volatile unsigned *p, unsigned v, int order)
{
	(void)order;
	sim_plain(p, true, __builtin_return_address(0));
	*p = v;
}
/* NOLINTEND(bugprone-reserved-identifier) */
