// SPDX-License-Identifier: MIT
// The task macros from C++: results, none, parameters, arrays, groups, tasks that are
// declared first, exceptions that leave a task which has spawned.
#include <filch.h>

#include <atomic>
#include <cstdio>
#include <cstring>

FILCH_TASK_DECL(bool, is_odd, (unsigned, n));
FILCH_STATIC_TASK_DECL(long, later, (long, a), (const char *, b));
FILCH_TASK_VOID_DECL(count, (int, n));

FILCH_STATIC_TASK(long, fib, (int, n))
{
	if (n < 2)
		return n;
	FILCH_SPAWN(x, fib, n - 1);
	long y = FILCH_CALL(fib, n - 2);
	return FILCH_JOIN(x) + y;
}

FILCH_TASK(bool, is_even, (unsigned, n))
{
	if (n == 0)
		return true;
	FILCH_SPAWN(x, is_odd, n - 1);
	return FILCH_JOIN(x);
}

FILCH_TASK(bool, is_odd, (unsigned, n))
{
	if (n == 0)
		return false;
	FILCH_SPAWN(x, is_even, n - 1);
	return FILCH_JOIN(x);
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

FILCH_STATIC_TASK(long, eight, (char, a), (short, b), (int, c), (long, d), (float, e),
                  (double, f), (const char *, g), (bool, h))
{
	return a + b + c + d + (long)e + (long)f + (long)std::strlen(g) + h;
}

FILCH_STATIC_TASK(long, parameters)
{
	FILCH_SPAWN(x, eight, 1, 2, 3, 4, 5, 6, "seven..", true);
	FILCH_SPAWN(y, both, 0.5, 'b');
	FILCH_SPAWN(z, later, 20, "abc");
	long sum = FILCH_JOIN(z);
	struct pair p = FILCH_JOIN(y);

	return sum + FILCH_JOIN(x) + (p.a == 0.5) + (p.b == 'b');
}

FILCH_STATIC_TASK(long, later, (long, a), (const char *, b))
{
	return a + (long)std::strlen(b);
}

static std::atomic<long> counted;

FILCH_TASK_VOID(count, (int, n))
{
	counted += n;
}

FILCH_STATIC_TASK(long, parts)
{
	FILCH_FRAME(fib) part[20];
	long sum = 0;

	for (int i = 0; i < 20; i++)
		FILCH_SPAWN_AT(&part[i], fib, i);
	for (int i = 20; i-- > 0;)
		sum += FILCH_JOIN_AT(&part[i], fib);
	return sum;
}

FILCH_STATIC_TASK(int, grouped, (int, n))
{
	struct filch_group g;

	filch_group_begin(&g);
	for (int i = 0; i < n; i++)
		FILCH_GROUP_SPAWN(&g, count, i);
	return filch_group_wait(&g);
}

FILCH_STATIC_TASK_VOID(nothing)
{
	FILCH_SPAWN(x, count, 1);
	FILCH_JOIN(x);
}

// An exception passes a spawn: its task is dropped if nobody has it, and waited for if
// somebody has.
static std::atomic<int> begun, ended;

FILCH_STATIC_TASK_VOID(work_on, (int, ms))
{
	begun++;
	filch_sleep((uint64_t)ms * FILCH_MS);
	ended++;
}

static void leave_at_once()
{
	FILCH_SPAWN(x, work_on, 1);
	if (begun >= 0)
		throw 1;
	FILCH_JOIN(x);
}

static void leave_when_begun()
{
	int before = begun;
	FILCH_SPAWN(x, work_on, 5);
	while (begun == before)
		filch_sleep(FILCH_MS / 10); // gives it away
	throw 2;
	FILCH_JOIN(x);
}

using leaver = void (*)();

FILCH_STATIC_TASK(int, left, (leaver, by))
{
	try {
		by();
	} catch (int which) {
		return FILCH_CALL(fib, 10) == 55 ? which : 0;
	}
	return 0;
}

FILCH_STATIC_TASK(int, left_often, (int, n))
{
	int sum = 0;

	for (int i = 0; i < n; i++) {
		FILCH_SPAWN(x, fib, 12);
		FILCH_SPAWN(y, left, leave_at_once);
		int r = FILCH_CALL(left, leave_at_once);

		sum += r + FILCH_JOIN(y) + (FILCH_JOIN(x) == 144);
	}
	return sum;
}

static int failed;

static void check(bool good, const char *what)
{
	if (good)
		return;
	std::fprintf(stderr, "wrong: %s\n", what);
	failed = 1;
}

int main()
{
	struct filch_pool_options o = {};
	struct filch_pool *p = nullptr;
	const char *why = nullptr;

	check(FILCH_RUN(fib, 27) == 196418, "fib");
	check(fib(20) == 6765, "fib outside a pool");
	check(FILCH_RUN(is_even, 1000) && !FILCH_RUN(is_odd, 1000), "declared first");
	check(FILCH_RUN(parameters) == 23 + 29 + 2, "parameters");
	check(FILCH_RUN(parts) == 10945, "parts");
	check(FILCH_RUN(grouped, 1000) == 0 && counted == 499500, "groups");
	FILCH_RUN(nothing);
	check(counted == 499501, "no result");
	check(left(leave_at_once) == 1, "an exception outside a pool");
	check(FILCH_RUN(left, leave_at_once) == 1, "an exception past a spawn");
	check(begun == ended, "its task is dropped, or done");
	check(FILCH_RUN(left, leave_when_begun) == 2, "an exception past a task");
	check(begun == ended, "it is waited for");
	check(FILCH_RUN(left_often, 1000) == 3000, "many exceptions");
	check(begun == ended, "all are dropped, or done");
	o.workers = 4;
	check(filch_pool_create(&p, &o, &why) == 0, "pool");
	check(FILCH_RUN_ON(p, fib, 20) == 6765, "run on a pool");
	check(filch_pool_destroy(p) == 0, "end of the pool");
	return failed;
}
