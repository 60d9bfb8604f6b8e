/* SPDX-License-Identifier: MIT */
/*
 * An algorithm as a benchmark: its input and the check of its answer (input.c), and for
 * each back end a function that runs it once: plain C (serial.c), Filch (filch.c) and the
 * peers (peer/), which are modules that the command loads, so that it links with none of
 * their runtimes. All of them work on the same memory. C and C++.
 */
#ifndef FILCH_BENCH_ALGO_ALGO_H
#define FILCH_BENCH_ALGO_ALGO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a run works on. */
struct algo_work {
	size_t n;       /* elements */
	size_t sweeps;  /* over them; 0: the algorithm has none */
	const void *in; /* what is read; in place: what out is to begin with */
	char *out;
	size_t out_bytes; /* of one call */
	size_t step;      /* from one call's part of out to the next one's; 0: the same */
	size_t calls;     /* that are timed, at most */
	bool warm;        /* one more before these */
};

struct algo {
	const char *name;
	void (*input)(void *in, size_t n);
	size_t in_size, out_size; /* bytes an element */
	size_t more;              /* bytes of out beside the elements */
	bool in_place;            /* out begins as a copy of in */
	bool outside; /* Filch is called from a thread outside, and once more in a task */
	/* A word to compare; NULL: every bit of out counts. */
	uint64_t (*answer)(const void *out, size_t n);
};

/* A benchmark: an algorithm and a size. */
struct algo_bench {
	const char *name, *algo;
	size_t n, quick;     /* elements; the same with --quick */
	const char *without; /* the implementation that would take minutes */
	size_t sweeps;       /* a hundredth of them with --quick */
};

/* What a run took: fewer calls, if they take long. */
struct algo_time {
	uint64_t ns;
	size_t calls;
};

/* One back end's way to run one algorithm. */
struct algo_impl {
	const char *algo, *name;
	void (*run)(const struct algo_work *w, void *out);
};

/* What a module has under the name algo_peer. Tables end with an empty row. */
struct algo_peer {
	const struct algo_impl *impl;
	/* Does the calls with so many threads. */
	struct algo_time (*timed)(const struct algo_impl *impl, const struct algo_work *w,
	                          unsigned workers);
};

extern const struct algo algo_table[];
extern const struct algo_bench algo_benches[];
extern const struct algo_impl algo_serial[], algo_filch[];

/* Every bit of n words. */
uint64_t algo_digest(const void *words, size_t n);

/* In a task of the pool; NULL: from outside, which has the default pool take part. */
struct algo_time algo_filch_timed(void *pool, const struct algo_impl *impl,
                                  const struct algo_work *w);

/* Callbacks, where no compiler looks into them. */
int algo_compare_i32(const void *a, const void *b, void *context);
int algo_compare_f64(const void *a, const void *b, void *context);
int algo_compare_pair(const void *a, const void *b, void *context);
bool algo_odd(const void *element, void *context);

#define ALGO_LONG_NS 20000000

static inline struct algo_time algo_timed(const struct algo_impl *impl,
                                          const struct algo_work *w)
{
	struct algo_time t = {0, 0};
	uint64_t start;

	if (w->warm)
		impl->run(w, w->out + w->step * w->calls);
	start = filch__now_ns();
	/* Ever more at a time, so that the clock is read seldom. */
	for (size_t end = 1; t.calls < w->calls && t.ns < ALGO_LONG_NS; end *= 2) {
		while (t.calls < end && t.calls < w->calls)
			impl->run(w, w->out + w->step * t.calls++);
		t.ns = filch__now_ns() - start;
	}
	return t;
}

#ifdef __cplusplus
}
#endif

#endif
