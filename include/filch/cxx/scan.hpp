// SPDX-License-Identifier: MIT
//
// Prefix sums of any associative operation. See filch.hpp.
#ifndef FILCH_CXX_SCAN_HPP
#define FILCH_CXX_SCAN_HPP

#include <filch/cxx/base.hpp>
#include <filch/cxx/reduce.hpp>
#include <filch/scan.h>

namespace filch
{

namespace detail
{

// T is the type of the sums.
template <class T, class In, class Out, class Op> struct prefixes {
	In in;
	Out out;
	Op &op;
	const T *init; // or null
	bool inclusive;
	relay errors;

	T sum(T a, T b)
	{
		return std::invoke(op, std::move(a), std::move(b));
	}

	T get(std::size_t i)
	{
		return *at(in, i);
	}

	void put(std::size_t i, T value)
	{
		*at(out, i) = std::move(value);
	}

	// Each pass adds four elements to one another before it adds them to the rest, so
	// that only one addition in four has to wait for those before it.
	T add(std::size_t i, std::size_t end, T s)
	{
		for (; end - i >= 4; i += 4)
			s = sum(s, sum(sum(get(i), get(i + 1)),
			               sum(get(i + 2), get(i + 3))));
		for (; i < end; i++)
			s = sum(s, get(i));
		return s;
	}

	// Does the same, and writes the results. `before` is the sum of everything before
	// the piece, s the sum of its elements before i.
	T write(std::size_t i, std::size_t end, T s, const T *before)
	{
		for (; end - i >= 4; i += 4) {
			T a = get(i), b = get(i + 1), c = get(i + 2), d = get(i + 3);
			T ab = sum(a, b), abc = sum(ab, c), all = sum(ab, sum(c, d));
			T all_before = before ? sum(*before, s) : s;

			put(i, inclusive ? sum(all_before, a) : all_before);
			put(i + 1, sum(all_before, inclusive ? ab : a));
			put(i + 2, sum(all_before, inclusive ? abc : ab));
			put(i + 3, sum(all_before, inclusive ? all : abc));
			s = sum(s, all);
		}
		for (; i < end; i++) {
			T a = get(i), all_before = before ? sum(*before, s) : s;

			put(i, inclusive ? sum(all_before, a) : all_before);
			s = sum(s, a);
		}
		return s;
	}

	// Writes the result for the first element of a piece, and returns that element.
	T write_first(std::size_t i, const T *before)
	{
		T a = get(i);

		if (inclusive)
			put(i, before ? sum(*before, a) : a);
		else
			put(i, *before); // an exclusive scan has an init
		return a;
	}

	int piece(std::size_t begin, std::size_t end, const part<T> *before, part<T> *s)
	{
		std::optional<T> all;

		if (!before) {
			s->set(add(begin + 1, end, get(begin)));
			return 0;
		}
		if (init && before->any)
			all.emplace(sum(*init, before->get()));
		else if (init)
			all.emplace(*init);
		else if (before->any)
			all.emplace(before->get());
		const T *b = all ? &*all : nullptr;

		s->set(write(begin + 1, end, write_first(begin, b), b));
		return 0;
	}

	static int body(std::size_t begin, std::size_t end, const void *before, void *s,
	                void *context)
	{
		prefixes *p = static_cast<prefixes *>(context);

		return p->errors.guard([=] {
			return p->piece(begin, end, static_cast<const part<T> *>(before),
			                static_cast<part<T> *>(s));
		});
	}

	static void join(void *left, const void *right, void *context)
	{
		prefixes *p = static_cast<prefixes *>(context);
		part<T> *l = static_cast<part<T> *>(left);
		const part<T> *r = static_cast<const part<T> *>(right);

		p->errors.guard([=] {
			if (!l->any)
				*l = *r;
			else if (r->any)
				l->set(p->sum(l->get(), r->get()));
			return 0;
		});
	}

	void in_c(std::size_t n)
	{
		part<T> s;

		s.any = false;
		errors.rethrow(filch_scan(0, n, &s, sizeof s, body, join, this));
	}

	// Values that C cannot copy are added one after the other.
	void one_by_one(std::size_t n)
	{
		std::optional<T> s;

		if (init)
			s.emplace(*init);
		for (std::size_t i = 0; i < n; i++) {
			T a = get(i);

			if (!inclusive)
				put(i, *s);
			s.emplace(s ? sum(std::move(*s), std::move(a)) : std::move(a));
			if (inclusive)
				put(i, *s);
		}
	}

	Out run(std::size_t n)
	{
		if constexpr (is_plain<T> && sizeof(part<T>) <= 256)
			in_c(n);
		else
			one_by_one(n);
		return at(out, n);
	}
};

template <class T, class In, class Out, class Op>
Out scan(In first, In last, Out out, Op &op, const T *init, bool inclusive)
{
	prefixes<T, In, Out, Op> p{first, out, op, init, inclusive, {}};

	return p.run(length(first, last));
}

} // namespace detail

// As in the standard library. out may be first.
template <class In, class Out, class Op = std::plus<>>
Out inclusive_scan(In first, In last, Out out, Op &&op = {})
{
	return detail::scan<detail::value_of<In>>(first, last, out, op, nullptr, true);
}

template <class In, class Out, class Op, class T>
Out inclusive_scan(In first, In last, Out out, Op &&op, T init)
{
	return detail::scan<T>(first, last, out, op, &init, true);
}

template <class In, class Out, class T, class Op = std::plus<>>
Out exclusive_scan(In first, In last, Out out, T init, Op &&op = {})
{
	return detail::scan<T>(first, last, out, op, &init, false);
}

} // namespace filch

#endif
