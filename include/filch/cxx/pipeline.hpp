// SPDX-License-Identifier: MIT
//
// Pipelines. See filch.hpp and filch/pipeline.h.
//
//   filch::pipeline(
//       0, filch::serial([&] { return read_block(file); }),
//       filch::parallel([](std::unique_ptr<block> b) { return packed(std::move(b)); }),
//       filch::serial([&](std::unique_ptr<block> b) { write(archive, *b); }));
//
// Items are pointers, plain ones or std::unique_ptr. The first stage returns the next
// item, or null at the end. Each other stage is called with the item that the stage
// before it returned, and returns the item for the next stage, or null if the item is
// finished. A stage that takes a plain pointer may return nothing, and the item itself is
// passed on; or an int, which ends the pipeline if it is nonzero. Items that are
// std::unique_ptr have one type in all stages, and are freed if the pipeline ends early.
#ifndef FILCH_CXX_PIPELINE_HPP
#define FILCH_CXX_PIPELINE_HPP

#include <filch/cxx/base.hpp>
#include <filch/pipeline.h>

#include <memory>

namespace filch
{

namespace detail
{

template <class F> struct stage {
	filch_stage_kind kind;
	F f;
};

// ---- items, which are void * in C ----

template <class P> struct item {
	static_assert(std::is_pointer_v<P>, "items are pointers, or std::unique_ptr");
	static constexpr bool owned = false;

	static void *to_c(P p)
	{
		return const_cast<void *>(static_cast<const void *>(p));
	}

	static P from_c(void *p)
	{
		return static_cast<P>(p);
	}

	static void drop(void *)
	{
	}
};

template <class T, class D> struct item<std::unique_ptr<T, D>> {
	using P = std::unique_ptr<T, D>;
	static_assert(std::is_empty_v<D> && std::is_default_constructible_v<D>,
	              "the deleter has no state");
	static constexpr bool owned = true;

	static void *to_c(P p)
	{
		return const_cast<void *>(static_cast<const void *>(p.release()));
	}

	static P from_c(void *p)
	{
		return P(static_cast<typename P::pointer>(p));
	}

	static void drop(void *p)
	{
		from_c(p);
	}
};

// The type that a stage gets if the stage before it gets a P and returns an R.
template <class P, class R>
using passed_on = std::conditional_t<std::is_void_v<R> || std::is_same_v<R, int>, P, R>;

// A stage that gets a P. The result of the last stage is dropped.
template <class P, class F, bool Last> struct middle {
	F &f;
	relay *errors;

	using R = std::invoke_result_t<F &, P>;
	using Next = std::conditional_t<Last, P, passed_on<P, R>>;

	static int step(middle *m, void **it)
	{
		P p = item<P>::from_c(*it);

		if constexpr (item<P>::owned)
			*it = nullptr; // p owns the item now, whatever happens
		if constexpr (std::is_void_v<R>) {
			std::invoke(m->f, std::move(p));
			return 0;
		} else if constexpr (std::is_same_v<R, int>) {
			return std::invoke(m->f, std::move(p));
		} else {
			R out = std::invoke(m->f, std::move(p));

			if constexpr (!Last)
				*it = item<R>::to_c(std::move(out));
			return 0;
		}
	}

	static int run(void **it, void *context)
	{
		middle *m = static_cast<middle *>(context);

		return m->errors->guard([=] { return step(m, it); });
	}
};

template <class F, bool Last> struct source {
	F &f;
	relay *errors;

	using Next = std::invoke_result_t<F &>;

	static int run(void **it, void *context)
	{
		source *s = static_cast<source *>(context);

		return s->errors->guard([=] {
			Next out = std::invoke(s->f);

			if constexpr (!Last)
				*it = item<Next>::to_c(std::move(out));
			else if (out)
				*it = s; // anything but null, which means the end
			return 0;
		});
	}
};

// Adds the stages to the array one by one, each in the frame of the one before.
template <class P, class Drop>
int run_stages(relay &, filch_stage *stage, std::size_t n, std::size_t tokens)
{
	return filch_pipeline(stage, n, tokens,
	                      item<Drop>::owned ? item<Drop>::drop : nullptr);
}

template <class P, class Drop, class F, class... More>
int run_stages(relay &errors, filch_stage *stage, std::size_t n, std::size_t tokens,
               detail::stage<F> &one, detail::stage<More> &...more)
{
	using Middle = middle<P, F, sizeof...(More) == 0>;
	using Next = typename Middle::Next;
	Middle m{one.f, &errors};

	static_assert((!item<P>::owned && !item<Next>::owned) || std::is_same_v<P, Next>,
	              "items that are std::unique_ptr are of one type in all stages");
	stage[n] = {one.kind, Middle::run, &m};
	return run_stages<Next, Drop>(errors, stage, n + 1, tokens, more...);
}

} // namespace detail

// Make a stage that has one item at a time, in order, and a stage that has any number.
template <class F> detail::stage<std::decay_t<F>> serial(F &&f)
{
	return {FILCH_SERIAL, std::forward<F>(f)};
}

template <class F> detail::stage<std::decay_t<F>> parallel(F &&f)
{
	return {FILCH_PARALLEL, std::forward<F>(f)};
}

// Runs the stages, of which the first is serial, with at most `tokens` items under way
// (if it is 0, four for each worker). Returns 0, the nonzero result of a stage,
// -ECANCELED, or -EINVAL.
template <class F, class... More>
int pipeline(std::size_t tokens, detail::stage<F> first, detail::stage<More>... more)
{
	using Source = detail::source<F, sizeof...(More) == 0>;
	using P = typename Source::Next;
	filch_stage stage[1 + sizeof...(More)];
	detail::relay errors;
	Source s{first.f, &errors};
	int result;

	stage[0] = {first.kind, Source::run, &s};
	result = detail::run_stages<P, P>(errors, stage, 1, tokens, more...);
	errors.rethrow();
	return result;
}

} // namespace filch

#endif
