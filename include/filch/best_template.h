/* SPDX-License-Identifier: MIT */
/*
 * The first of the best elements of an array of numbers. Included after
 *
 *   #define FILCH_BEST_NAME filch_min_f32
 *   #define FILCH_BEST_TYPE float
 *   #define FILCH_BEST_BEATS(a, b) ((a) < (b))
 *   #define FILCH_BEST_WORST __builtin_inff()      every number beats it or is equal
 *
 * this header makes
 *
 *   size_t filch_min_f32(const float *a, size_t n);
 *
 * which is static, and undefines the four names. It may be included any number of times.
 * filch/numbers.h uses it.
 *
 * The value is found first, then its position: the loop over the values has no branch and
 * no index, so that it runs at the speed of memory, and only the step that held the best
 * value is searched for the position.
 */
#include <filch/reduce.h>
#include <stdint.h>

#define FILCH__BEST_PASTE_(a, b) a##b
#define FILCH__BEST_PASTE(a, b) FILCH__BEST_PASTE_(a, b)
#define FILCH__BEST(x) FILCH__BEST_PASTE(FILCH_BEST_NAME, x)
#define FILCH__BEST_OF(a, b) (FILCH_BEST_BEATS(a, b) ? (a) : (b))

#ifndef FILCH__BEST_STEP
#define FILCH__BEST_STEP 2048 /* elements that are searched for the position */
#define FILCH__BEST_LANES 8   /* chains of comparisons side by side, or vectors */
#define FILCH__BEST_NONE SIZE_MAX
#endif

struct FILCH__BEST(__found) {
	FILCH_BEST_TYPE value;
	size_t at;
};

static inline __attribute__((unused)) FILCH_BEST_TYPE FILCH__BEST(__value)(
	const FILCH_BEST_TYPE *a, size_t n)
{
	FILCH_BEST_TYPE lane[FILCH__BEST_LANES], best = FILCH_BEST_WORST;
	size_t i = 0;

	for (unsigned j = 0; j < FILCH__BEST_LANES; j++)
		lane[j] = best;
	for (; n - i >= FILCH__BEST_LANES; i += FILCH__BEST_LANES)
		for (unsigned j = 0; j < FILCH__BEST_LANES; j++)
			lane[j] = FILCH__BEST_OF(a[i + j], lane[j]);
	for (; i < n; i++)
		best = FILCH__BEST_OF(a[i], best);
	for (unsigned j = 0; j < FILCH__BEST_LANES; j++)
		best = FILCH__BEST_OF(lane[j], best);
	return best;
}

static inline __attribute__((unused)) int FILCH__BEST(__body)(size_t begin, size_t end,
                                                              void *result, void *context)
{
	const FILCH_BEST_TYPE *a = (const FILCH_BEST_TYPE *)context;
	FILCH_BEST_TYPE best = FILCH_BEST_WORST;
	size_t from = begin;

	for (size_t i = begin; i < end; i += FILCH__BEST_STEP) {
		size_t n = end - i < FILCH__BEST_STEP ? end - i : FILCH__BEST_STEP;
		FILCH_BEST_TYPE value = FILCH__BEST(__value)(a + i, n);

		if (FILCH_BEST_BEATS(value, best)) {
			best = value;
			from = i;
		}
	}
	while (from < end && !(a[from] == best))
		from++;
	((struct FILCH__BEST(__found) *)result)->value = best;
	((struct FILCH__BEST(__found) *)result)->at =
		from < end ? from : FILCH__BEST_NONE; /* nothing but NaN */
	return 0;
}

static inline __attribute__((unused)) void FILCH__BEST(__combine)(void *left,
                                                                  const void *right,
                                                                  void *context)
{
	struct FILCH__BEST(__found) *l = (struct FILCH__BEST(__found) *)left;
	const struct FILCH__BEST(__found) *r = (const struct FILCH__BEST(__found) *)right;

	(void)context;
	if (r->at != FILCH__BEST_NONE &&
	    (l->at == FILCH__BEST_NONE || FILCH_BEST_BEATS(r->value, l->value)))
		*l = *r;
}

static inline __attribute__((unused)) size_t FILCH_BEST_NAME(const FILCH_BEST_TYPE *a,
                                                             size_t n)
{
	struct FILCH__BEST(__found) found = {FILCH_BEST_WORST, FILCH__BEST_NONE};
	void *array = (void *)(uintptr_t)a;

	/* -ECANCELED cannot be reported, so all the work is then done here. */
	if (filch_reduce(0, n, &found, sizeof found, FILCH__BEST(__body),
	                 FILCH__BEST(__combine), array))
		FILCH__BEST(__body)(0, n, &found, array);
	return found.at == FILCH__BEST_NONE ? 0 : found.at;
}

#undef FILCH__BEST
#undef FILCH__BEST_OF
#undef FILCH__BEST_PASTE
#undef FILCH__BEST_PASTE_
#undef FILCH_BEST_NAME
#undef FILCH_BEST_TYPE
#undef FILCH_BEST_BEATS
#undef FILCH_BEST_WORST
