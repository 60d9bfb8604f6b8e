/* SPDX-License-Identifier: MIT */
/*
 * Sorting functions for a type and an order of one's own, which the compiler sees.
 *
 *   #define FILCH_SORT_NAME sort_people
 *   #define FILCH_SORT_STABLE_NAME stable_sort_people
 *   #define FILCH_SORT_TYPE struct person
 *   #define FILCH_SORT_LESS(a, b) ((a)->age < (b)->age)
 *   #include <filch/sort_template.h>
 *
 * makes, for this file,
 *
 *   static void sort_people(struct person *a, size_t n);
 *   static void stable_sort_people(struct person *a, size_t n);
 *
 * Either name may be left out. The header may be included any number of times; it
 * undefines the macros that were defined for it.
 *
 * FILCH_SORT_TYPE is a type that can be copied byte by byte. FILCH_SORT_LESS is given two
 * `const TYPE *`, which may point to copies of elements, and says whether the first
 * belongs before the second. It may be a macro or the name of a function, and may do what
 * a task may, at the same time on several threads. If it contradicts itself, the order is
 * undefined, but nothing outside the array is touched, no element is lost, and the sort
 * ends.
 *
 * An order that depends on some context says so: with
 *
 *   #define FILCH_SORT_CONTEXT const double *
 *   #define FILCH_SORT_LESS(a, b, weight) (weight[*(a)] < weight[*(b)])
 *
 * the functions have a third parameter, of a type that can be assigned, which is passed
 * to each comparison. FILCH_SORT_GRAIN is a hint: arrays of fewer elements are not worth
 * dividing. It is 512 by default; choose less if a comparison takes long. In C++ the
 * header may be included within a class template.
 *
 * The first function is a quicksort, in place, without memory of its own: it partitions
 * without branches, sets aside elements that equal a former pivot (so that few distinct
 * values take linear time), and changes to heap sort when its pivots are bad. The stable
 * one is a merge sort with a scratch array, merging from both ends at once, without
 * branches; without memory it merges in place, which takes longer. Both need only linear
 * time for sorted and for strictly descending arrays, and the recursion is O(log n) deep.
 * Called from outside a pool they sort small arrays on the caller's thread; the default
 * pool sorts the others.
 */
#ifndef FILCH_SORT_TEMPLATE_H
#define FILCH_SORT_TEMPLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The functions of the library that those below need. */
void filch__enter_pool(void (*f)(void *context), void *context);
void filch__sort_both(void (*f)(void *part), void *one, void *other);
size_t filch__sort_partition(void *a, size_t n, size_t size,
                             size_t (*f)(void *a, size_t n, void *pivot), void *pivot);
/* The library defines these otherwise where the part knows a function of the user's, by
 * whose name the work is to be shown. */
#ifndef FILCH__SORT_BOTH
#define FILCH__SORT_BOTH(f, one, other) filch__sort_both(f, one, other)
#define FILCH__SORT_ENTER(f, part) filch__enter_pool(f, part)
#endif
void *filch__sort_memory(size_t n, size_t size, size_t align);
void filch__sort_memory_free(void *memory);
void filch__sort_heap(void *base, size_t n, size_t size,
                      int (*compare)(const void *a, const void *b, void *context),
                      void *context);
void filch__sort_in_place(void *base, size_t n, size_t size,
                          int (*compare)(const void *a, const void *b, void *context),
                          void *context);

#ifdef __cplusplus
}
#endif

enum {
	FILCH__SORT_GRAIN = 512,   /* elements that are not worth dividing */
	FILCH__SORT_GRAINS = 16,   /* grains; fewer enter no pool and divide no merge */
	FILCH__SORT_CUT = 1 << 18, /* from so many on, several workers partition */
	FILCH__SORT_SMALL = 32,    /* elements that small() sorts */
	FILCH__SORT_FEW = 12,      /* the same for wide elements */
	FILCH__SORT_WIDE = 64,     /* bytes; larger elements are moved with more care */
	FILCH__SORT_STEPS = 8      /* steps of a merge between checks of what is left */
};

#define FILCH__SORT_FN __attribute__((unused)) static
#define FILCH__SORT_INLINE __attribute__((always_inline, unused)) static inline
#define FILCH__SORT_JOINED(a, b) a##b
#define FILCH__SORT_JOIN(a, b) FILCH__SORT_JOINED(a, b)
#ifdef __clang__
#define FILCH__SORT_TWICE /* clang unrolls by itself */
#else
#define FILCH__SORT_TWICE _Pragma("GCC unroll 2")
#endif

#endif

#if !defined(FILCH_SORT_NAME) && !defined(FILCH_SORT_STABLE_NAME) && \
	(defined(FILCH_SORT_TYPE) || defined(FILCH_SORT_LESS))
#error "filch/sort_template.h: define FILCH_SORT_NAME or FILCH_SORT_STABLE_NAME, too"
#endif

#if defined(FILCH_SORT_NAME) || defined(FILCH_SORT_STABLE_NAME)

#if !defined(FILCH_SORT_TYPE) || !defined(FILCH_SORT_LESS)
#error "filch/sort_template.h: define FILCH_SORT_TYPE and FILCH_SORT_LESS, too"
#endif

/* FILCH__S(x) is the x of this sort, FILCH__T the type of its elements. */
#ifdef FILCH_SORT_NAME
#define FILCH__S(x) FILCH__SORT_JOIN(FILCH_SORT_NAME, __##x)
#else
#define FILCH__S(x) FILCH__SORT_JOIN(FILCH_SORT_STABLE_NAME, __##x)
#endif
#define FILCH__T FILCH__S(type)
#define FILCH__RUNS struct FILCH__S(runs)
/* The alignment of copies: the user may know more about an element's alignment than its
 * type says. */
#define FILCH__ALIGNED \
	__attribute__((aligned(__alignof__(FILCH__T) > 16 ? __alignof__(FILCH__T) : 16)))
#ifndef FILCH_SORT_GRAIN
#define FILCH_SORT_GRAIN FILCH__SORT_GRAIN
#endif
#define FILCH__GRAIN ((FILCH_SORT_GRAIN) < 1 ? 1 : (FILCH_SORT_GRAIN))
#define FILCH__LARGE ((size_t)FILCH__SORT_GRAINS * FILCH__GRAIN)
#define FILCH__WIDE (sizeof(FILCH__T) > FILCH__SORT_WIDE)
#define FILCH__SMALL (FILCH__WIDE ? FILCH__SORT_FEW : FILCH__SORT_SMALL)

#ifdef FILCH_SORT_CONTEXT
#define FILCH__WITH , FILCH_SORT_CONTEXT context
#define FILCH__PASSED , context
#define FILCH__FIELD FILCH_SORT_CONTEXT context;
#define FILCH__FROM(part) , (part)->context
#else
#define FILCH__WITH
#define FILCH__PASSED
#define FILCH__FIELD
#define FILCH__FROM(part)
#endif

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow" /* shadows of names in the user's file */

typedef FILCH_SORT_TYPE FILCH__T; /* so that a pointer type works like any other */

/* The only place where the user's macros are expanded: no name here can be one of the
 * user's. */
#ifdef FILCH_SORT_CONTEXT
FILCH__SORT_INLINE bool FILCH__S(less)(const FILCH__T *filch__a, const FILCH__T *filch__b,
                                       FILCH_SORT_CONTEXT filch__context)
{
	(void)filch__a, (void)filch__b, (void)filch__context;
	return FILCH_SORT_LESS(filch__a, filch__b, filch__context);
}
#else
FILCH__SORT_INLINE bool FILCH__S(less)(const FILCH__T *filch__a, const FILCH__T *filch__b)
{
	(void)filch__a, (void)filch__b;
	return FILCH_SORT_LESS(filch__a, filch__b);
}
#endif

#define FILCH__LESS(a, b) FILCH__S(less)(a, b FILCH__PASSED)

/* Returns one of two pointers without a branch; a compiler that saw the condition would
 * add one. */
FILCH__SORT_INLINE const FILCH__T *FILCH__S(either)(bool second, const FILCH__T *one,
                                                    const FILCH__T *two)
{
	uintptr_t mask = -(uintptr_t)second;

	__asm__("" : "+r"(mask));
	return (const FILCH__T *)((uintptr_t)one ^
	                          (((uintptr_t)one ^ (uintptr_t)two) & mask));
}

/* The order in the form that qsort_r() takes, for the slow paths. */
struct FILCH__S(order) {
	char unused;
	FILCH__FIELD
};

FILCH__SORT_FN int FILCH__S(compare)(const void *a, const void *b, void *order)
{
	const FILCH__T *x = (const FILCH__T *)a, *y = (const FILCH__T *)b;
	struct FILCH__S(order) *o = (struct FILCH__S(order) *)order;

	(void)o;
	return FILCH__S(less)(x, y FILCH__FROM(o))   ? -1
	       : FILCH__S(less)(y, x FILCH__FROM(o)) ? 1
	                                             : 0;
}

/* Returns true if the array is sorted, perhaps after reversing it. */
FILCH__SORT_FN bool FILCH__S(ordered)(FILCH__T *a, size_t n FILCH__WITH)
{
	size_t i = 1;

	while (i < n && !FILCH__LESS(a + i, a + i - 1))
		i++;
	if (i >= n)
		return true;
	if (i > 1)
		return false;
	while (i < n && FILCH__LESS(a + i, a + i - 1))
		i++;
	if (i < n)
		return false;
	for (size_t j = 0; j < n / 2; j++) {
		FILCH__T x = a[j];

		a[j] = a[n - 1 - j];
		a[n - 1 - j] = x;
	}
	return true;
}

#include <filch/detail/sort_small.inc.h>
#ifdef FILCH_SORT_NAME
#include <filch/detail/sort_quick.inc.h>
#endif
#ifdef FILCH_SORT_STABLE_NAME
#include <filch/detail/sort_merge.inc.h>
#endif

#pragma GCC diagnostic pop

#undef FILCH__S
#undef FILCH__T
#undef FILCH__RUNS
#undef FILCH__ALIGNED
#undef FILCH__GRAIN
#undef FILCH__LARGE
#undef FILCH__WIDE
#undef FILCH__SMALL
#undef FILCH__WITH
#undef FILCH__PASSED
#undef FILCH__FIELD
#undef FILCH__FROM
#undef FILCH__LESS
#endif

#undef FILCH_SORT_NAME
#undef FILCH_SORT_STABLE_NAME
#undef FILCH_SORT_TYPE
#undef FILCH_SORT_LESS
#undef FILCH_SORT_CONTEXT
#undef FILCH_SORT_GRAIN
#undef FILCH__SORT_AHEAD
