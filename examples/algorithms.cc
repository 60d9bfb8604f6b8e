// SPDX-License-Identifier: MIT
// The algorithms from C++: words are counted, sorted by how often they occur, and the
// numbers behind them added up, on all cores and with plain lambdas.
#include <filch.hpp>

#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

struct word {
	unsigned number;
	unsigned long times;
};

int main()
{
	const std::size_t n = 200000, kinds = 1000;
	std::vector<unsigned> text(n);
	std::vector<std::uint64_t> times(kinds);
	std::vector<word> words(kinds);

	// A loop over whole numbers, and one that counts.
	filch::for_(0u, n, [&](std::size_t i) {
		double x = std::fmod(static_cast<double>(i) * 0.6180339887498949, 1.0);

		text[i] = static_cast<unsigned>(x * x * static_cast<double>(kinds));
	});
	filch::histogram(text.begin(), text.end(), times.data(), kinds,
	                 [](unsigned w) { return w; });

	// Sorting; words that are as frequent stay in order.
	filch::for_(0u, kinds, [&](std::size_t i) {
		words[i] = {static_cast<unsigned>(i), times[i]};
	});
	filch::stable_sort(words.begin(), words.end(), [](const word &a, const word &b) {
		return a.times > b.times;
	});
	std::printf("most frequent: word %u, %lu times\n", words[0].number,
	            words[0].times);

	// The sum of all is in order, so that it is the same on any number of workers.
	double entropy = filch::transform_reduce(
		words.begin(), words.end(), 0.0, std::plus<>(), [&](const word &w) {
			double p = static_cast<double>(w.times) / static_cast<double>(n);

			return w.times ? -p * std::log2(p) : 0;
		});
	std::printf("%.6f bits a word\n", entropy);

	// A pipeline; what is under way when it ends is freed.
	unsigned made = 0, written = 0;

	filch::pipeline(4, filch::serial([&] {
				return made < 100 ? std::make_unique<std::string>(
							    std::to_string(made++))
		                                  : nullptr;
			}),
	                filch::parallel([](std::unique_ptr<std::string> s) {
				s->insert(0, 3 - s->size(), '0');
				return s;
			}),
	                filch::serial([&](std::unique_ptr<std::string> s) {
				written += *s == std::string("0") +
		                                         (written < 10 ? "0" : "") +
		                                         std::to_string(written);
			}));
	std::printf("%u of %u written in order\n", written, made);

	// What a task throws arrives here.
	try {
		filch::for_(0, 1000000, [](int i) {
			if (i == 4321)
				throw std::string("4321");
		});
	} catch (const std::string &s) {
		std::printf("caught %s\n", s.c_str());
	}
}
