/* SPDX-License-Identifier: MIT */
/*
 * Part of filch/sort_template.h: quicksort. It differs from the textbook: the partition
 * has no branches (it is cyclic, of N. Lomuto's kind); the pivot is a median of medians
 * of a sample that grows with the array; if the pivot equals the element before the
 * array, which was a pivot itself, all elements that equal it are set aside; after too
 * many levels heap sort takes over.
 */
#ifdef FILCH__S

struct FILCH__S(part) {
	FILCH__T *a;
	size_t n;
	unsigned limit; /* levels until heap sort */
	bool after;     /* an element precedes the array; none in it is less */
	FILCH__FIELD
};

FILCH__SORT_INLINE void FILCH__S(swap)(FILCH__T *a, FILCH__T *b)
{
	FILCH__T x = *a;

	*a = *b;
	*b = x;
}

/* The median of three elements, or of three medians of nearby elements, and so on. */
FILCH__SORT_FN FILCH__T *FILCH__S(median)(FILCH__T *a, FILCH__T *b, FILCH__T *c,
                                          size_t apart FILCH__WITH)
{
	bool ab, bc, ac;

	if (apart >= 8) {
		size_t d = apart / 8;

		a = FILCH__S(median)(a, a + 4 * d, a + 7 * d, d FILCH__PASSED);
		b = FILCH__S(median)(b, b + 4 * d, b + 7 * d, d FILCH__PASSED);
		c = FILCH__S(median)(c, c + 4 * d, c + 7 * d, d FILCH__PASSED);
	}
	ab = FILCH__LESS(a, b);
	ac = FILCH__LESS(a, c);
	if (ab != ac)
		return a;
	bc = FILCH__LESS(b, c);
	return bc != ab ? c : b;
}

/* Moves elements that are less than the pivot (if `upto` is set: not greater) to the
 * front, and returns their number. Each element in turn moves to where the front ends,
 * and the element that was there moves to where the last one came from; the front then
 * grows by the new element, or not. */
FILCH__SORT_INLINE size_t FILCH__S(partition)(FILCH__T *a, size_t n,
                                              const FILCH__T *pivot,
                                              bool upto FILCH__WITH)
{
	FILCH__ALIGNED FILCH__T first = a[0];
	FILCH__T *from = a;
	size_t front = 0;

	FILCH__SORT_TWICE
	for (size_t i = 1; i < n; i++) {
		bool goes = upto ? !FILCH__LESS(pivot, a + i) : FILCH__LESS(a + i, pivot);

		*from = a[front];
		a[front] = a[i];
		from = a + i;
		front += goes;
	}
	*from = a[front];
	a[front] = first;
	return front + (upto ? !FILCH__LESS(pivot, &first) : FILCH__LESS(&first, pivot));
}

struct FILCH__S(pivot) {
	FILCH__ALIGNED FILCH__T x;
	bool upto;
	FILCH__FIELD
};

FILCH__SORT_FN size_t FILCH__S(piece)(void *a, size_t n, void *pivot)
{
	struct FILCH__S(pivot) *p = (struct FILCH__S(pivot) *)pivot;
	FILCH__ALIGNED FILCH__T x = p->x; /* no other code can write to this copy */
	FILCH__T *begin = (FILCH__T *)a;

	return p->upto ? FILCH__S(partition)(begin, n, &x, true FILCH__FROM(p))
	               : FILCH__S(partition)(begin, n, &x, false FILCH__FROM(p));
}

/* Partitions the elements after the first, which is the pivot. */
FILCH__SORT_FN size_t FILCH__S(divide)(FILCH__T *a, size_t n, bool upto FILCH__WITH)
{
	struct FILCH__S(pivot) p = {a[0], upto FILCH__PASSED};

	if (n < FILCH__SORT_CUT)
		return FILCH__S(piece)(a + 1, n - 1, &p);
	return filch__sort_partition(a + 1, n - 1, sizeof *a, FILCH__S(piece), &p);
}

FILCH__SORT_FN void FILCH__S(heap)(FILCH__T *a, size_t n FILCH__WITH)
{
	struct FILCH__S(order) o = {0 FILCH__PASSED};

	filch__sort_heap((void *)a, n, sizeof *a, FILCH__S(compare), &o);
}

FILCH__SORT_FN void FILCH__S(quick)(void *part)
{
	struct FILCH__S(part) p = *(struct FILCH__S(part) *)part, left;
#ifdef FILCH_SORT_CONTEXT
	FILCH_SORT_CONTEXT context = p.context;
#endif

	while (p.n > FILCH__SMALL) {
		size_t d = p.n / 8, m;
		FILCH__T *middle = p.a + 4 * d;

		if (!p.limit--) {
			FILCH__S(heap)(p.a, p.n FILCH__PASSED);
			return;
		}
		middle = FILCH__S(median)(p.a, middle, p.a + 7 * d, d FILCH__PASSED);
		FILCH__S(swap)(p.a, middle);
		if (p.after && !FILCH__LESS(p.a - 1, p.a)) {
			m = 1 + FILCH__S(divide)(p.a, p.n, true FILCH__PASSED);
			p.a += m;
			p.n -= m;
			continue;
		}
		m = FILCH__S(divide)(p.a, p.n, false FILCH__PASSED);
		FILCH__S(swap)(p.a, p.a + m);
		left = p;
		left.n = m;
		p.a += m + 1;
		p.n -= m + 1;
		p.after = true;
		if (left.n + p.n >= FILCH__GRAIN) {
			FILCH__SORT_BOTH(FILCH__S(quick), &left, &p);
			return;
		}
		FILCH__S(quick)(&left);
	}
	FILCH__S(small)(p.a, p.a, p.n FILCH__PASSED);
}

FILCH__SORT_FN void FILCH_SORT_NAME(FILCH__T *a, size_t n FILCH__WITH)
{
	struct FILCH__S(part) p = {a, n, 1, false FILCH__PASSED};

	if (n < 2 || FILCH__S(ordered)(a, n FILCH__PASSED))
		return;
	for (size_t rest = n; rest > 1; rest /= 2)
		p.limit += 2;
	if (n < FILCH__LARGE)
		FILCH__S(quick)(&p);
	else
		FILCH__SORT_ENTER(FILCH__S(quick), &p);
}

#endif
