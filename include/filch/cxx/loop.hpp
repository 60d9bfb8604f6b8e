// SPDX-License-Identifier: MIT
//
// Loops. See filch.hpp.
#ifndef FILCH_CXX_LOOP_HPP
#define FILCH_CXX_LOOP_HPP

#include <filch/cxx/base.hpp>
#include <filch/for.h>

namespace filch
{

namespace detail
{

// A loop over integers that begin at `first`, counted from 0 in C.
template <class I, class F> struct loop {
	I first;
	F &f;
	relay errors;

	int piece(std::size_t begin, std::size_t end)
	{
		const I from = static_cast<I>(static_cast<std::size_t>(first) + begin);
		const I to = static_cast<I>(static_cast<std::size_t>(first) + end);

		if constexpr (std::is_invocable_v<F &, I, I>) {
			return result_of(f, from, to);
		} else {
			for (I i = from; i < to; ++i)
				if (int result = result_of(f, static_cast<I>(i)))
					return result;
			return 0;
		}
	}

	static int body(std::size_t begin, std::size_t end, void *context)
	{
		loop *l = static_cast<loop *>(context);

		return l->errors.guard([=] { return l->piece(begin, end); });
	}
};

template <class F> struct plane {
	F &f;
	relay errors;

	int piece(const filch_tile &t)
	{
		if constexpr (std::is_invocable_v<F &, const filch_tile &>) {
			return result_of(f, t);
		} else {
			for (std::size_t r = t.row; r < t.row_end; r++)
				for (std::size_t c = t.column; c < t.column_end; c++)
					if (int result = result_of(f, std::size_t{r},
					                           std::size_t{c}))
						return result;
			return 0;
		}
	}

	static int body(const filch_tile *tile, void *context)
	{
		plane *p = static_cast<plane *>(context);

		return p->errors.guard([=] { return p->piece(*tile); });
	}
};

} // namespace detail

// Calls f(i) for each integer in [begin, end), or f(from, to) for pieces of the range if f
// takes two integers, at the same time and in any order.
template <class I, class J, class F, detail::if_whole<I, J> = 0>
int for_(I begin, J end, F &&f, grain g = {0})
{
	using Index = std::common_type_t<I, J>;
	using Loop = detail::loop<Index, std::remove_reference_t<F>>;
	const Index first = static_cast<Index>(begin), last = static_cast<Index>(end);
	Loop l{first, f, {}};
	int result;

	if (first > last)
		return -EINVAL;
	result = filch_for_grain(
		0, static_cast<std::size_t>(last) - static_cast<std::size_t>(first), g.n,
		Loop::body, &l);
	l.errors.rethrow();
	return result;
}

// Calls f(row, column) for each pair, or f(tile) for pieces if f takes a const
// filch_tile &.
template <class F> int for_2d(std::size_t rows, std::size_t columns, F &&f)
{
	using Plane = detail::plane<std::remove_reference_t<F>>;
	Plane p{f, {}};
	int result = filch_for_2d(rows, columns, Plane::body, &p);

	p.errors.rethrow();
	return result;
}

// Calls f(*it) for each iterator in [first, last).
template <class It, class F> int for_each(It first, It last, F &&f)
{
	auto body = [&](std::size_t begin, std::size_t end) -> int {
		for (It it = detail::at(first, begin); begin < end; ++begin, ++it)
			if (int result = detail::result_of(f, *it))
				return result;
		return 0;
	};

	return filch::for_(std::size_t{0}, detail::length(first, last), body);
}

// Writes f(*it) to out, in order.
template <class It, class Out, class F> Out transform(It first, It last, Out out, F &&f)
{
	std::size_t n = detail::length(first, last);
	auto body = [&](std::size_t begin, std::size_t end) {
		It it = detail::at(first, begin);
		Out to = detail::at(out, begin);

		for (; begin < end; ++begin, ++it, ++to)
			*to = std::invoke(f, *it);
	};
	int result = filch::for_(std::size_t{0}, n, body);

	detail::relay().rethrow(result);
	return detail::at(out, n);
}

} // namespace filch

#endif
