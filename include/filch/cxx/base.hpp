// SPDX-License-Identifier: MIT
//
// The common part of the C++ headers: passing exceptions through C, iterators, and calls
// on a pool. See filch.hpp.
#ifndef FILCH_CXX_BASE_HPP
#define FILCH_CXX_BASE_HPP

#include <filch/detail/atomic.h>
#include <filch/for.h>
#include <filch/pool.h>
#include <filch/task.h>

#include <cerrno>
#include <cstddef>
#include <exception>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#if defined(__cpp_exceptions)
#define FILCH__EXCEPTIONS 1
#else
#define FILCH__EXCEPTIONS 0
#endif

namespace filch
{

// The error of a function that cannot return it: -ECANCELED, -ENOMEM or -EINVAL.
class error : public std::exception
{
      public:
	explicit error(int code) noexcept : code_(code)
	{
	}

	int code() const noexcept
	{
		return code_;
	}

	const char *what() const noexcept override
	{
		return code_ == -ECANCELED ? "filch: the group is cancelled"
		       : code_ == -ENOMEM  ? "filch: no memory"
		                           : "filch: wrong arguments";
	}

      private:
	int code_;
};

// A hint: the number of iterations per piece.
struct grain {
	std::size_t n;
};

namespace detail
{

// ---- exceptions ----

// No exception may pass through C frames, which may be those of another thread: the first
// exception is kept, and the function that the user called throws it again.
class relay
{
      public:
	// Calls f() and returns its result, or 1 if it throws.
	template <class F> int guard(F &&f) noexcept
	{
#if FILCH__EXCEPTIONS
		try {
			return f();
		} catch (...) {
			if (!filch__xchg_rlx(&taken_, true)) // read when all is joined
				first_ = std::current_exception();
			return 1;
		}
#else
		return f();
#endif
	}

	// True if an exception was thrown: further calls would be in vain.
	bool failed() const noexcept
	{
#if FILCH__EXCEPTIONS
		return filch__load_rlx(&taken_); // a hint
#else
		return false;
#endif
	}

	// Throws the exception, if there is one. Caller: everything is joined.
	void rethrow()
	{
#if FILCH__EXCEPTIONS
		if (first_)
			std::rethrow_exception(std::move(first_));
#endif
	}

	// Does the same, and throws an error for a nonzero result that the caller does
	// not see.
	void rethrow(int result)
	{
		rethrow();
#if FILCH__EXCEPTIONS
		if (result)
			throw error(result);
#else
		(void)result;
#endif
	}

      private:
#if FILCH__EXCEPTIONS
	std::exception_ptr first_;
	bool taken_ = false;
#endif
};

// Calls f and returns its result, an int or bool; 0 if f returns nothing.
template <class F, class... A> int result_of(F &f, A &&...a)
{
	using R = std::invoke_result_t<F &, A...>;

	if constexpr (std::is_void_v<R>) {
		std::invoke(f, std::forward<A>(a)...);
		return 0;
	} else {
		static_assert(
			std::is_same_v<R, int> || std::is_same_v<R, bool>,
			"the callable returns nothing, or an int or bool that ends the "
			"loop if it is nonzero");
		return std::invoke(f, std::forward<A>(a)...);
	}
}

// ---- iterators ----

template <class It> using value_of = typename std::iterator_traits<It>::value_type;
template <class It>
using difference_of = typename std::iterator_traits<It>::difference_type;

template <class It>
inline constexpr bool is_random =
	std::is_base_of_v<std::random_access_iterator_tag,
                          typename std::iterator_traits<It>::iterator_category>;

// Arguments that are integers, not iterators.
template <class I, class J>
using if_whole = std::enable_if_t<std::is_integral_v<I> && std::is_integral_v<J>, int>;

template <class It> using if_iterator = std::enable_if_t<!std::is_integral_v<It>, int>;

template <class It> constexpr bool is_contiguous_now()
{
#if defined(__cpp_lib_ranges)
	return std::contiguous_iterator<It>;
#else
	using T = value_of<It>;

	if constexpr (std::is_pointer_v<It>)
		return true;
	else if constexpr (!is_random<It> || std::is_same_v<T, bool>)
		return false;
	else if constexpr (std::is_same_v<T, char>)
		return std::is_same_v<It, std::string::iterator> ||
		       std::is_same_v<It, std::string::const_iterator> ||
		       std::is_same_v<It, typename std::vector<T>::iterator> ||
		       std::is_same_v<It, typename std::vector<T>::const_iterator>;
	else
		return std::is_same_v<It, typename std::vector<T>::iterator> ||
		       std::is_same_v<It, typename std::vector<T>::const_iterator>;
#endif
}

// True if the elements are known to lie in one block of memory.
template <class It> inline constexpr bool is_contiguous = is_contiguous_now<It>();

// True if C may copy the value and keep it on its stacks.
template <class T>
inline constexpr bool is_plain = std::is_trivially_copyable_v<T> && alignof(T) <= 16;

template <class It> std::size_t length(It first, It last)
{
	static_assert(is_random<It>, "these iterators have no random access");
	return static_cast<std::size_t>(last - first);
}

template <class It> It at(It first, std::size_t i)
{
	return first + static_cast<difference_of<It>>(i);
}

// ---- calls ----

// A call without arguments, which a C function makes.
template <class F> struct call {
	F &f;
	relay &errors;

	static void make(void *context)
	{
		call *c = static_cast<call *>(context);

		c->errors.guard([c] {
			std::invoke(c->f);
			return 0;
		});
	}
};

using function = void(void *);

FILCH__DEFINE(FILCH__SHOWS_FIRST, static, 0, void, run_here, (function *, f), (void *, context))
{
	f(context);
}

template <class F> void all(relay &errors, F &f)
{
	call<F> c{f, errors};

	call<F>::make(&c);
}

template <class F, class G, class... More>
void all(relay &errors, F &f, G &g, More &...more)
{
	auto rest = [&] { all(errors, g, more...); };
	call<F> one{f, errors};
	call<decltype(rest)> other{rest, errors};

	filch_both(call<F>::make, &one, call<decltype(rest)>::make, &other);
}

} // namespace detail

// Calls f() as a task of this pool, or of the default one, and returns its result.
// Caller: any thread.
template <class F> std::invoke_result_t<F &> run(filch_pool *pool, F &&f)
{
	using R = std::invoke_result_t<F &>;
	detail::relay errors;

	if constexpr (std::is_void_v<R>) {
		detail::call<F> c{f, errors};

		FILCH_RUN_ON(pool, detail::run_here, detail::call<F>::make, &c);
		errors.rethrow();
	} else {
		std::optional<R> result;
		auto keep = [&] { result.emplace(std::invoke(f)); };
		detail::call<decltype(keep)> c{keep, errors};

		FILCH_RUN_ON(pool, detail::run_here, detail::call<decltype(keep)>::make,
		             &c);
		errors.rethrow();
		return std::move(*result);
	}
}

template <class F> std::invoke_result_t<F &> run(F &&f)
{
	return filch::run(static_cast<filch_pool *>(nullptr), std::forward<F>(f));
}

// Calls all of the callables, at the same time if a worker is hungry, and returns when
// all have returned.
template <class... F> void invoke(F &&...f)
{
	detail::relay errors;

	if constexpr (sizeof...(F) > 0)
		detail::all(errors, f...);
	errors.rethrow();
}

template <class F, class G> void both(F &&f, G &&g)
{
	filch::invoke(f, g);
}

} // namespace filch

#endif
