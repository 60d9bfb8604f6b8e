// SPDX-License-Identifier: MIT
//
// Finding, keeping, counting. See filch.hpp.
#ifndef FILCH_CXX_SELECT_HPP
#define FILCH_CXX_SELECT_HPP

#include <filch/cxx/base.hpp>
#include <filch/filter.h>
#include <filch/find.h>
#include <filch/histogram.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace filch
{

namespace detail
{

template <class It, class Predicate> struct selection {
	It first;
	Predicate &predicate;
	relay errors;

	bool fits(std::size_t i)
	{
		return static_cast<bool>(std::invoke(predicate, *at(first, i)));
	}

	static int find(std::size_t begin, std::size_t end, std::size_t *found,
	                void *context)
	{
		selection *s = static_cast<selection *>(context);

		return s->errors.guard([=] {
			for (std::size_t i = begin; i < end; i++)
				if (s->fits(i)) {
					*found = i;
					break;
				}
			return 0;
		});
	}

	// Copies without a branch: an element that is not kept is overwritten. No other
	// piece uses this memory.
	template <class T>
	static int keep(std::size_t begin, std::size_t end, void *out, std::size_t *kept,
	                void *context)
	{
		selection *s = static_cast<selection *>(context);

		return s->errors.guard([=] {
			unsigned char *to = static_cast<unsigned char *>(out);

			for (std::size_t i = begin; i < end; i++) {
				const T value = *at(s->first, i);

				std::memcpy(to, std::addressof(value), sizeof value);
				to += s->fits(i) ? sizeof value : 0;
			}
			*kept = static_cast<std::size_t>(
					to - static_cast<unsigned char *>(out)) /
			        sizeof(T);
			return 0;
		});
	}
};

template <class T, class Predicate> struct division {
	Predicate &predicate;
	relay errors;

	static bool comes_first(const void *element, void *context)
	{
		division *d = static_cast<division *>(context);
		T *x = static_cast<T *>(const_cast<void *>(element));

		return !d->errors.failed() && d->errors.guard([=] {
			return std::invoke(d->predicate, *x) ? 1 : 0;
		});
	}
};

template <class I, class F> struct counting {
	std::size_t first;
	F &f;
	relay errors;

	static int body(std::size_t begin, std::size_t end, std::uint64_t *count,
	                void *context)
	{
		counting *c = static_cast<counting *>(context);

		return c->errors.guard([=] {
			for (std::size_t i = begin; i < end; i++)
				count[std::invoke(c->f, static_cast<I>(c->first + i))]++;
			return 0;
		});
	}
};

} // namespace detail

// Returns the first element that fits; last if there is none.
template <class It, class Predicate> It find_if(It first, It last, Predicate &&predicate)
{
	using Selection = detail::selection<It, std::remove_reference_t<Predicate>>;
	Selection s{first, predicate, {}};
	std::size_t n = detail::length(first, last), found = n;

	int result = filch_find_first(0, n, &found, Selection::find, &s);

	if (result) // otherwise any exception came from after the element found
		s.errors.rethrow(result);
	return detail::at(first, found);
}

template <class It, class T> It find(It first, It last, const T &value)
{
	return filch::find_if(first, last, [&](const auto &x) { return x == value; });
}

// Copies the elements that fit to out, in order, and returns the end of the copies. out
// has room for all of [first, last), and all of it may be written to.
template <class It, class Out, class Predicate>
Out copy_if(It first, It last, Out out, Predicate &&predicate)
{
	using T = detail::value_of<It>;
	using Selection = detail::selection<It, std::remove_reference_t<Predicate>>;
	std::size_t n = detail::length(first, last), kept = 0;

	if constexpr (detail::is_plain<T> && detail::is_contiguous<Out> &&
	              std::is_same_v<T, detail::value_of<Out>>) {
		Selection s{first, predicate, {}};

		if (n)
			s.errors.rethrow(filch_filter(0, n, std::addressof(*out),
			                              sizeof(T), &kept,
			                              Selection::template keep<T>, &s));
		return detail::at(out, kept);
	} else {
		return std::copy_if(first, last, out, predicate);
	}
}

// Moves the elements that fit before those that do not, and returns where the latter
// begin. The order among them is not kept.
template <class It, class Predicate>
It partition(It first, It last, Predicate &&predicate)
{
	using T = detail::value_of<It>;
	using Division = detail::division<T, std::remove_reference_t<Predicate>>;
	std::size_t n = detail::length(first, last);

	if constexpr (detail::is_plain<T> && detail::is_contiguous<It>) {
		Division d{predicate, {}};
		std::size_t front = 0;

		if (n)
			front = filch_partition(std::addressof(*first), n, sizeof(T),
			                        Division::comes_first, &d);
		d.errors.rethrow();
		return detail::at(first, front);
	} else {
		return std::partition(first, last, predicate);
	}
}

// Does count[f(i)]++ for each integer in [begin, end); f(i) < bins. The counts are added
// to those in the array.
template <class I, class J, class F, detail::if_whole<I, J> = 0>
int histogram(I begin, J end, std::uint64_t *count, std::size_t bins, F &&f)
{
	using Index = std::common_type_t<I, J>;
	using Counting = detail::counting<Index, std::remove_reference_t<F>>;
	const std::size_t first = static_cast<std::size_t>(static_cast<Index>(begin));
	const std::size_t last = static_cast<std::size_t>(static_cast<Index>(end));
	Counting c{first, f, {}};
	int result;

	if (static_cast<Index>(begin) > static_cast<Index>(end))
		return -EINVAL;
	result = filch_histogram(0, last - first, count, bins, Counting::body, &c);
	c.errors.rethrow();
	return result;
}

// The same for elements: count[f(*it)]++.
template <class It, class F, detail::if_iterator<It> = 0>
int histogram(It first, It last, std::uint64_t *count, std::size_t bins, F &&f)
{
	return histogram(
		std::size_t{0}, detail::length(first, last), count, bins,
		[&](std::size_t i) { return std::invoke(f, *detail::at(first, i)); });
}

} // namespace filch

#endif
