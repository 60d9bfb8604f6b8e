/* SPDX-License-Identifier: MIT */
/* Work-Stealing Without the Baggage: figures 4, 5, 7 and 8. */
#include "bench/report/report.h"

/* Where nearly all is spawns, peers run less of it, and so does Filch beside them. */
#define ALL_PROGRAMS                                                                \
	{                                                                           \
		{"fib, small", 0, {.bench = "fib_small"}},                          \
			{"integrate, small", 0, {.bench = "integrate_small"}},      \
			{"nqueens, small", 0, {.bench = "nqueens_small"}},          \
			{"jacobi", 0, {.bench = "jacobi"}},                         \
			{"matmul", 0, {.bench = "matmul"}},                         \
			{"quicksort", 0, {.bench = "quicksort"}},                   \
			{"lu", 0, {.bench = "lu"}}, {"heat", 0, {.bench = "heat"}}, \
	}
#define EIGHT_PROGRAMS                                                                  \
	{                                                                               \
		{"fib", 0, {.bench = "fib"}}, {"integrate", 0, {.bench = "integrate"}}, \
			{"nqueens", 0, {.bench = "nqueens"}},                           \
			{"jacobi", 0, {.bench = "jacobi"}},                             \
			{"matmul", 0, {.bench = "matmul"}},                             \
			{"quicksort", 0, {.bench = "quicksort"}},                       \
			{"lu", 0, {.bench = "lu"}}, {"heat", 0, {.bench = "heat"}},     \
			{"geometric mean", 0, {.bench = "mean8"}},                      \
	}
#define OVERHEAD(text, bench_, impl_)                                                  \
	{                                                                              \
		text,                                                                  \
		{                                                                      \
			.run = "app1", .bench = bench_, .impl = impl_, .to = "serial", \
			.metric = "overhead"                                           \
		}                                                                      \
	}
#define SPEEDUP(text, bench_, impl_, to_)                                         \
	{                                                                         \
		text,                                                             \
		{                                                                 \
			.run = "app2", .bench = bench_, .impl = impl_, .to = to_, \
			.metric = "speedup"                                       \
		}                                                                 \
	}

const struct report_figure report_figures_baggage[] = {
	{"004-4",
         "Figure 4",
         "Where the overhead of one worker comes from",
         "Of the overhead over sequential Java, the deque makes up just over 30 % in X10 "
         "and "
         "50 % in Fork-Join; the objects that hold a task's state just under half "
         "(section "
         "3.1).",
         "One worker, times serial C. Filch keeps a task in the frame of its spawner and "
         "has "
         "no deque for what is not stolen; with every spawn in a queue one sees what "
         "that "
         "saves. There is no heap-allocated state to be left out.",
         {OVERHEAD("fib (small): # times serial C without a queue", "fib_small",
                   "filch@1"),
          OVERHEAD("fib (small): # times with every spawn in BWoS", "fib_small",
                   "eager_bwos_lifo@1"),
          OVERHEAD("fib (small): # times with Chase-Lev", "fib_small",
                   "eager_chase_lev@1"),
          OVERHEAD("fib (small): # times with ABP", "fib_small", "eager_abp@1"),
          OVERHEAD("fib (small): # times with a lock", "fib_small", "eager_locked@1")},
         {{.unit = "times serial C; scale is logarithmic",
           .log_y = true,
           .mark = 1,
           .cell = {.run = "app1", .to = "serial", .metric = "overhead"},
           .point = ALL_PROGRAMS,
           .series = {{"Filch, no queue", COLOUR_FILCH, {.impl = "filch@1"}},
                      {"in BWoS", COLOUR_FILCH_2, {.impl = "eager_bwos_lifo@1"}},
                      {"in Chase-Lev", COLOUR_PEER_2, {.impl = "eager_chase_lev@1"}},
                      {"in ABP", COLOUR_PEER_1, {.impl = "eager_abp@1"}},
                      {"under a lock", COLOUR_PEER_3, {.impl = "eager_locked@1"}}}}}},
	{"004-5",
         "Figure 5",
         "How many of the tasks are stolen",
         "About one in a million for many programs, up to one in ten for LU and Heat "
         "(section "
         "3.2).",
         "Two workers. What is stolen here is a task that was exposed because somebody "
         "asked; "
         "with every spawn in a queue anything may be.",
         {{"fib: # of its tasks", {"app2", "fib", "filch@2", NULL, "steal_ratio"}},
          {"quicksort: # of its tasks",
           {"app2", "quicksort", "filch@2", NULL, "steal_ratio"}},
          {"lu: # of its tasks", {"app2", "lu", "filch@2", NULL, "steal_ratio"}},
          {"heat: # of its tasks", {"app2", "heat", "filch@2", NULL, "steal_ratio"}}},
         {{.unit = "steals a task; scale is logarithmic",
           .log_y = true,
           .cell = {.run = "app2", .metric = "steal_ratio"},
           .point = EIGHT_PROGRAMS,
           .series = {{"Filch", COLOUR_FILCH, {.impl = "filch@2"}},
                      {"Filch, polled", COLOUR_FILCH_2, {.impl = "poll@2"}},
                      {"in Chase-Lev", COLOUR_PEER_2, {.impl = "eager_chase_lev@2"}}}}}},
	{"004-7",
         "Figure 7",
         "The overhead of one worker",
         "Try-catch work stealing takes 1.15 times as long as sequential Java on "
         "average, "
         "Fork-Join 2.3 times and X10 4.1 times; for Fibonacci it is up to 18 times for "
         "X10 "
         "and 8.4 for Fork-Join (abstract, section 7.1).",
         "Times serial C, compiled with the same options. Peers are gcc's and clang's "
         "OpenMP "
         "tasks and oneTBB instead of X10 and Fork-Join.",
         {OVERHEAD("Filch: # times serial C, geometric mean of eight programs", "mean8",
                   "filch@1"),
          OVERHEAD("fib: # times serial C", "fib", "filch@1"),
          OVERHEAD("fib (small): # times serial C with oneTBB", "fib_small", "tbb@1"),
          OVERHEAD("fib (small): # times with gcc's OpenMP", "fib_small", "openmp@1"),
          OVERHEAD("fib (small): # times with clang's OpenMP", "fib_small", "libomp@1")},
         {{.title = "Filch",
           .unit = "times serial C",
           .mark = 1,
           .cell = {.run = "app1", .to = "serial", .metric = "overhead"},
           .point = EIGHT_PROGRAMS,
           .series = {{"asked by signal", COLOUR_FILCH, {.impl = "filch@1"}},
                      {"polled", COLOUR_FILCH_2, {.impl = "poll@1"}}}},
          {.title = "Filch and its peers",
           .unit = "times serial C; scale is logarithmic",
           .log_y = true,
           .mark = 1,
           .cell = {.run = "app1", .to = "serial", .metric = "overhead"},
           .point = ALL_PROGRAMS,
           .series = {{"Filch", COLOUR_FILCH, {.impl = "filch@1"}},
                      {"OpenMP (gcc)", COLOUR_PEER_1, {.impl = "openmp@1"}},
                      {"OpenMP (clang)", COLOUR_PEER_2, {.impl = "libomp@1"}},
                      {"oneTBB", COLOUR_PEER_3, {.impl = "tbb@1"}}}}}},
	{"004-8",
         "Figure 8",
         "Speedup over serial code",
         "Even for Fibonacci and Integrate, try-catch work stealing is faster than "
         "sequential "
         "Java from two cores on, and 7 and 8.5 times as fast at twelve; X10 and "
         "Fork-Join "
         "hardly gain there (section 7.2).",
         "Two workers instead of up to twelve: this shows the first step of the paper's "
         "curves, not how they go on.",
         {SPEEDUP("Filch: # times serial C, geometric mean of eight programs", "mean8",
                  "filch@2", "serial"),
          SPEEDUP("fib: # times serial C", "fib", "filch@2", "serial"),
          SPEEDUP("integrate: # times serial C", "integrate", "filch@2", "serial"),
          SPEEDUP("quicksort: # times oneTBB", "quicksort", "filch@2", "tbb@2"),
          SPEEDUP("fib (small): # times oneTBB", "fib_small", "filch@2", "tbb@2"),
          SPEEDUP("fib (small): # times gcc's OpenMP", "fib_small", "filch@2",
                  "openmp@2")},
         {{.title = "Filch",
           .unit = "times as fast as serial C, two workers",
           .mark = 1,
           .cell = {.run = "app2", .to = "serial", .metric = "speedup"},
           .point = EIGHT_PROGRAMS,
           .series = {{"asked by signal", COLOUR_FILCH, {.impl = "filch@2"}},
                      {"polled", COLOUR_FILCH_2, {.impl = "poll@2"}}}},
          {.title = "Filch and its peers",
           .unit = "times as fast as serial C, two workers; scale is logarithmic",
           .log_y = true,
           .mark = 1,
           .cell = {.run = "app2", .to = "serial", .metric = "speedup"},
           .point = ALL_PROGRAMS,
           .series = {{"Filch", COLOUR_FILCH, {.impl = "filch@2"}},
                      {"OpenMP (gcc)", COLOUR_PEER_1, {.impl = "openmp@2"}},
                      {"OpenMP (clang)", COLOUR_PEER_2, {.impl = "libomp@2"}},
                      {"oneTBB", COLOUR_PEER_3, {.impl = "tbb@2"}}}}}},
};
