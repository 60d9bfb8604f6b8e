/* SPDX-License-Identifier: MIT */
/*
 * What the compiler calls for each plain access, with -fsanitize=thread.
 */
#include <string.h>

#include "explore/plain.h"

#define HOOKS(n)                                                           \
	void __tsan_read##n(void *p);                                      \
	void __tsan_read##n(void *p)                                       \
	{                                                                  \
		plain_read((uintptr_t)p, n, __builtin_return_address(0));  \
	}                                                                  \
	void __tsan_write##n(void *p);                                     \
	void __tsan_write##n(void *p)                                      \
	{                                                                  \
		plain_write((uintptr_t)p, n, __builtin_return_address(0)); \
	}                                                                  \
	void __tsan_unaligned_read##n(void *p);                            \
	void __tsan_unaligned_read##n(void *p)                             \
	{                                                                  \
		plain_read((uintptr_t)p, n, __builtin_return_address(0));  \
	}                                                                  \
	void __tsan_unaligned_write##n(void *p);                           \
	void __tsan_unaligned_write##n(void *p)                            \
	{                                                                  \
		plain_write((uintptr_t)p, n, __builtin_return_address(0)); \
	}

HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)

void __tsan_read_range(void *p, size_t n);
void __tsan_read_range(void *p, size_t n)
{
	plain_read((uintptr_t)p, n, __builtin_return_address(0));
}

void __tsan_write_range(void *p, size_t n);
void __tsan_write_range(void *p, size_t n)
{
	plain_write((uintptr_t)p, n, __builtin_return_address(0));
}

/* These are not instrumented; clients are compiled to call ours instead. */
void *explore_memset(void *to, int byte, size_t n);
void *explore_memset(void *to, int byte, size_t n)
{
	plain_write((uintptr_t)to, n, __builtin_return_address(0));
	return memset(to, byte, n);
}

void *explore_memcpy(void *to, const void *from, size_t n);
void *explore_memcpy(void *to, const void *from, size_t n)
{
	plain_read((uintptr_t)from, n, __builtin_return_address(0));
	plain_write((uintptr_t)to, n, __builtin_return_address(0));
	return memcpy(to, from, n);
}

void *explore_memmove(void *to, const void *from, size_t n);
void *explore_memmove(void *to, const void *from, size_t n)
{
	plain_read((uintptr_t)from, n, __builtin_return_address(0));
	plain_write((uintptr_t)to, n, __builtin_return_address(0));
	return memmove(to, from, n);
}

void __tsan_func_entry(void *pc);
void __tsan_func_entry(void *pc)
{
	(void)pc;
}

void __tsan_func_exit(void);
void __tsan_func_exit(void)
{
}

void __tsan_init(void);
void __tsan_init(void)
{
}
