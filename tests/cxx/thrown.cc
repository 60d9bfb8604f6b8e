// SPDX-License-Identifier: MIT
// What a task throws arrives at its join, whichever worker has run the task: the same
// type with the same contents, once, and freed afterwards. Tasks, arrays of them, runs
// from outside, groups, futures, algorithms; in pools of 1, 2 and 8 workers.
#include <filch.h>
#include <filch.hpp>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <stdexcept>
#include <string>

static std::atomic<int> failed;
static std::atomic<int> live; // exceptions that exist

#define CHECK(good)                                                                     \
	do {                                                                            \
		if (!(good)) {                                                          \
			std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #good); \
			failed = 1;                                                     \
		}                                                                       \
	} while (0)

struct failure : std::runtime_error {
	int number, levels = 0;

	explicit failure(int n)
	    : std::runtime_error("failure " + std::to_string(n)), number(n)
	{
		live++;
	}
	failure(const failure &f)
	    : std::runtime_error(f), number(f.number), levels(f.levels)
	{
		live++;
	}
	~failure() override
	{
		live--;
	}
};

// Calls f(), which must throw failure(n).
template <class F> static bool throws(int n, F f)
{
	try {
		f();
	} catch (const failure &e) {
		return e.number == n && e.what() == "failure " + std::to_string(n);
	} catch (...) {
	}
	return false;
}

// ---- tasks ----

FILCH_STATIC_TASK(int, fails, (int, n), (std::atomic<int> *, begun))
{
	(*begun)++;
	if (n >= 0)
		throw failure(n);
	return n;
}

FILCH_STATIC_TASK_VOID(fails_void, (int, n), (std::atomic<int> *, begun))
{
	(*begun)++;
	throw failure(n);
}

// Gives what this strand has spawned to other strands, which begin `n` tasks.
static void give_away(const std::atomic<int> &begun, int n)
{
	while (begun < n)
		filch_sleep(FILCH_MS / 20);
}

FILCH_STATIC_TASK_VOID(one, (bool, stolen))
{
	std::atomic<int> begun{0};
	FILCH_SPAWN(x, fails, 1, &begun);
	FILCH_SPAWN(y, fails_void, 2, &begun);
	FILCH_SPAWN(z, fails, -3, &begun);

	if (stolen)
		give_away(begun, 3);
	CHECK(FILCH_JOIN(z) == -3);
	CHECK(throws(2, [&] { FILCH_JOIN(y); }));
	CHECK(throws(1, [&] { FILCH_JOIN(x); }));
	CHECK(begun == 3);
}

FILCH_STATIC_TASK_VOID(array, (bool, stolen))
{
	std::atomic<int> begun{0};
	FILCH_FRAME(fails) part[20];

	for (int i = 0; i < 20; i++)
		FILCH_SPAWN_AT(&part[i], fails, i, &begun);
	if (stolen)
		give_away(begun, 20);
	for (int i = 0; i < 20; i++)
		CHECK(throws(i, [&] { FILCH_JOIN_AT(&part[i], fails); }));
}

// Every level is stolen from the one above, catches, and throws again.
FILCH_STATIC_TASK(int, down, (int, n), (std::atomic<int> *, above))
{
	std::atomic<int> begun{0};

	(*above)++;
	if (n == 0)
		throw failure(9);
	FILCH_SPAWN(x, down, n - 1, &begun);
	give_away(begun, 1);
	try {
		return FILCH_JOIN(x);
	} catch (failure &e) {
		e.levels++;
		throw;
	}
}

static void levels()
{
	std::atomic<int> begun{0};
	int seen = 0;

	try {
		down(6, &begun);
	} catch (const failure &e) {
		seen = e.levels;
	}
	CHECK(seen == 6);
}

// The frame is left by an exception: the stolen task's own is dropped.
static void abandon()
{
	std::atomic<int> begun{0};
	FILCH_SPAWN(x, fails, 1, &begun);
	FILCH_SPAWN(y, fails_void, 2, &begun);

	give_away(begun, 2);
	if (begun)
		throw failure(5);
	FILCH_JOIN(y);
	FILCH_JOIN(x);
}

// ---- groups ----

FILCH_STATIC_TASK_VOID(stays, (std::atomic<int> *, begun), (std::atomic<int> *, ended))
{
	(*begun)++;
	CHECK(filch_sleep(1000 * FILCH_S) == -ECANCELED);
	(*ended)++;
}

static void group_of(int failing)
{
	std::atomic<int> begun{0}, ended{0}, threw{0};
	struct filch_group g;

	filch_group_begin(&g);
	for (int i = 0; i < 5; i++)
		FILCH_GROUP_SPAWN(&g, stays, &begun, &ended);
	for (int i = 0; i < failing; i++)
		FILCH_GROUP_SPAWN(&g, fails_void, 4, &threw);
	CHECK(throws(4, [&] { filch_group_wait(&g); }));
	CHECK(begun == ended && threw >= 1);
	filch_group_begin(&g); // it is as good as new
	FILCH_GROUP_SPAWN(&g, fails, -1, &threw);
	CHECK(filch_group_wait(&g) == 0);
}

// Of a group within a group; and a group that a task throws past.
FILCH_STATIC_TASK_VOID(has_group, (int, n), (std::atomic<int> *, begun))
{
	struct filch_group g;

	filch_group_begin(&g);
	FILCH_GROUP_SPAWN(&g, fails, n, begun);
	if (n == 7)
		throw failure(7);
	filch_group_wait(&g);
}

static void groups()
{
	std::atomic<int> begun{0};
	struct filch_group g;

	group_of(1);
	group_of(10);
	for (int n = 6; n <= 7; n++) {
		filch_group_begin(&g);
		FILCH_GROUP_SPAWN(&g, has_group, n, &begun);
		CHECK(throws(n, [&] { filch_group_wait(&g); }));
	}
}

// ---- futures ----

FILCH_STATIC_TASK_VOID(awaits, (struct filch_future *, f))
{
	CHECK(throws(8, [&] { FILCH_AWAIT(fails, f); }));
}

static void futures(struct filch_pool *p)
{
	std::atomic<int> begun{0};
	struct filch_future *f = FILCH_GO_ON(p, fails, 8, &begun), *waiters[3];

	for (auto &w : waiters)
		w = FILCH_GO_ON(p, awaits, f);
	for (auto &w : waiters) {
		FILCH_AWAIT(awaits, w);
		filch_future_drop(w);
	}
	for (int i = 0; i < 2; i++)
		CHECK(throws(8, [&] { FILCH_AWAIT(fails, f); }));
	CHECK(filch_await(f) == 0 && filch_await_all(&f, 1) == 0);
	CHECK(throws(8, [&] { FILCH_RESULT(fails, f); }));
	filch_future_drop(f);
	f = FILCH_GO_ON(p, fails_void, 8, &begun); // nobody asks
	filch_await(f);
	filch_future_drop(f);
	filch_future_drop(FILCH_GO_ON(p, fails_void, 8, &begun));
	while (begun < 3)
		;
}

// ---- algorithms ----

// Calls f(body) until the body has thrown on another worker than the caller's.
template <class F> static void elsewhere(F f)
{
	std::atomic<bool> thrown{false};

	while (!thrown) {
		int mine = filch_worker_index();
		auto body = [&] {
			filch_sleep(FILCH_MS / 20); // others wake up meanwhile
			if (filch_worker_index() == mine || thrown.exchange(true))
				return;
			throw failure(3);
		};

		if (throws(3, [&] { f(body); }))
			CHECK(thrown);
		else
			CHECK(!thrown);
	}
}

static void algorithms()
{
	elsewhere([](auto &body) { filch::for_(0, 50, [&](int) { body(); }); });
	elsewhere([](auto &body) { filch::both(body, body); });
	elsewhere([](auto &body) {
		filch::reduce(
			0, 50, 0L, [&](int i) { return body(), long{i}; },
			[](long a, long b) { return a + b; });
	});
}

// ---- all of them ----

FILCH_STATIC_TASK_VOID(all, (struct filch_pool *, p))
{
	std::atomic<int> begun{0};

	for (int stolen = 0; stolen < 2; stolen++) {
		one(stolen);
		array(stolen);
	}
	levels();
	CHECK(throws(5, abandon));
	groups();
	CHECK(throws(6, [&] { FILCH_RUN(fails, 6, &begun); })); // in place
	CHECK(throws(6, [&] { FILCH_RUN_ON(p, fails_void, 6, &begun); }));
	CHECK(throws(6, [&] { FILCH_CALL(fails, 6, &begun); }));
	try {
		throw failure(0);
	} catch (const failure &) { // joins may stand here
		one(true);
		CHECK(throws(5, abandon));
	}
}

int main()
{
	for (unsigned workers : {1u, 2u, 8u}) {
		struct filch_pool_options o = {};
		struct filch_pool *p = nullptr;
		std::atomic<int> begun{0};

		o.workers = workers;
		CHECK(filch_pool_create(&p, &o, nullptr) == 0);
		for (int i = 0; i < 10; i++) {
			FILCH_RUN_ON(p, all, p);
			futures(p);
			CHECK(throws(6, [&] { FILCH_RUN_ON(p, fails, 6, &begun); }));
		}
		if (workers > 1)
			filch::run(p, algorithms);
		CHECK(filch_pool_destroy(p) == 0);
	}
	CHECK(live == 0);
	return failed;
}
