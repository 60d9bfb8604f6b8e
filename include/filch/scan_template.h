/* SPDX-License-Identifier: MIT */
/*
 * Prefix sums of one type, with an operation that the compiler sees. Included after
 *
 *   #define FILCH_SCAN_NAME scan_of_floats
 *   #define FILCH_SCAN_TYPE float
 *   #define FILCH_SCAN_PLUS(a, b) ((a) + (b))      any associative operation
 *   #define FILCH_SCAN_ZERO 0                      its identity
 *
 * this header makes
 *
 *   int scan_of_floats(const float *in, float *out, size_t n);             inclusive
 *   int scan_of_floats_exclusive(const float *in, float *out, size_t n);
 *
 * which are static, and undefines the four names. It may be included any number of times.
 * out may be in. Errors: as filch_scan().
 *
 * Four elements are added to one another before they are added to the rest: that is four
 * times as fast as adding one after the other where the operation takes several cycles,
 * and rounds no worse. Results that fit into no cache are written past the caches where
 * the processor can do that: otherwise each line would be read before it is written.
 */
#if !defined(FILCH_SCAN_NAME) || !defined(FILCH_SCAN_TYPE) || \
	!defined(FILCH_SCAN_PLUS) || !defined(FILCH_SCAN_ZERO)
#error "filch/scan_template.h: define FILCH_SCAN_NAME, _TYPE, _PLUS and _ZERO before it"
#endif

#include <filch/scan.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifndef FILCH__SCAN_LARGE
#define FILCH__SCAN_LARGE ((size_t)32 << 20) /* bytes: more than the caches hold */

/* Stores a value, past the caches if its size allows that. */
static inline __attribute__((always_inline)) void filch__scan_stream(void *to,
                                                                     const void *from,
                                                                     size_t size)
{
#if defined(__x86_64__)
	if (size == sizeof(long long)) {
		long long v;

		memcpy(&v, from, sizeof v);
		__builtin_ia32_movnti64((long long *)to, v);
		return;
	}
	if (size == sizeof(int)) {
		int v;

		memcpy(&v, from, sizeof v);
		__builtin_ia32_movnti((int *)to, v);
		return;
	}
#endif
	memcpy(to, from, size);
}

/* Makes such stores visible before another thread may look at the results. */
static inline void filch__scan_streamed(void)
{
#if defined(__x86_64__)
	__builtin_ia32_sfence();
#endif
}
#endif

#define FILCH__SCAN_PASTE_(a, b) a##b
#define FILCH__SCAN_PASTE(a, b) FILCH__SCAN_PASTE_(a, b)
#define FILCH__SCAN(x) FILCH__SCAN_PASTE(FILCH_SCAN_NAME, x)
#define FILCH__SCAN_FN static inline __attribute__((unused))

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow" /* shadows of names in the user's file */

/* A function of its own, so that no local variable can shadow the user's names. */
FILCH__SCAN_FN FILCH_SCAN_TYPE FILCH__SCAN(__plus)(FILCH_SCAN_TYPE a, FILCH_SCAN_TYPE b)
{
	return FILCH_SCAN_PLUS(a, b);
}

struct FILCH__SCAN(__arrays) {
	const FILCH_SCAN_TYPE *in;
	FILCH_SCAN_TYPE *out;
	bool exclusive, stream;
};

/* Adds in[begin] ... to the sum, in the one order that all passes keep to. */
FILCH__SCAN_FN FILCH_SCAN_TYPE FILCH__SCAN(__add)(const FILCH_SCAN_TYPE *in, size_t begin,
                                                  size_t end, FILCH_SCAN_TYPE sum)
{
	size_t i = begin;

	for (; end - i >= 4; i += 4) {
		FILCH_SCAN_TYPE two = FILCH__SCAN(__plus)(in[i], in[i + 1]);
		FILCH_SCAN_TYPE four = FILCH__SCAN(__plus)(
			two, FILCH__SCAN(__plus)(in[i + 2], in[i + 3]));

		sum = FILCH__SCAN(__plus)(sum, four);
	}
	for (; i < end; i++)
		sum = FILCH__SCAN(__plus)(sum, in[i]);
	return sum;
}

FILCH__SCAN_FN __attribute__((always_inline)) void FILCH__SCAN(__put)(
	FILCH_SCAN_TYPE *to, FILCH_SCAN_TYPE value, bool stream)
{
	if (stream)
		filch__scan_stream(to, &value, sizeof value);
	else
		*to = value;
}

/* Does the same, and writes each result: `before` combined with the sum so far. The last
 * two parameters are constants. out may be in. */
FILCH__SCAN_FN __attribute__((always_inline)) FILCH_SCAN_TYPE FILCH__SCAN(__write)(
	const FILCH_SCAN_TYPE *in, FILCH_SCAN_TYPE *out, size_t begin, size_t end,
	FILCH_SCAN_TYPE before, FILCH_SCAN_TYPE sum, bool exclusive, bool stream)
{
	size_t i = begin;

	for (; end - i >= 4; i += 4) {
		FILCH_SCAN_TYPE so_far = FILCH__SCAN(__plus)(before, sum), one = in[i];
		FILCH_SCAN_TYPE two = FILCH__SCAN(__plus)(one, in[i + 1]),
				third = in[i + 2];
		FILCH_SCAN_TYPE four =
			FILCH__SCAN(__plus)(two, FILCH__SCAN(__plus)(third, in[i + 3]));
		FILCH_SCAN_TYPE *o = out + i;

		sum = FILCH__SCAN(__plus)(sum, four);
		if (exclusive)
			FILCH__SCAN(__put)(o++, so_far, stream);
		FILCH__SCAN(__put)(o, FILCH__SCAN(__plus)(so_far, one), stream);
		FILCH__SCAN(__put)(o + 1, FILCH__SCAN(__plus)(so_far, two), stream);
		FILCH__SCAN(__put)
		(o + 2, FILCH__SCAN(__plus)(so_far, FILCH__SCAN(__plus)(two, third)),
		 stream);
		if (!exclusive)
			FILCH__SCAN(__put)
			(o + 3, FILCH__SCAN(__plus)(so_far, four), stream);
	}
	for (; i < end; i++) {
		FILCH_SCAN_TYPE next = FILCH__SCAN(__plus)(sum, in[i]);

		out[i] = FILCH__SCAN(__plus)(before, exclusive ? sum : next);
		sum = next;
	}
	if (stream)
		filch__scan_streamed();
	return sum;
}

FILCH__SCAN_FN int FILCH__SCAN(__body)(size_t begin, size_t end, const void *before,
                                       void *total, void *context)
{
	const struct FILCH__SCAN(__arrays) *a =
		(const struct FILCH__SCAN(__arrays) *)context;
	FILCH_SCAN_TYPE *t = (FILCH_SCAN_TYPE *)total, base;

	if (!before) {
		*t = FILCH__SCAN(__add)(a->in, begin, end, *t);
		return 0;
	}
	base = *(const FILCH_SCAN_TYPE *)before;
	if (a->stream)
		*t = a->exclusive ? FILCH__SCAN(__write)(a->in, a->out, begin, end, base,
		                                         *t, true, true)
		                  : FILCH__SCAN(__write)(a->in, a->out, begin, end, base,
		                                         *t, false, true);
	else
		*t = a->exclusive ? FILCH__SCAN(__write)(a->in, a->out, begin, end, base,
		                                         *t, true, false)
		                  : FILCH__SCAN(__write)(a->in, a->out, begin, end, base,
		                                         *t, false, false);
	return 0;
}

FILCH__SCAN_FN void FILCH__SCAN(__combine)(void *left, const void *right, void *context)
{
	FILCH_SCAN_TYPE *l = (FILCH_SCAN_TYPE *)left;

	(void)context;
	*l = FILCH__SCAN(__plus)(*l, *(const FILCH_SCAN_TYPE *)right);
}

FILCH__SCAN_FN int FILCH__SCAN(__all)(const FILCH_SCAN_TYPE *in, FILCH_SCAN_TYPE *out,
                                      size_t n, bool exclusive)
{
	struct FILCH__SCAN(__arrays) a = {
		in, out, exclusive, in != out && n >= FILCH__SCAN_LARGE / sizeof *in};
	FILCH_SCAN_TYPE sum = FILCH_SCAN_ZERO;

	return filch_scan(0, n, &sum, sizeof sum, FILCH__SCAN(__body),
	                  FILCH__SCAN(__combine), &a);
}

FILCH__SCAN_FN int FILCH_SCAN_NAME(const FILCH_SCAN_TYPE *in, FILCH_SCAN_TYPE *out,
                                   size_t n)
{
	return FILCH__SCAN(__all)(in, out, n, false);
}

FILCH__SCAN_FN int FILCH__SCAN(_exclusive)(const FILCH_SCAN_TYPE *in,
                                           FILCH_SCAN_TYPE *out, size_t n)
{
	return FILCH__SCAN(__all)(in, out, n, true);
}

#pragma GCC diagnostic pop

#undef FILCH__SCAN_FN
#undef FILCH__SCAN
#undef FILCH__SCAN_PASTE
#undef FILCH__SCAN_PASTE_
#undef FILCH_SCAN_NAME
#undef FILCH_SCAN_TYPE
#undef FILCH_SCAN_PLUS
#undef FILCH_SCAN_ZERO
