// SPDX-License-Identifier: MIT
// The algorithms from C++: each against the standard library's, on pools of several sizes
// and from outside; exceptions, cancelling, types that are moved.
#include <filch.hpp>

#include <filch/group.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

static std::atomic<int> failed;

static void check_at(bool good, const char *what, int line)
{
	if (good)
		return;
	std::fprintf(stderr, "line %d, not so: %s\n", line, what);
	failed = 1;
}

#define CHECK(x) check_at((x), #x, __LINE__)

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define LARGE 5000
#else
#define LARGE 30000
#endif

static const std::size_t sizes[] = {0, 1, 2, 3, 7, 100, 1000, LARGE};

static std::vector<int> some_numbers(std::size_t n, int most)
{
	std::mt19937 random(static_cast<unsigned>(n + 1));
	std::vector<int> v(n);

	for (int &x : v)
		x = static_cast<int>(random() % static_cast<unsigned>(most));
	return v;
}

// ---- loops ----

static void loops()
{
	for (std::size_t n : sizes) {
		std::vector<int> seen(n), pieces(n);
		std::atomic<std::size_t> sum{0};

		CHECK(filch::for_(std::size_t{0}, n, [&](std::size_t i) { seen[i]++; }) ==
		      0);
		CHECK(filch::for_(0u, n, [&](std::size_t from, std::size_t to) {
			      for (; from < to; from++)
				      pieces[from]++;
			      return 0;
		      }) == 0);
		CHECK(std::count(seen.begin(), seen.end(), 1) == static_cast<long>(n));
		CHECK(seen == pieces);
		CHECK(filch::for_each(seen.begin(), seen.end(), [](int &x) { x += 2; }) ==
		      0);
		CHECK(std::count(seen.begin(), seen.end(), 3) == static_cast<long>(n));
		CHECK(filch::transform(seen.begin(), seen.end(), pieces.begin(),
		                       [](int x) { return x * 2; }) == pieces.end());
		CHECK(std::count(pieces.begin(), pieces.end(), 6) ==
		      static_cast<long>(n));
		CHECK(filch::for_2d(n / 10, 7, [&](std::size_t r, std::size_t c) {
			      sum += r * 7 + c;
		      }) == 0);
		CHECK(n / 10 * 7 == 0 || sum == (n / 10 * 7) * (n / 10 * 7 - 1) / 2);
	}
	std::atomic<long> signed_sum{0}, area{0};

	CHECK(filch::for_(
		      -100, 50, [&](int i) { signed_sum += i; }, filch::grain{3}) == 0);
	CHECK(signed_sum == -100 * 101 / 2 + 49 * 50 / 2);
	CHECK(filch::for_(5, 4, [](int) {}) == -EINVAL);
	CHECK(filch::for_2d(300, 200, [&](const filch_tile &t) {
		      area += static_cast<long>((t.row_end - t.row) *
		                                (t.column_end - t.column));
	      }) == 0);
	CHECK(area == 60000);
	CHECK(filch::for_(0, 100000, [](int i) { return i == 777 ? -5 : 0; }) == -5);
	CHECK(filch::for_(0, 100000, [](int i) { return i == 777; }) == 1);
	CHECK(filch::for_2d(300, 200, [](std::size_t r, std::size_t) {
		      return r == 99 ? 3 : 0;
	      }) == 3);
}

static long fib(int n)
{
	long a = 0, b = 0;

	if (n < 2)
		return n;
	filch::both([&] { a = fib(n - 1); }, [&] { b = fib(n - 2); });
	return a + b;
}

static void calls()
{
	int a = 0, b = 0, c = 0, d = 0;
	std::unique_ptr<int> moved = filch::run([] { return std::make_unique<int>(7); });

	CHECK(fib(18) == 2584);
	filch::invoke([&] { a = 1; }, [&] { b = 2; }, [&] { c = 3; }, [&] { d = 4; });
	CHECK(a == 1 && b == 2 && c == 3 && d == 4);
	filch::invoke();
	filch::invoke([&] { a = 5; });
	CHECK(a == 5);
	CHECK(*moved == 7);
	CHECK(filch::run([] { return filch_worker_index(); }) >= 0);
}

// ---- reducing ----

// Does not commute.
struct affine {
	std::uint64_t a, b; // x -> a x + b
};

static affine then(affine f, affine g)
{
	return {f.a * g.a, f.b * g.a + g.b};
}

struct wide {
	std::uint64_t x[64];
};

static void reductions()
{
	for (std::size_t n : sizes) {
		std::vector<int> v = some_numbers(n, 1000);
		std::vector<double> d(v.begin(), v.end());
		std::vector<std::string> s(n);
		affine want = {1, 3}, got;
		std::string all = "<";

		for (std::size_t i = 0; i < n; i++) {
			want = then(want, {static_cast<std::uint64_t>(v[i]), i});
			s[i] = std::to_string(v[i]);
			all += s[i];
		}
		got = filch::reduce(
			std::size_t{0}, n, affine{1, 3},
			[&](std::size_t i) {
				return affine{static_cast<std::uint64_t>(v[i]), i};
			},
			then);
		CHECK(got.a == want.a && got.b == want.b);
		CHECK(filch::reduce(v.begin(), v.end()) ==
		      std::accumulate(v.begin(), v.end(), 0));
		CHECK(filch::reduce(d.begin(), d.end(), 5.0) ==
		      std::accumulate(d.begin(), d.end(), 5.0)); // whole numbers
		CHECK(filch::reduce(s.begin(), s.end(), std::string("<")) == all);
		CHECK(filch::transform_reduce(v.begin(), v.end(), 0L, std::plus<>(),
		                              [](int x) { return 2L * x; }) ==
		      2L * std::accumulate(v.begin(), v.end(), 0L));
		wide w = filch::reduce(
			0, static_cast<int>(n), wide{},
			[](int i) {
				wide x = {};

				x.x[i % 64] = 1;
				return x;
			},
			[](wide a, const wide &b) {
				for (int i = 0; i < 64; i++)
					a.x[i] += b.x[i];
				return a;
			});
		CHECK(std::accumulate(w.x, w.x + 64, std::uint64_t{0}) == n);
		CHECK(filch::min_element(v.begin(), v.end()) ==
		      std::min_element(v.begin(), v.end()));
		CHECK(filch::max_element(v.begin(), v.end()) ==
		      std::max_element(v.begin(), v.end()));
		CHECK(filch::max_element(s.begin(), s.end(),
		                         [](const auto &x, const auto &y) {
						 return x.size() < y.size();
					 }) ==
		      std::max_element(s.begin(), s.end(),
		                       [](const auto &x, const auto &y) {
					       return x.size() < y.size();
				       }));
	}
}

// Neither commutes nor is it exact: the result depends on where it is divided.
static double harmonic_sum()
{
	return filch::reduce(
		1, 100000, 0.0, [](int i) { return 1.0 / i; }, std::plus<>());
}

// ---- scans ----

template <class T> static void scans_of(const std::vector<T> &v)
{
	std::vector<T> want(v.size()), got(v.size());
	auto op = [](const T &a, const T &b) { return static_cast<T>(a + b); };

	std::inclusive_scan(v.begin(), v.end(), want.begin());
	CHECK(filch::inclusive_scan(v.begin(), v.end(), got.begin()) == got.end());
	CHECK(got == want);
	std::inclusive_scan(v.begin(), v.end(), want.begin(), op, v.empty() ? T() : v[0]);
	filch::inclusive_scan(v.begin(), v.end(), got.begin(), op,
	                      v.empty() ? T() : v[0]);
	CHECK(got == want);
	std::exclusive_scan(v.begin(), v.end(), want.begin(), v.empty() ? T() : v[0]);
	got = v; // in place
	filch::exclusive_scan(got.begin(), got.end(), got.begin(),
	                      v.empty() ? T() : v[0]);
	CHECK(got == want);
}

static void scans()
{
	for (std::size_t n : sizes) {
		std::vector<int> v = some_numbers(n, 100);
		std::vector<affine> f(n), g(n), h(n);
		std::vector<std::string> s(std::min<std::size_t>(n, 100));

		for (std::size_t i = 0; i < n; i++)
			f[i] = {static_cast<std::uint64_t>(v[i]) | 1, i};
		for (std::size_t i = 0; i < s.size(); i++)
			s[i] = std::to_string(v[i]);
		scans_of(v);
		scans_of(std::vector<double>(v.begin(), v.end()));
		scans_of(s);
		std::exclusive_scan(f.begin(), f.end(), g.begin(), affine{1, 3}, then);
		filch::exclusive_scan(f.begin(), f.end(), h.begin(), affine{1, 3}, then);
		CHECK(std::equal(g.begin(), g.end(), h.begin(), [](affine a, affine b) {
			return a.a == b.a && a.b == b.b;
		}));
	}
}

// ---- finding, keeping, counting ----

static void selections()
{
	for (std::size_t n : sizes) {
		std::vector<int> v = some_numbers(n, 500), out(n), want(n);
		std::deque<std::string> names(n);
		std::vector<std::string> kept(n);
		std::vector<std::uint64_t> count(10), count_i(10);
		auto odd = [](int x) { return x % 2 != 0; };
		auto is_long = [](const std::string &x) { return x.size() > 2; };

		CHECK(filch::find(v.begin(), v.end(), 77) ==
		      std::find(v.begin(), v.end(), 77));
		CHECK(filch::find_if(v.begin(), v.end(), [](int x) { return x < 0; }) ==
		      v.end());
		out.erase(filch::copy_if(v.begin(), v.end(), out.begin(), odd),
		          out.end());
		want.erase(std::copy_if(v.begin(), v.end(), want.begin(), odd),
		           want.end());
		CHECK(out == want);
		std::transform(v.begin(), v.end(), names.begin(),
		               [](int x) { return std::to_string(x); });
		CHECK(filch::copy_if(names.begin(), names.end(), kept.begin(), is_long) -
		              kept.begin() ==
		      std::count_if(names.begin(), names.end(), is_long));
		CHECK(filch::histogram(v.begin(), v.end(), count.data(), 10,
		                       [](int x) { return x / 50; }) == 0);
		CHECK(filch::histogram(std::size_t{0}, n, count_i.data(), 10,
		                       [&](std::size_t i) { return v[i] / 50; }) == 0);
		for (int b = 0; b < 10; b++)
			CHECK(static_cast<long>(count[static_cast<std::size_t>(b)]) ==
			      std::count_if(v.begin(), v.end(),
			                    [=](int x) { return x / 50 == b; }));
		CHECK(count == count_i);
		want = v;
		auto middle = filch::partition(v.begin(), v.end(), odd);

		CHECK(std::all_of(v.begin(), middle, odd) &&
		      std::none_of(middle, v.end(), odd));
		std::sort(v.begin(), v.end());
		std::sort(want.begin(), want.end());
		CHECK(v == want);
		auto where = filch::partition(names.begin(), names.end(), is_long);

		CHECK(std::all_of(names.begin(), where, is_long) &&
		      std::none_of(where, names.end(), is_long));
	}
}

// ---- sorting ----

struct person {
	int age;
	unsigned number;

	bool operator==(const person &p) const
	{
		return age == p.age && number == p.number;
	}
};

static bool younger(const person &a, const person &b)
{
	return a.age < b.age;
}

// Cannot be copied.
struct owner {
	std::unique_ptr<person> p;
};

template <class It, class Less> static void sorts_like(It first, It last, Less less)
{
	std::vector<typename std::iterator_traits<It>::value_type> want(first, last);

	std::stable_sort(want.begin(), want.end(), less);
	filch::stable_sort(first, last, less);
	CHECK(std::equal(first, last, want.begin(), want.end()));
	std::shuffle(first, last, std::mt19937(1));
	filch::sort(first, last, less);
	CHECK(std::is_sorted(first, last, less));
}

static void sorts_of(std::size_t n, int most)
{
	std::vector<int> v = some_numbers(n, most);
	std::vector<person> people(n);
	std::deque<person> in_pieces(n);
	std::vector<std::string> names(n);
	std::vector<owner> owners(n);
	auto owners_less = [](const owner &a, const owner &b) {
		return a.p->age < b.p->age;
	};

	for (std::size_t i = 0; i < n; i++) {
		people[i] = in_pieces[i] = {v[i], static_cast<unsigned>(i)};
		names[i] = std::to_string(v[i]);
		owners[i].p = std::make_unique<person>(people[i]);
	}
	sorts_like(v.begin(), v.end(), std::greater<>());
	sorts_like(v.data(), v.data() + n, std::less<>());
	sorts_like(people.begin(), people.end(), younger);
	sorts_like(in_pieces.begin(), in_pieces.end(), younger);
	sorts_like(names.begin(), names.end(), std::less<>());
	filch::stable_sort(owners.begin(), owners.end(), owners_less);
	for (std::size_t i = 1; i < n; i++) {
		const person &a = *owners[i - 1].p, &b = *owners[i].p;

		CHECK(a.age < b.age || (a.age == b.age && a.number < b.number));
	}
	std::reverse(owners.begin(), owners.end());
	filch::sort(owners.begin(), owners.end(), owners_less);
	CHECK(std::is_sorted(owners.begin(), owners.end(), owners_less));
}

static void sorts()
{
	for (std::size_t n : sizes) {
		sorts_of(n, 1000000);
		sorts_of(n, 5);
		sorts_of(n, 1);
	}
}

// An order that contradicts itself: nothing is lost.
static void foolish_orders()
{
	std::mt19937 random(3);
	std::atomic<unsigned> calls{0};
	auto foolish = [&](const auto &, const auto &) { return calls++ % 3 != 0; };
	std::vector<int> v = some_numbers(5000, 100000), want = v;
	std::vector<std::string> s(5000), s_want;

	for (std::size_t i = 0; i < s.size(); i++)
		s[i] = std::to_string(v[i]);
	s_want = s;
	for (int round = 0; round < 4; round++) {
		if (round % 2) {
			filch::sort(v.begin(), v.end(), foolish);
			filch::sort(s.begin(), s.end(), foolish);
		} else {
			filch::stable_sort(v.begin(), v.end(), foolish);
			filch::stable_sort(s.begin(), s.end(), foolish);
		}
	}
	std::sort(v.begin(), v.end());
	std::sort(want.begin(), want.end());
	std::sort(s.begin(), s.end());
	std::sort(s_want.begin(), s_want.end());
	CHECK(v == want);
	CHECK(s == s_want);
}

// ---- pipelines ----

static std::atomic<int> alive;

struct counted {
	int n;

	explicit counted(int x) : n(x)
	{
		alive++;
	}

	~counted()
	{
		alive--;
	}
};

static void pipelines()
{
	for (unsigned tokens : {0u, 1u, 2u, 100u}) {
		std::vector<int> numbers(500), order;
		int made = 0, next = 0;

		std::iota(numbers.begin(), numbers.end(), 0);
		CHECK(filch::pipeline(
			      tokens, filch::serial([&] {
				      return made < 500
			                             ? &numbers[static_cast<std::size_t>(
							       made++)]
			                             : nullptr;
			      }),
			      filch::parallel([](int *x) { *x *= 2; }),
			      filch::parallel([](int *x) -> const int * {
				      return *x % 3 ? x : nullptr;
			      }),
			      filch::serial(
				      [&](const int *x) { order.push_back(*x); })) == 0);
		CHECK(order.size() == 333);
		CHECK(std::is_sorted(order.begin(), order.end()));

		made = 0;
		CHECK(filch::pipeline(tokens, filch::serial([&] {
					      return made < 500
			                                     ? std::make_unique<counted>(
								       made++)
			                                     : nullptr;
				      }),
		                      filch::parallel([](std::unique_ptr<counted> c) {
					      return std::make_unique<counted>(c->n + 1);
				      }),
		                      filch::serial([&](std::unique_ptr<counted> c) {
					      CHECK(c->n == ++next);
				      })) == 0);
		CHECK(next == 500);
		CHECK(alive == 0);
		made = 0;
		CHECK(filch::pipeline(
			      tokens, filch::serial([&] {
				      return made < 50 ? std::make_unique<counted>(made++)
			                               : nullptr;
			      })) == 0);
		CHECK(made == 50 && alive == 0);
		CHECK(filch::pipeline(tokens, filch::serial([&] { return &made; }),
		                      filch::serial([](int *) { return 9; })) == 9);
	}
	CHECK(filch::pipeline(2, filch::parallel([] { return (int *)nullptr; })) ==
	      -EINVAL);
}

// ---- exceptions ----

#if defined(__cpp_exceptions)
template <class F> static bool throws(F f)
{
	try {
		f();
	} catch (const std::runtime_error &e) {
		return e.what() == std::string("no");
	}
	return false;
}

static void no()
{
	throw std::runtime_error("no");
}

static int no_if(bool x)
{
	if (x)
		no();
	return 0;
}

static void exceptions()
{
	std::vector<int> v = some_numbers(20000, 100000), out(v.size()), sorted = v;
	std::vector<std::string> s(3000, "x");
	int made = 0;

	std::sort(sorted.begin(), sorted.end());
	CHECK(throws([] { filch::run(no); }));
	CHECK(throws([] { filch::run([] { return no_if(true); }); }));
	CHECK(throws([] { filch::invoke([] {}, [] {}, no, [] {}); }));
	CHECK(throws([] { filch::both(no, no); }));
	CHECK(throws([] { filch::for_(0, 9999, [](int i) { no_if(i == 555); }); }));
	CHECK(throws([&] { filch::for_each(v.begin(), v.end(), [](int) { no(); }); }));
	CHECK(throws([] {
		filch::for_2d(99, 99, [](std::size_t r, std::size_t) { no_if(r == 55); });
	}));
	CHECK(throws([&] {
		      filch::reduce(v.begin(), v.end(), 0,
		                    [](int a, int b) { return a + b + no_if(b == 0); });
	      }) == (sorted[0] == 0));
	CHECK(throws([&] {
		filch::reduce(s.begin(), s.end(), std::string(),
		              [](std::string, std::string) -> std::string {
				      throw std::runtime_error("no");
			      });
	}));
	CHECK(throws([&] {
		filch::inclusive_scan(
			v.begin(), v.end(), out.begin(),
			[](int, int) -> int { throw std::runtime_error("no"); });
	}));
	CHECK(throws([&] {
		filch::find_if(v.begin(), v.end(),
		               [](int) -> bool { throw std::runtime_error("no"); });
	}));
	CHECK(throws([&] {
		filch::copy_if(v.begin(), v.end(), out.begin(),
		               [](int) -> bool { throw std::runtime_error("no"); });
	}));
	CHECK(throws([&] {
		filch::partition(v.begin(), v.end(),
		                 [](int x) { return no_if(x % 9 == 0) == 0; });
	}));
	CHECK(throws([&] {
		filch::sort(v.begin(), v.end(),
		            [](int a, int b) { return no_if(a % 9 == 0) == 0 && a < b; });
	}));
	CHECK(throws([&] {
		filch::stable_sort(s.begin(), s.end(),
		                   [](const auto &, const auto &) -> bool {
					   throw std::runtime_error("no");
				   });
	}));
	std::sort(v.begin(), v.end());
	CHECK(v == sorted); // none is lost
	CHECK(s == std::vector<std::string>(3000, "x"));
	CHECK(throws([&] {
		filch::pipeline(0, filch::serial([&] {
					return std::make_unique<counted>(made++);
				}),
		                filch::parallel([](std::unique_ptr<counted> c) {
					no_if(c->n == 99);
					return c;
				}));
	}));
	CHECK(made > 99);
	CHECK(alive == 0);
}

// What has no other way to say so throws.
static std::atomic<int> codes;

FILCH_STATIC_TASK_VOID(cancelled, (struct filch_group *, g))
{
	std::vector<int> v(1000);

	filch_group_cancel(g);
	CHECK(filch::for_each(v.begin(), v.end(), [](int) {}) == -ECANCELED);
	try {
		filch::reduce(v.begin(), v.end());
	} catch (const filch::error &e) {
		codes += e.code() == -ECANCELED && e.what()[0];
	}
	try {
		filch::find(v.begin(), v.end(), 0);
	} catch (const filch::error &e) {
		codes += e.code() == -ECANCELED;
	}
}

static void cancelling()
{
	codes = 0;
	filch::run([] {
		struct filch_group g;

		filch_group_begin(&g);
		FILCH_GROUP_SPAWN(&g, cancelled, &g);
		filch_group_wait(&g);
	});
	CHECK(codes == 2);
}
#else
static void exceptions()
{
}

static void cancelling()
{
}
#endif

static void everything()
{
	loops();
	calls();
	reductions();
	scans();
	selections();
	sorts();
	foolish_orders();
	pipelines();
	exceptions();
}

int main()
{
	double sum = harmonic_sum();

	everything(); // from outside: on the default pool
	cancelling();
	for (unsigned workers : {1u, 2u, 8u}) {
		struct filch_pool_options o = {};
		struct filch_pool *p = nullptr;

		o.workers = workers;
		CHECK(filch_pool_create(&p, &o, nullptr) == 0);
		filch::run(p, everything);
		CHECK(filch::run(p, harmonic_sum) == sum); // to the last bit
		CHECK(filch_pool_destroy(p) == 0);
	}
	return failed;
}
