// SPDX-License-Identifier: MIT Sorting from C++: numbers, a class that is plain data, and
// the template within a template.
#include <filch/numbers.h>
#include <filch/sort.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <vector>

struct point {
	int x = 0, y = 0;

	bool operator<(const point &other) const
	{
		return x < other.x;
	}
};

#define FILCH_SORT_NAME sort_points
#define FILCH_SORT_STABLE_NAME stable_sort_points
#define FILCH_SORT_TYPE point
#define FILCH_SORT_LESS(a, b) (*(a) < *(b))
#include <filch/sort_template.h>

template <class T, class Less> struct sorter {
#define FILCH_SORT_NAME sort
#define FILCH_SORT_STABLE_NAME stable_sort
#define FILCH_SORT_TYPE T
#define FILCH_SORT_CONTEXT const Less *
#define FILCH_SORT_LESS(a, b, less) (*less)(*(a), *(b))
#include <filch/sort_template.h>
};

static int failed;

static void check(bool ok, const char *what)
{
	if (ok)
		return;
	std::fprintf(stderr, "wrong: %s\n", what);
	failed = 1;
}

static bool by_both(const point &a, const point &b)
{
	return a.x < b.x || (a.x == b.x && a.y < b.y);
}

static std::vector<point> points(int n)
{
	std::vector<point> v(static_cast<size_t>(n));

	for (int i = 0; i < n; i++) {
		v[static_cast<size_t>(i)].x = i * 7919 % 1009;
		v[static_cast<size_t>(i)].y = i;
	}
	return v;
}

template <class Less> static void in_a_template(const Less &less)
{
	auto a = points(30000), b = a;

	sorter<point, Less>::sort(a.data(), a.size(), &less);
	check(std::is_sorted(a.begin(), a.end(), less), "a template's sort");
	sorter<point, Less>::stable_sort(b.data(), b.size(), &less);
	check(std::is_sorted(b.begin(), b.end(), less), "a template's stable sort");
}

static int compare(const void *a, const void *b, void *)
{
	const point *x = static_cast<const point *>(a),
		    *y = static_cast<const point *>(b);

	return (x->x > y->x) - (x->x < y->x);
}

int main()
{
	std::vector<double> numbers;
	auto a = points(30000), b = a, c = a;
	int sign = -1;

	for (const point &p : a)
		numbers.push_back(p.x * 0.5);
	filch_sort_f64(numbers.data(), numbers.size());
	check(std::is_sorted(numbers.begin(), numbers.end()), "numbers");
	sort_points(a.data(), a.size());
	check(std::is_sorted(a.begin(), a.end()), "points");
	stable_sort_points(b.data(), b.size());
	check(std::is_sorted(b.begin(), b.end(), by_both), "points, stable");
	filch_stable_sort(c.data(), c.size(), sizeof(point), compare, nullptr);
	check(std::is_sorted(c.begin(), c.end(), by_both),
	      "points, compared by a function");
	in_a_template(std::less<point>());
	in_a_template(
		[&](const point &p, const point &q) { return p.x * sign < q.x * sign; });
	return failed;
}
