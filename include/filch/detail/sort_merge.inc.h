/* SPDX-License-Identifier: MIT */
/*
 * Part of filch/sort_template.h: merge sort, from the array to the scratch array and
 * back, one level at a time. Merges are divided, too, so that the last ones occupy all
 * workers.
 */
#ifdef FILCH__S

/* Prefetches the targets of elements that are pointers; only sorts of the library do
 * that. */
FILCH__SORT_INLINE void FILCH__S(look_ahead)(const FILCH__RUNS *m)
{
	(void)m;
#ifdef FILCH__SORT_AHEAD
	for (int i = FILCH__SORT_STEPS; i < 2 * FILCH__SORT_STEPS; i++) {
		FILCH__SORT_AHEAD(m->l + i);
		FILCH__SORT_AHEAD(m->r + i);
		FILCH__SORT_AHEAD(m->l_end - 1 - i);
		FILCH__SORT_AHEAD(m->r_end - 1 - i);
	}
#endif
}

/* Merges the runs, from both ends as long as FILCH__SORT_STEPS steps cannot exhaust a
 * run. The code knows what is left of each run, so that even an order that contradicts
 * itself cannot take an element twice. */
FILCH__SORT_FN void FILCH__S(merge_here)(FILCH__RUNS m FILCH__WITH)
{
	while (m.l_end - m.l >= 2 * FILCH__SORT_STEPS &&
	       m.r_end - m.r >= 2 * FILCH__SORT_STEPS) {
		FILCH__S(look_ahead)(&m);
		for (int i = 0; i < FILCH__SORT_STEPS; i++) {
			FILCH__S(forth)(&m FILCH__PASSED);
			FILCH__S(back)(&m FILCH__PASSED);
		}
	}
	while (m.l < m.l_end && m.r < m.r_end)
		FILCH__S(forth)(&m FILCH__PASSED);
	if (m.l < m.l_end)
		memcpy((void *)m.out, (const void *)m.l,
		       (size_t)(m.l_end - m.l) * sizeof *m.l);
	else if (m.r < m.r_end)
		memcpy((void *)m.out, (const void *)m.r,
		       (size_t)(m.r_end - m.r) * sizeof *m.r);
}

/* Returns how many of the n sorted elements belong before x; if `equal` is set, those
 * that equal x do, too. */
FILCH__SORT_FN size_t FILCH__S(rank)(const FILCH__T *a, size_t n, const FILCH__T *x,
                                     bool equal FILCH__WITH)
{
	size_t low = 0;

	while (low < n) {
		size_t middle = low + (n - low) / 2;

		if (equal ? !FILCH__LESS(x, a + middle) : FILCH__LESS(a + middle, x))
			low = middle + 1;
		else
			n = middle;
	}
	return low;
}

struct FILCH__S(merging) {
	FILCH__RUNS m;
	FILCH__FIELD
};

/* Divides the longer run in the middle, and the other one where that element belongs. */
FILCH__SORT_FN void FILCH__S(merge)(void *merging)
{
	struct FILCH__S(merging) *one = (struct FILCH__S(merging) *)merging, other = *one;
	size_t l = (size_t)(one->m.l_end - one->m.l);
	size_t r = (size_t)(one->m.r_end - one->m.r);

	if (l + r < FILCH__LARGE) {
		FILCH__S(merge_here)(one->m FILCH__FROM(one));
		return;
	}
	if (l >= r) {
		l /= 2;
		r = FILCH__S(rank)(one->m.r, r, one->m.l + l, false FILCH__FROM(one));
	} else {
		r /= 2;
		l = FILCH__S(rank)(one->m.l, l, one->m.r + r, true FILCH__FROM(one));
	}
	other.m.l = one->m.l_end = one->m.l + l;
	other.m.r = one->m.r_end = one->m.r + r;
	other.m.out = one->m.out_end = one->m.out + l + r;
	FILCH__SORT_BOTH(FILCH__S(merge), one, &other);
}

struct FILCH__S(sorting) {
	FILCH__T *a, *t; /* the array and the scratch array */
	size_t n;
	bool away; /* leave the result in t */
	FILCH__FIELD
};

/* Merges the two halves, which lie in one of the arrays, into the other array. */
FILCH__SORT_FN void FILCH__S(merge_halves)(void *sorting, size_t half)
{
	struct FILCH__S(sorting) *s = (struct FILCH__S(sorting) *)sorting;
	FILCH__T *from = s->away ? s->a : s->t, *to = s->away ? s->t : s->a;
	struct FILCH__S(merging) g = {{from, from + half, from + half, from + s->n, to,
	                               to + s->n} FILCH__FROM(s)};

	if (FILCH__S(less)(from + half, from + half - 1 FILCH__FROM(s)))
		FILCH__S(merge)(&g);
	else
		memcpy((void *)to, (const void *)from, s->n * sizeof *to);
}

FILCH__SORT_FN void FILCH__S(merge_sort)(void *sorting)
{
	struct FILCH__S(sorting) *s = (struct FILCH__S(sorting) *)sorting;
	struct FILCH__S(sorting) left, right;
	size_t half;

	if (s->n <= FILCH__SMALL) {
		FILCH__S(small)(s->away ? s->t : s->a, s->a, s->n FILCH__FROM(s));
		return;
	}
	if (FILCH__S(ordered)(s->a, s->n FILCH__FROM(s))) {
		if (s->away)
			memcpy((void *)s->t, (const void *)s->a, s->n * sizeof *s->a);
		return;
	}
	/* All leaves are full, except the last. */
	half = (s->n / 2 + FILCH__SMALL - 1) / FILCH__SMALL * FILCH__SMALL;
	left = right = *s;
	left.n = half;
	right.n -= half;
	right.a += half;
	right.t += half;
	left.away = right.away = !s->away;
	if (s->n >= FILCH__GRAIN) {
		FILCH__SORT_BOTH(FILCH__S(merge_sort), &left, &right);
	} else {
		FILCH__S(merge_sort)(&left);
		FILCH__S(merge_sort)(&right);
	}
	FILCH__S(merge_halves)(s, half);
}

FILCH__SORT_FN void FILCH_SORT_STABLE_NAME(FILCH__T *a, size_t n FILCH__WITH)
{
	struct FILCH__S(sorting) s = {a, NULL, n, false FILCH__PASSED};
	struct FILCH__S(order) o = {0 FILCH__PASSED};

	if (n <= FILCH__SMALL) {
		FILCH__S(small)(a, a, n FILCH__PASSED);
		return;
	}
	if (FILCH__S(ordered)(a, n FILCH__PASSED))
		return;
	s.t = (FILCH__T *)filch__sort_memory(n, sizeof *a, __alignof__(FILCH__T));
	if (!s.t)
		filch__sort_in_place((void *)a, n, sizeof *a, FILCH__S(compare), &o);
	else if (n < FILCH__LARGE)
		FILCH__S(merge_sort)(&s);
	else
		FILCH__SORT_ENTER(FILCH__S(merge_sort), &s);
	filch__sort_memory_free((void *)s.t);
}

#endif
