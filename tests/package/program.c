/* SPDX-License-Identifier: MIT */
/* A program of somebody who has Filch installed; as a module, its answer() is called by host.c. */
#include <filch.h>
#include <filch/numbers.h>
#include <stdio.h>
#include <string.h>

#if defined(_GNU_SOURCE) && !defined(__cplusplus)
#error "a flag that Filch is built with has come along"
#endif

#ifdef __cplusplus /* the same text is both */
#define LANGUAGE "C++"
#else
#define LANGUAGE "C"
#endif

FILCH_TASK(long, fib, (int, n))
{
	if (n < 2)
		return n;
	FILCH_SPAWN(x, fib, n - 1);
	long y = FILCH_CALL(fib, n - 2);
	return FILCH_JOIN(x) + y;
}

static int count(size_t begin, size_t end, void *result, void *context)
{
	(void)context;
	*(size_t *)result += end - begin;
	return 0;
}

static void plus(void *left, const void *right, void *context)
{
	(void)context;
	*(size_t *)left += *(const size_t *)right;
}

#ifdef __cplusplus
extern "C"
#endif
	int
	answer(void)
{
	static int32_t a[100000];
	size_t sum = 0, n = sizeof a / sizeof *a;

	for (size_t i = 0; i < n; i++)
		a[i] = (int32_t)((n - i) * 7919 % n);
	filch_sort_i32(a, n);
	for (size_t i = 1; i < n; i++)
		if (a[i - 1] > a[i])
			return 1;
	if (filch_reduce(0, n, &sum, sizeof sum, count, plus, NULL) || sum != n)
		return 2;
	if (FILCH_RUN(fib, 22) != 17711)
		return 3;
	if (strcmp(filch_version(), FILCH_VERSION))
		return 4;
	printf("%s %s\n", LANGUAGE, filch_version());
	return fflush(stdout);
}

#ifndef MODULE
int main(void)
{
	return answer();
}
#endif
