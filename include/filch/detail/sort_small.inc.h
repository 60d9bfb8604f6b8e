/* SPDX-License-Identifier: MIT */
/*
 * Part of filch/sort_template.h: sorting a few elements. The sort is stable, and has
 * hardly any branch that depends on the order: a network sorts groups of four, and runs
 * of equal length are merged from both ends at once, so that the processor has two chains
 * of dependent loads instead of one.
 */
#ifdef FILCH__S

/* Inserts *x, which is a copy of the element after the n sorted ones, among these. */
FILCH__SORT_INLINE void FILCH__S(insert)(FILCH__T *a, size_t n,
                                         const FILCH__T *x FILCH__WITH)
{
	while (n && FILCH__LESS(x, a + n - 1)) {
		a[n] = a[n - 1];
		n--;
	}
	a[n] = *x;
}

FILCH__SORT_FN void FILCH__S(insertion)(FILCH__T *to, const FILCH__T *from, size_t begun,
                                        size_t n FILCH__WITH)
{
	for (size_t i = begun; i < n; i++) {
		FILCH__ALIGNED FILCH__T x = from[i];

		FILCH__S(insert)(to, i, &x FILCH__PASSED);
	}
}

FILCH__SORT_INLINE void FILCH__S(four)(FILCH__T *to, const FILCH__T *v FILCH__WITH)
{
	bool left = FILCH__LESS(v + 1, v), right = FILCH__LESS(v + 3, v + 2);
	const FILCH__T *a = v + left, *b = v + !left; /* a before b, c before d */
	const FILCH__T *c = v + 2 + right, *d = v + 2 + !right;
	bool first = FILCH__LESS(c, a), last = FILCH__LESS(d, b);
	/* The two in the middle: l is the one that stood to the left of r. */
	const FILCH__T *l = FILCH__S(either)(first, FILCH__S(either)(last, b, c), a);
	const FILCH__T *r = FILCH__S(either)(last, FILCH__S(either)(first, c, b), d);
	bool turn = FILCH__LESS(r, l);

	to[0] = *FILCH__S(either)(first, a, c);
	to[1] = *FILCH__S(either)(turn, l, r);
	to[2] = *FILCH__S(either)(turn, r, l);
	to[3] = *FILCH__S(either)(last, d, b);
}

/* Two runs that are being merged from both ends, and the place that they are merged
 * to. */
struct FILCH__S(runs) {
	const FILCH__T *l, *l_end, *r, *r_end;
	FILCH__T *out, *out_end;
};

FILCH__SORT_INLINE void FILCH__S(forth)(FILCH__RUNS *m FILCH__WITH)
{
	bool right = FILCH__LESS(m->r, m->l);

	*m->out++ = *FILCH__S(either)(right, m->l, m->r);
	m->r += right;
	m->l += !right;
}

FILCH__SORT_INLINE void FILCH__S(back)(FILCH__RUNS *m FILCH__WITH)
{
	bool left = FILCH__LESS(m->r_end - 1, m->l_end - 1);

	*--m->out_end = *(FILCH__S(either)(left, m->r_end, m->l_end) - 1);
	m->l_end -= left;
	m->r_end -= !left;
}

/* Merges two adjacent runs of n elements each: n steps from either end cannot leave them.
 * If the two ends do not meet, the order contradicts itself, and the elements are copied
 * as they are. */
FILCH__SORT_INLINE void FILCH__S(zip)(FILCH__T *to, const FILCH__T *from,
                                      size_t n FILCH__WITH)
{
	FILCH__RUNS m = {from, from + n, from + n, from + 2 * n, to, to + 2 * n};

	for (size_t i = 0; i < n; i++) {
		FILCH__S(forth)(&m FILCH__PASSED);
		FILCH__S(back)(&m FILCH__PASSED);
	}
	if (m.l != m.l_end)
		memcpy((void *)to, (const void *)from, 2 * n * sizeof *to);
}

FILCH__SORT_FN void FILCH__S(eight)(FILCH__T *to, const FILCH__T *from FILCH__WITH)
{
	FILCH__ALIGNED FILCH__T t[8];

	FILCH__S(four)(t, from FILCH__PASSED);
	FILCH__S(four)(t + 4, from + 4 FILCH__PASSED);
	FILCH__S(zip)(to, t, 4 FILCH__PASSED);
}

FILCH__SORT_FN void FILCH__S(sixteen)(FILCH__T *to, const FILCH__T *from FILCH__WITH)
{
	FILCH__ALIGNED FILCH__T t[16];

	FILCH__S(eight)(t, from FILCH__PASSED);
	FILCH__S(eight)(t + 8, from + 8 FILCH__PASSED);
	FILCH__S(zip)(to, t, 8 FILCH__PASSED);
}

/* Sorts the n elements of `from` into t. */
FILCH__SORT_INLINE void FILCH__S(half)(FILCH__T *t, const FILCH__T *from,
                                       size_t n FILCH__WITH)
{
	size_t begun = n >= 16 ? 16 : n >= 8 ? 8 : n >= 4 ? 4 : 0;

	if (begun == 16)
		FILCH__S(sixteen)(t, from FILCH__PASSED);
	else if (begun == 8)
		FILCH__S(eight)(t, from FILCH__PASSED);
	else if (begun == 4)
		FILCH__S(four)(t, from FILCH__PASSED);
	FILCH__S(insertion)(t, from, begun, n FILCH__PASSED);
}

/* Sorts up to FILCH__SMALL elements; `to` may be `from`. */
FILCH__SORT_FN void FILCH__S(small)(FILCH__T *to, const FILCH__T *from,
                                    size_t n FILCH__WITH)
{
	FILCH__ALIGNED FILCH__T t[FILCH__WIDE ? 1 : FILCH__SORT_SMALL];
	size_t half = n / 2;

	if (n < 8 || FILCH__WIDE) {
		FILCH__S(insertion)(to, from, 0, n FILCH__PASSED);
		return;
	}
	FILCH__S(half)(t, from, half FILCH__PASSED);
	FILCH__S(half)(t + half, from + half, half FILCH__PASSED);
	if (n % 2) { /* the last element is inserted after the merge */
		FILCH__ALIGNED FILCH__T x = from[n - 1];

		FILCH__S(zip)(to, t, half FILCH__PASSED);
		FILCH__S(insert)(to, n - 1, &x FILCH__PASSED);
	} else {
		FILCH__S(zip)(to, t, half FILCH__PASSED);
	}
}

#endif
