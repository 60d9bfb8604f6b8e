/* SPDX-License-Identifier: MIT */
/*
 * Carries a C++ exception from the task that threw it to the join. Part of filch/task.h;
 * nothing here is for users.
 *
 * No exception passes through the frames of the runtime, which are C and may be those of
 * another thread: the run function of a task catches it, and puts it into the record.
 * There the join finds it and throws it again. In C, and without exceptions, all this is
 * nothing.
 */
#ifndef FILCH_DETAIL_THROWN_H
#define FILCH_DETAIL_THROWN_H

#include <filch/detail/record.h>

#if defined(__cplusplus) && defined(__cpp_exceptions)
#include <exception>
#include <new>
#include <utility>

struct filch__exception : filch__thrown {
	std::exception_ptr pointer;

	filch__exception() : filch__thrown{again, end, false}
	{
		pointer = std::current_exception();
	}

	[[noreturn]] static void again(struct filch__thrown *t)
	{
		filch__exception *self = static_cast<filch__exception *>(t);
		std::exception_ptr copy = self->pointer;

		if (!self->kept)
			delete self;
		std::rethrow_exception(std::move(copy));
	}

	static void end(struct filch__thrown *t)
	{
		delete static_cast<filch__exception *>(t);
	}
};

/* Stands for an exception for which there is no memory. */
struct filch__exception_lost : filch__thrown {
	filch__exception_lost() : filch__thrown{again, end, true}
	{
	}

	[[noreturn]] static void again(struct filch__thrown *)
	{
		throw std::bad_alloc();
	}

	static void end(struct filch__thrown *)
	{
	}

	static filch__exception_lost *only()
	{
		static filch__exception_lost lost;

		return &lost;
	}
};

inline struct filch__thrown *filch__exception_now() noexcept
{
	struct filch__thrown *now = new (std::nothrow) filch__exception;

	return now ? now : filch__exception_lost::only();
}

/* Puts the exception that is being handled into the record. ThreadSanitizer does not see
 * it: for TSan the task is ordered after its spawn, not after the worker that exposed it. */
__attribute__((noinline, cold, no_sanitize("thread"))) inline void filch__keep_exception(
	struct filch__record *r) noexcept
{
	r->thrown = filch__exception_now();
}

#define FILCH__TRY try
#define FILCH__CATCH(r)                   \
	catch (...)                       \
	{                                 \
		filch__keep_exception(r); \
	}
/* Throws what the task of a record that is done has thrown, if it has. */
#define FILCH__THROW_AGAIN(r)                                  \
	do {                                                   \
		if ((r)->thrown)                               \
			(r)->thrown->throw_again((r)->thrown); \
	} while (0)
#else
#define FILCH__TRY
#define FILCH__CATCH(r)
#define FILCH__THROW_AGAIN(r) (void)0
#endif

#endif
