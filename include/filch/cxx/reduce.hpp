// SPDX-License-Identifier: MIT
//
// One result of many values; the least and the greatest element. See filch.hpp.
#ifndef FILCH_CXX_REDUCE_HPP
#define FILCH_CXX_REDUCE_HPP

#include <filch/cxx/base.hpp>
#include <filch/reduce.h>

#include <cstring>
#include <new>

namespace filch
{

namespace detail
{

// A result, or none yet, so that no identity is needed. C code copies it.
template <class T> struct part {
	alignas(T) unsigned char bytes[sizeof(T)];
	bool any;

	T get() const
	{
		return *std::launder(reinterpret_cast<const T *>(bytes));
	}

	void set(const T &value)
	{
		std::memcpy(bytes, std::addressof(value), sizeof value);
		any = true;
	}
};

// get(i) returns the i-th value, combine(T, T) a T.
template <class T, class Get, class Combine> struct reduction {
	Get &get;
	Combine &combine;
	relay errors;

	// Combines `value` with the values begin ... end - 1.
	T fold(T value, std::size_t begin, std::size_t end)
	{
		for (std::size_t i = begin; i < end; i++)
			value = combine(std::move(value), get(i));
		return value;
	}

	// ---- values that C can copy ----

	static int body(std::size_t begin, std::size_t end, void *result, void *context)
	{
		reduction *r = static_cast<reduction *>(context);
		part<T> *p = static_cast<part<T> *>(result);

		return r->errors.guard([=] {
			if (p->any)
				p->set(r->fold(p->get(), begin, end));
			else
				p->set(r->fold(T(r->get(begin)), begin + 1, end));
			return 0;
		});
	}

	static void join(void *left, const void *right, void *context)
	{
		reduction *r = static_cast<reduction *>(context);
		part<T> *l = static_cast<part<T> *>(left);
		const part<T> *p = static_cast<const part<T> *>(right);

		r->errors.guard([=] {
			l->set(r->combine(l->get(), p->get()));
			return 0;
		});
	}

	std::optional<T> in_c(std::size_t n, std::size_t grain)
	{
		part<T> p;
		int result;

		p.any = false;
		result = filch_reduce_grain(0, n, grain, &p, sizeof p, body, join, this);
		errors.rethrow(result);
		return p.any ? std::optional<T>(p.get()) : std::nullopt;
	}

	// ---- values that are moved ----

	// A tree whose shape depends on the range alone.
	void tree(std::size_t begin, std::size_t end, std::size_t leaf,
	          std::optional<T> &out)
	{
		if (end - begin <= leaf) {
			out.emplace(fold(T(get(begin)), begin + 1, end));
			return;
		}
		std::size_t leaves = (end - begin + leaf - 1) / leaf;
		std::size_t middle = begin + leaves / 2 * leaf;
		std::optional<T> right;
		auto one = [&] { tree(begin, middle, leaf, out); };
		auto other = [&] { tree(middle, end, leaf, right); };

		all(errors, one, other);
		if (out && right) // otherwise one of them has thrown
			out.emplace(combine(std::move(*out), std::move(*right)));
	}

	std::optional<T> moved(std::size_t n, std::size_t grain)
	{
		std::optional<T> out;
		auto f = [&] { tree(0, n, grain ? grain : n / 1024 + 1, out); };

		if (n)
			all(errors, f);
		errors.rethrow();
		return out;
	}

	std::optional<T> run(std::size_t n, std::size_t grain)
	{
		if constexpr (is_plain<T>)
			return in_c(n, grain);
		else
			return moved(n, grain);
	}
};

template <class T, class Get, class Combine>
T reduce_with(std::size_t n, std::size_t grain, T init, Get &&get, Combine &combine)
{
	auto op = [&](T a, T b) -> T {
		return std::invoke(combine, std::move(a), std::move(b));
	};
	reduction<T, Get, decltype(op)> r{get, op, {}};
	std::optional<T> sum = r.run(n, grain);

	return sum ? op(std::move(init), std::move(*sum)) : init;
}

// Returns the index of the best element; n if n is 0. better(i, j) says whether i is
// better than j although it comes later.
template <class Better> std::size_t best(std::size_t n, Better better)
{
	auto get = [](std::size_t i) { return i; };
	auto op = [&](std::size_t a, std::size_t b) { return better(b, a) ? b : a; };
	reduction<std::size_t, decltype(get), decltype(op)> r{get, op, {}};

	return r.run(n, 0).value_or(n);
}

} // namespace detail

// Combines init with map(begin), map(begin + 1) and so on; combine(a, b) is associative,
// and need not commute. The result has the type of init.
template <class I, class J, class T, class Map, class Combine, detail::if_whole<I, J> = 0>
T reduce(I begin, J end, T init, Map &&map, Combine &&combine, grain g = {0})
{
	using Index = std::common_type_t<I, J>;
	const std::size_t first = static_cast<std::size_t>(static_cast<Index>(begin));
	const std::size_t last = static_cast<std::size_t>(static_cast<Index>(end));
	auto get = [&](std::size_t i) -> T {
		return std::invoke(map, static_cast<Index>(first + i));
	};

	if (static_cast<Index>(begin) >= static_cast<Index>(end))
		return init;
	return detail::reduce_with(last - first, g.n, std::move(init), get, combine);
}

// As in the standard library.
template <class It, class T, class Combine = std::plus<>, detail::if_iterator<It> = 0>
T reduce(It first, It last, T init, Combine &&combine = {})
{
	auto get = [&](std::size_t i) -> T { return *detail::at(first, i); };

	return detail::reduce_with(detail::length(first, last), 0, std::move(init), get,
	                           combine);
}

template <class It, detail::if_iterator<It> = 0>
detail::value_of<It> reduce(It first, It last)
{
	return filch::reduce(first, last, detail::value_of<It>{});
}

template <class It, class T, class Combine, class Map>
T transform_reduce(It first, It last, T init, Combine &&combine, Map &&map)
{
	auto get = [&](std::size_t i) -> T {
		return std::invoke(map, *detail::at(first, i));
	};

	return detail::reduce_with(detail::length(first, last), 0, std::move(init), get,
	                           combine);
}

// Return the first of the least, or of the greatest, elements; last if there is none.
template <class It, class Less = std::less<>>
It min_element(It first, It last, Less &&less = {})
{
	return detail::at(first, detail::best(detail::length(first, last),
	                                      [&](std::size_t i, std::size_t j) -> bool {
						      return std::invoke(
							      less, *detail::at(first, i),
							      *detail::at(first, j));
					      }));
}

template <class It, class Less = std::less<>>
It max_element(It first, It last, Less &&less = {})
{
	return detail::at(first, detail::best(detail::length(first, last),
	                                      [&](std::size_t i, std::size_t j) -> bool {
						      return std::invoke(
							      less, *detail::at(first, j),
							      *detail::at(first, i));
					      }));
}

} // namespace filch

#endif
