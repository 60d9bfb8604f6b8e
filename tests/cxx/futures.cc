// SPDX-License-Identifier: MIT
// Futures from C++: tasks with results and without, plain functions, tasks that are
// declared first, any and all, a deadline, an exception caught inside.
#include <filch.h>
#include <filch/future.h>
#include <filch/io.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <stdexcept>

FILCH_TASK_DECL(long, later, (long, a), (const char *, b));

FILCH_STATIC_TASK(long, fib, (int, n))
{
	if (n < 2)
		return n;
	FILCH_SPAWN(x, fib, n - 1);
	long y = FILCH_CALL(fib, n - 2);
	return FILCH_JOIN(x) + y;
}

struct pair {
	double a;
	char b;
};

FILCH_STATIC_TASK(struct pair, both, (double, a), (char, b))
{
	struct pair p = {a, b};
	return p;
}

FILCH_STATIC_TASK_VOID(add, (int *, to), (int, n))
{
	*to += n;
}

FILCH_STATIC_TASK(int, sleeps)
{
	return filch_sleep(1000 * FILCH_S);
}

static void *twice(void *arg)
{
	return reinterpret_cast<void *>(2 * reinterpret_cast<std::uintptr_t>(arg));
}

static void *number(std::uintptr_t n)
{
	return reinterpret_cast<void *>(n);
}

// Awaits in a catch block, where the strand may go on elsewhere.
FILCH_STATIC_TASK(long, catches, (int, n))
{
	struct filch_future *f = FILCH_GO(fib, n);
	long result = -1;

	try {
		throw std::runtime_error("thrown");
	} catch (const std::exception &) {
		filch_sleep(FILCH_MS);
		result = FILCH_AWAIT(fib, f);
	}
	filch_future_drop(f);
	return result;
}

FILCH_STATIC_TASK(long, nested, (int, n))
{
	struct filch_future *f[4];
	long sum = 0;

	for (int i = 0; i < 4; i++)
		f[i] = FILCH_GO(catches, n + i);
	for (int i = 0; i < 4; i++) {
		sum += FILCH_AWAIT(catches, f[i]);
		filch_future_drop(f[i]);
	}
	return sum + (filch_blocking(twice, number(2)) == number(4));
}

static int failed;

static void check(bool good, const char *what)
{
	if (good)
		return;
	std::fprintf(stderr, "wrong: %s\n", what);
	failed = 1;
}

static void results(struct filch_pool *p)
{
	int sum = 1;
	struct filch_future *f[] = {
		FILCH_GO_ON(p, fib, 20), FILCH_GO_ON(p, both, 0.5, 'b'),
		FILCH_GO_ON(p, add, &sum, 2), FILCH_GO_ON(p, later, 20, "abc"),
		filch_go_on(p, twice, number(21))};

	check(FILCH_AWAIT(fib, f[0]) == 6765, "fib");
	struct pair both_of = FILCH_AWAIT(both, f[1]);
	check(both_of.a == 0.5 && both_of.b == 'b', "a struct");
	FILCH_AWAIT(add, f[2]);
	check(sum == 3, "no result");
	check(FILCH_AWAIT(later, f[3]) == 23, "declared first");
	check(filch_await(f[4]) == 0 && filch_result(f[4]) == number(42), "a function");
	check(filch_await_any(f, 5) == 0 && filch_await_all(f, 5) == 0, "any, all");
	for (struct filch_future *x : f)
		filch_future_drop(x);
}

static void deadline(struct filch_pool *p)
{
	struct filch_future *f = FILCH_GO_ON(p, sleeps);

	check(filch_await_until(f, filch_after(FILCH_MS)) == -ETIMEDOUT, "await until");
	filch_future_deadline(f, filch_after(FILCH_MS));
	check(FILCH_AWAIT(sleeps, f) == -ECANCELED, "deadline");
	filch_future_drop(f);
}

FILCH_TASK(long, later, (long, a), (const char *, b))
{
	long n = 0;

	while (b[n])
		n++;
	return a + n;
}

int main()
{
	struct filch_pool_options o = {};
	struct filch_pool *p = nullptr;

	o.workers = 4;
	check(filch_pool_create(&p, &o, nullptr) == 0, "pool");
	results(p);
	deadline(p);
	check(FILCH_RUN_ON(p, nested, 10) == 55 + 89 + 144 + 233 + 1, "nested");
	check(filch_pool_destroy(p) == 0, "end of the pool");
	return failed;
}
