// SPDX-License-Identifier: MIT
//
// Loops with all kinds of bodies: tests/cmd/trace.sh looks for their names in the trace of
// this program. By itself it only tells whether each body was called for each index.
#include <filch.hpp>

#include <atomic>
#include <cstdio>
#include <vector>

namespace
{

std::atomic<long> calls;

int hidden(std::size_t begin, std::size_t end, void *)
{
	calls += static_cast<long>(end - begin);
	return 0;
}

struct Square {
	void operator()(int) const
	{
		calls++;
	}
};

} // namespace

namespace user
{

static void by_address()
{
	filch_for_grain(0, 100, 10, hidden, nullptr);
}

static void by_lambda()
{
	filch_for_grain(
		0, 100, 10,
		[](std::size_t begin, std::size_t end, void *) {
			calls += static_cast<long>(end - begin);
			return 0;
		},
		nullptr);
}

static void over_integers()
{
	filch::for_(
		0, 100, [](int) { calls++; }, filch::grain{10});
}

static void over_a_vector()
{
	std::vector<int> v(100);

	filch::run([&] { filch::for_each(v.begin(), v.end(), [](int &) { calls++; }); });
}

} // namespace user

int main()
{
	user::by_address();
	user::by_lambda();
	user::over_integers();
	user::over_a_vector();
	filch::for_(0, 100, Square(), filch::grain{10});
	if (calls != 500) {
		std::printf("%ld calls, not 500\n", calls.load());
		return 1;
	}
	return 0;
}
