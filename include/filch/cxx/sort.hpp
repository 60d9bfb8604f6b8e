// SPDX-License-Identifier: MIT
//
// Sorting. See filch.hpp; filch/sort_template.h has the methods.
#ifndef FILCH_CXX_SORT_HPP
#define FILCH_CXX_SORT_HPP

#include <filch/cxx/base.hpp>
#include <filch/sort_template.h>

#include <algorithm>

namespace filch
{

namespace detail
{

// The order, for code that cannot let exceptions pass: once a comparison has thrown, all
// further ones return false without calling it. The sort copes with an order that
// contradicts itself.
template <class Less> struct ordering {
	Less &less;
	relay errors;

	template <class A, class B> bool operator()(A &a, B &b) noexcept
	{
		return !errors.failed() &&
		       errors.guard([&] { return std::invoke(less, a, b) ? 2 : 0; }) == 2;
	}
};

// ---- contiguous elements, which are copied ----

#define FILCH__LESS_OF(a, b, order) (*(order))(*(a), *(b))

template <class T, class Order> struct sorter {
#define FILCH_SORT_NAME sort
#define FILCH_SORT_TYPE T
#define FILCH_SORT_CONTEXT Order *
#define FILCH_SORT_LESS FILCH__LESS_OF
#include <filch/sort_template.h>
};

template <class T, class Order> struct stable_sorter {
#define FILCH_SORT_STABLE_NAME stable_sort
#define FILCH_SORT_TYPE T
#define FILCH_SORT_CONTEXT Order *
#define FILCH_SORT_LESS FILCH__LESS_OF
#include <filch/sort_template.h>
};

#undef FILCH__LESS_OF

template <class It>
inline constexpr bool is_sorted_in_c = is_contiguous<It> &&is_plain<value_of<It>>
	&&std::is_trivially_default_constructible_v<value_of<It>>
		&&std::is_copy_constructible_v<value_of<It>>
			&&std::is_copy_assignable_v<value_of<It>>;

// ---- other elements, which are moved ----

inline constexpr std::ptrdiff_t few = 24;       // up to so many are sorted by insertion
inline constexpr std::ptrdiff_t together = 512; // fewer elements are not shared
inline constexpr std::ptrdiff_t merge_together = 4096;

template <class It, class Order> struct mover {
	Order &order;

	template <class F, class G> void both_of(std::ptrdiff_t n, F f, G g)
	{
		if (n >= together) {
			relay none; // for moves that throw; comparisons do not

			all(none, f, g);
			none.rethrow();
		} else {
			f();
			g();
		}
	}

	// Stays within the range even if the order contradicts itself.
	void insertion(It first, It last)
	{
		for (It i = first; i != last; ++i) {
			value_of<It> x = std::move(*i);
			It to = i;

			for (; to != first && order(x, *(to - 1)); --to)
				*to = std::move(*(to - 1));
			*to = std::move(x);
		}
	}

	void median_to_front(It first, It last)
	{
		It a = first, b = first + (last - first) / 2, c = last - 1;
		bool ab = order(*a, *b);
		It m = ab == order(*b, *c) ? b : ab == order(*c, *a) ? a : c;

		std::iter_swap(first, m);
	}

	void quick(It first, It last, unsigned limit)
	{
		while (last - first > few) {
			auto less = [&](auto &a, auto &b) { return order(a, b); };
			It middle;

			if (!limit--) {
				std::make_heap(first, last, less);
				std::sort_heap(first, last, less);
				return;
			}
			median_to_front(first, last);
			middle = std::partition(first + 1, last, [&](auto &x) {
				return order(x, *first);
			});
			if (middle ==
			    first + 1) { // none is less: set aside the equal ones
				first = std::partition(middle, last, [&](auto &x) {
					return !order(*first, x);
				});
				continue;
			}
			std::iter_swap(first, middle - 1);
			both_of(
				last - first, [&] { quick(first, middle - 1, limit); },
				[&] { quick(middle, last, limit); });
			return;
		}
		insertion(first, last);
	}

	// Large halves are divided, and rotated so that parts that belong together lie
	// together.
	void merge(It first, It middle, It last)
	{
		auto less = [&](auto &a, auto &b) { return order(a, b); };
		It l, r, m;

		if (first == middle || middle == last || !order(*middle, *(middle - 1)))
			return;
		if (last - first < merge_together) {
			std::inplace_merge(first, middle, last, less);
			return;
		}
		if (middle - first >= last - middle) {
			l = first + (middle - first) / 2;
			r = std::lower_bound(middle, last, *l, less);
		} else {
			r = middle + (last - middle) / 2;
			l = std::upper_bound(first, middle, *r, less);
		}
		m = std::rotate(l, middle, r);
		both_of(
			last - first, [&] { merge(first, l, m); },
			[&] { merge(m, r, last); });
	}

	void stable(It first, It last)
	{
		It middle = first + (last - first) / 2;

		if (last - first <= few) {
			insertion(first, last);
			return;
		}
		both_of(
			last - first, [&] { stable(first, middle); },
			[&] { stable(middle, last); });
		merge(first, middle, last);
	}
};

template <class It, class Order> void sort(It first, It last, Order &order)
{
	std::size_t n = length(first, last);

	if constexpr (is_sorted_in_c<It>) {
		if (n)
			sorter<value_of<It>, Order>::sort(std::addressof(*first), n,
			                                  &order);
	} else {
		unsigned limit = 2;

		for (std::size_t rest = n; rest > 1; rest /= 2)
			limit += 2;
		mover<It, Order>{order}.quick(first, last, limit);
	}
}

template <class It, class Order> void stable_sort(It first, It last, Order &order)
{
	std::size_t n = length(first, last);

	if constexpr (is_sorted_in_c<It>) {
		if (n)
			stable_sorter<value_of<It>, Order>::stable_sort(
				std::addressof(*first), n, &order);
	} else {
		mover<It, Order>{order}.stable(first, last);
	}
}

} // namespace detail

// Sorts [first, last). If less() contradicts itself, or throws, the order is undefined,
// but no element is lost.
template <class It, class Less = std::less<>>
void sort(It first, It last, Less &&less = {})
{
	detail::ordering<std::remove_reference_t<Less>> order{less, {}};

	detail::sort(first, last, order);
	order.errors.rethrow();
}

// The same, but elements that are equal keep their order.
template <class It, class Less = std::less<>>
void stable_sort(It first, It last, Less &&less = {})
{
	detail::ordering<std::remove_reference_t<Less>> order{less, {}};

	detail::stable_sort(first, last, order);
	order.errors.rethrow();
}

} // namespace filch

#endif
