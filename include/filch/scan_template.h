/* SPDX-License-Identifier: MIT */
/*
 * Prefix sums of one type, with an operation that the compiler sees. Included, any number of
 * times, after
 *
 *   #define FILCH_SCAN_NAME scan_of_floats
 *   #define FILCH_SCAN_TYPE float
 *   #define FILCH_SCAN_PLUS(a, b) ((a) + (b))      any associative operation
 *   #define FILCH_SCAN_ZERO 0                      its identity
 *
 * it makes
 *
 *   int scan_of_floats(const float *in, float *out, size_t n);             inclusive
 *   int scan_of_floats_exclusive(const float *in, float *out, size_t n);
 *
 * which are static, and takes the four names back. out may be in. Errors: as filch_scan().
 *
 * Four elements are added up by themselves before they are added to the rest: that is four
 * times as fast as one after the other where the operation takes several cycles, and rounds
 * no worse.
 */
#include <filch/scan.h>

#define FILCH__SCAN_PASTE_(a, b) a##b
#define FILCH__SCAN_PASTE(a, b) FILCH__SCAN_PASTE_(a, b)
#define FILCH__SCAN(x) FILCH__SCAN_PASTE(FILCH_SCAN_NAME, x)

struct FILCH__SCAN(__arrays) {
	const FILCH_SCAN_TYPE *in;
	FILCH_SCAN_TYPE *out;
};

/* Adds in[begin] ... to the sum: the one order that all passes keep to. */
static inline __attribute__((unused)) FILCH_SCAN_TYPE FILCH__SCAN(__add)(
	const FILCH_SCAN_TYPE *in, size_t begin, size_t end, FILCH_SCAN_TYPE sum)
{
	size_t i = begin;

	for (; end - i >= 4; i += 4) {
		FILCH_SCAN_TYPE two = FILCH_SCAN_PLUS(in[i], in[i + 1]);
		FILCH_SCAN_TYPE four =
			FILCH_SCAN_PLUS(two, FILCH_SCAN_PLUS(in[i + 2], in[i + 3]));

		sum = FILCH_SCAN_PLUS(sum, four);
	}
	for (; i < end; i++)
		sum = FILCH_SCAN_PLUS(sum, in[i]);
	return sum;
}

static inline __attribute__((unused)) int FILCH__SCAN(__inclusive)(
	size_t begin, size_t end, const void *before, void *total, void *context)
{
	const struct FILCH__SCAN(__arrays) *a =
		(const struct FILCH__SCAN(__arrays) *)context;
	FILCH_SCAN_TYPE sum = *(FILCH_SCAN_TYPE *)total, base;
	const FILCH_SCAN_TYPE *in = a->in;
	FILCH_SCAN_TYPE *out = a->out;
	size_t i = begin;

	if (!before) {
		*(FILCH_SCAN_TYPE *)total = FILCH__SCAN(__add)(in, begin, end, sum);
		return 0;
	}
	base = *(const FILCH_SCAN_TYPE *)before;
	for (; end - i >= 4; i += 4) {
		FILCH_SCAN_TYPE so_far = FILCH_SCAN_PLUS(base, sum), one = in[i];
		FILCH_SCAN_TYPE two = FILCH_SCAN_PLUS(one, in[i + 1]), third = in[i + 2];
		FILCH_SCAN_TYPE four =
			FILCH_SCAN_PLUS(two, FILCH_SCAN_PLUS(third, in[i + 3]));

		sum = FILCH_SCAN_PLUS(sum, four);
		out[i] = FILCH_SCAN_PLUS(so_far, one);
		out[i + 1] = FILCH_SCAN_PLUS(so_far, two);
		out[i + 2] = FILCH_SCAN_PLUS(so_far, FILCH_SCAN_PLUS(two, third));
		out[i + 3] = FILCH_SCAN_PLUS(so_far, four);
	}
	for (; i < end; i++) {
		sum = FILCH_SCAN_PLUS(sum, in[i]);
		out[i] = FILCH_SCAN_PLUS(base, sum);
	}
	*(FILCH_SCAN_TYPE *)total = sum;
	return 0;
}

static inline __attribute__((unused)) int FILCH__SCAN(__exclusive)(
	size_t begin, size_t end, const void *before, void *total, void *context)
{
	const struct FILCH__SCAN(__arrays) *a =
		(const struct FILCH__SCAN(__arrays) *)context;
	FILCH_SCAN_TYPE sum = *(FILCH_SCAN_TYPE *)total, base;
	const FILCH_SCAN_TYPE *in = a->in;
	FILCH_SCAN_TYPE *out = a->out;
	size_t i = begin;

	if (!before) {
		*(FILCH_SCAN_TYPE *)total = FILCH__SCAN(__add)(in, begin, end, sum);
		return 0;
	}
	base = *(const FILCH_SCAN_TYPE *)before;
	for (; end - i >= 4; i += 4) {
		FILCH_SCAN_TYPE so_far = FILCH_SCAN_PLUS(base, sum), one = in[i];
		FILCH_SCAN_TYPE two = FILCH_SCAN_PLUS(one, in[i + 1]), third = in[i + 2];

		sum = FILCH_SCAN_PLUS(
			sum, FILCH_SCAN_PLUS(two, FILCH_SCAN_PLUS(third, in[i + 3])));
		out[i] = so_far;
		out[i + 1] = FILCH_SCAN_PLUS(so_far, one);
		out[i + 2] = FILCH_SCAN_PLUS(so_far, two);
		out[i + 3] = FILCH_SCAN_PLUS(so_far, FILCH_SCAN_PLUS(two, third));
	}
	for (; i < end; i++) {
		FILCH_SCAN_TYPE next = FILCH_SCAN_PLUS(sum, in[i]);

		out[i] = FILCH_SCAN_PLUS(base, sum);
		sum = next;
	}
	*(FILCH_SCAN_TYPE *)total = sum;
	return 0;
}

static inline __attribute__((unused)) void FILCH__SCAN(__combine)(void *left,
                                                                  const void *right,
                                                                  void *context)
{
	FILCH_SCAN_TYPE *l = (FILCH_SCAN_TYPE *)left;

	(void)context;
	*l = FILCH_SCAN_PLUS(*l, *(const FILCH_SCAN_TYPE *)right);
}

static inline __attribute__((unused)) int FILCH_SCAN_NAME(const FILCH_SCAN_TYPE *in,
                                                          FILCH_SCAN_TYPE *out, size_t n)
{
	struct FILCH__SCAN(__arrays) a = {in, out};
	FILCH_SCAN_TYPE sum = FILCH_SCAN_ZERO;

	return filch_scan(0, n, &sum, sizeof sum, FILCH__SCAN(__inclusive),
	                  FILCH__SCAN(__combine), &a);
}

static inline __attribute__((unused)) int FILCH__SCAN(_exclusive)(
	const FILCH_SCAN_TYPE *in, FILCH_SCAN_TYPE *out, size_t n)
{
	struct FILCH__SCAN(__arrays) a = {in, out};
	FILCH_SCAN_TYPE sum = FILCH_SCAN_ZERO;

	return filch_scan(0, n, &sum, sizeof sum, FILCH__SCAN(__exclusive),
	                  FILCH__SCAN(__combine), &a);
}

#undef FILCH__SCAN
#undef FILCH__SCAN_PASTE
#undef FILCH__SCAN_PASTE_
#undef FILCH_SCAN_NAME
#undef FILCH_SCAN_TYPE
#undef FILCH_SCAN_PLUS
#undef FILCH_SCAN_ZERO
