/* SPDX-License-Identifier: MIT */
/* The analysis of BWoS in EMPER: figures 5.2 to 5.12. */
#include "bench/report/report.h"

#define FOUR_QUEUES                                                          \
	{                                                                    \
		{"BWoS", COLOUR_FILCH, {.impl = "bwos_lifo"}},               \
			{"ABP", COLOUR_PEER_1, {.impl = "abp"}},             \
			{"Chase-Lev", COLOUR_PEER_2, {.impl = "chase_lev"}}, \
			{"lock", COLOUR_PEER_3, {.impl = "locked"}},         \
	}

/* Steals a second, of all thieves together. */
#define ONE_THIEF(shape)                                                               \
	{                                                                              \
		{"1k", 1e3, {.run = "hz1000x1_" shape, .bench = "hz1000"}},            \
			{"10k", 1e4, {.run = "hz10000x1_" shape, .bench = "hz10000"}}, \
			{"100k",                                                       \
		         1e5,                                                          \
		         {.run = "hz100000x1_" shape, .bench = "hz100000"}},           \
			{"1M",                                                         \
		         1e6,                                                          \
		         {.run = "hz1000000x1_" shape, .bench = "hz1000000"}},         \
	}
#define FIVE_THIEVES(shape)                                                             \
	{                                                                               \
		{"1k", 1e3, {.run = "hz200x5_" shape, .bench = "hz200"}},               \
			{"10k", 1e4, {.run = "hz2000x5_" shape, .bench = "hz2000"}},    \
			{"100k", 1e5, {.run = "hz20000x5_" shape, .bench = "hz20000"}}, \
			{"1M", 1e6, {.run = "hz200000x5_" shape, .bench = "hz200000"}}, \
	}
#define THROUGHPUT(points)                                             \
	{                                                              \
		{.unit = "million operations a second",                \
		 .x_title = "steals a second that all thieves aim at", \
		 .log_x = true,                                        \
		 .cell = {.metric = "throughput"},                     \
		 .point = points,                                      \
		 .series = FOUR_QUEUES},                               \
	}

#define TIMES(text, run_, bench_, to_)                                                \
	{                                                                             \
		text,                                                                 \
		{                                                                     \
			.run = run_, .bench = bench_, .impl = "bwos_lifo", .to = to_, \
			.metric = "speedup"                                           \
		}                                                                     \
	}
#define TIMES_EACH(when, run, bench)                                                    \
	{                                                                               \
		TIMES("BWoS: # times ABP at " when, run, bench, "abp"),                 \
			TIMES("BWoS: # times Chase-Lev at " when, run, bench,           \
		              "chase_lev"),                                             \
			TIMES("BWoS: # times the lock at " when, run, bench, "locked"), \
	}

#define LATENCIES(run_, bench_)                                                    \
	{                                                                          \
		{.unit = "ns a steal",                                             \
		 .cell = {.run = run_, .bench = bench_},                           \
		 .point = {{"median", 0, {.metric = "steal_p50"}},                 \
		           {"99th percentile", 0, {.metric = "steal_p99"}}},       \
		 .series = {{"BWoS", COLOUR_FILCH, {.impl = "bwos_lifo"}},         \
		            {"ABP", COLOUR_PEER_1, {.impl = "abp"}},               \
		            {"Chase-Lev", COLOUR_PEER_2, {.impl = "chase_lev"}}}}, \
	}
#define MEDIANS(run, bench)                                                    \
	{                                                                      \
		{"BWoS: # ns", {run, bench, "bwos_lifo", NULL, "steal_p50"}},  \
			{"ABP: # ns", {run, bench, "abp", NULL, "steal_p50"}}, \
			{"Chase-Lev: # ns",                                    \
		         {run, bench, "chase_lev", NULL, "steal_p50"}},        \
	}

#define QUICKSORT_SERIES                                                             \
	{                                                                            \
		{"BWoS, blocks of 8", COLOUR_FILCH, {.impl = "bwos_lifo@8"}},        \
			{"BWoS, 16", COLOUR_FILCH, {.impl = "bwos_lifo@16"}},        \
			{"BWoS, 64", COLOUR_FILCH, {.impl = "bwos_lifo@64"}},        \
			{"BWoS, 256", COLOUR_FILCH, {.impl = "bwos_lifo@256"}},      \
			{"Chase-Lev", COLOUR_PEER_2, {.impl = "eager_chase_lev@2"}}, \
			{"ABP", COLOUR_PEER_1, {.impl = "eager_abp@2"}},             \
			{"lock", COLOUR_PEER_3, {.impl = "eager_locked@2"}},         \
			{"no queue: Filch", COLOUR_FILCH_2, {.impl = "filch@2"}},    \
	}

const struct report_figure report_figures_emper[] = {
	{"001-5.2",
         "Figure 5.2",
         "What putting and getting costs the owner",
         "About the same for BWoS, ABP and Chase-Lev, far more under a lock (section "
         "5.2.1).",
         "The mean of putting and getting, from the throughput without thieves; 512 "
         "entries in 8 blocks, where "
         "the paper has 1024.",
         {{"BWoS: # million operations a second",
           {"hz1000x1_64", "owner", "bwos_lifo", NULL, "throughput"}},
          TIMES("BWoS: # times the throughput of ABP", "hz1000x1_64", "owner", "abp"),
          TIMES("BWoS: # times Chase-Lev", "hz1000x1_64", "owner", "chase_lev"),
          TIMES("BWoS: # times the lock", "hz1000x1_64", "owner", "locked")},
         {{.unit = "ns an operation",
           .ns_per_operation = true,
           .cell = {.run = "hz1000x1_64", .bench = "owner", .metric = "throughput"},
           .point = {{"put or get", 0, {0}}},
           .series = FOUR_QUEUES}}},
	{"001-5.3", "Figure 5.3", "Throughput with one thief, blocks of 64",
         "All but the lock are close to each other; BWoS loses least as steals become "
         "more frequent (section 5.2.2).",
         "Entries are of 8 bytes, not of 4: Filch's queues hold pointers. 8 blocks of "
         "64, and 512 entries in all "
         "queues, where the paper has 1024. Without thieves: figure 5.2.",
         TIMES_EACH("a million steals a second", "hz1000000x1_64", "hz1000000"),
         THROUGHPUT(ONE_THIEF("64"))},
	{"001-5.4", "Figure 5.4", "Throughput with five thieves, blocks of 64",
         "At a million steals a second, ABP has 24 %, Chase-Lev 38.5 % and the lock 95 % "
         "less throughput than BWoS (table 5.1).",
         "Entries are of 8 bytes, 512 in a queue. Where there are fewer than six "
         "processors, thieves share them, also "
         "with the owner.",
         TIMES_EACH("a million steals a second", "hz200000x5_64", "hz200000"),
         THROUGHPUT(FIVE_THIEVES("64"))},
	{"001-5.5", "Figure 5.5", "Throughput with one thief, blocks of 256",
         "With entries of 8 bytes and blocks of 256, BWoS has twice the throughput of "
         "ABP at "
         "all frequencies, and 1.5 times that of Chase-Lev at high ones (section 5.2.2).",
         "4 blocks of 256, 1024 entries of 8 bytes, as there.",
         TIMES_EACH("a million steals a second", "hz1000000x1_256", "hz1000000"),
         THROUGHPUT(ONE_THIEF("256"))},
	{"001-5.6", "Figure 5.6", "Throughput with five thieves, blocks of 256",
         "As with one thief: twice ABP, and 1.5 times Chase-Lev at high frequencies "
         "(section "
         "5.2.2).",
         "4 blocks of 256. Where there are fewer than six processors, thieves share "
         "them, "
         "also with the owner.",
         TIMES_EACH("a million steals a second", "hz200000x5_256", "hz200000"),
         THROUGHPUT(FIVE_THIEVES("256"))},
	{"001-5.7",
         "Figure 5.7",
         "What becomes of a steal",
         "Of the steals that fail, 92 % find BWoS empty and 8 % lose a race; for ABP it "
         "is 66 "
         "and 34 %, for Chase-Lev 54 and 46 %, for the lock all are empty (table 5.3).",
         "Shares of all steals; the paper's are of those that fail. Two thieves, 50,000 "
         "steals a second each; the paper "
         "does not say how often its thieves stole.",
         {{"BWoS: # % succeed", {"hz50000x2_64", "hz50000", "bwos_lifo", NULL, "ok"}},
          {"BWoS: # % lose a race",
           {"hz50000x2_64", "hz50000", "bwos_lifo", NULL, "lost"}},
          {"ABP: # % lose a race", {"hz50000x2_64", "hz50000", "abp", NULL, "lost"}},
          {"Chase-Lev: # % lose a race",
           {"hz50000x2_64", "hz50000", "chase_lev", NULL, "lost"}}},
         {{.unit = "% of steals",
           .cell = {.run = "hz50000x2_64", .bench = "hz50000"},
           .point = {{"BWoS", 0, {.impl = "bwos_lifo"}},
                     {"ABP", 0, {.impl = "abp"}},
                     {"Chase-Lev", 0, {.impl = "chase_lev"}},
                     {"lock", 0, {.impl = "locked"}}},
           .series = {{"stolen", COLOUR_PEER_2, {.metric = "ok"}},
                      {"found empty", COLOUR_LIMIT, {.metric = "empty"}},
                      {"lost a race", COLOUR_PEER_1, {.metric = "lost"}}}}}},
	{"001-5.8", "Figure 5.8", "How long a steal takes, one thief",
         "ABP is quickest, Chase-Lev takes 116 ns in the median, BWoS noticeably longer "
         "(section 5.2.2).",
         "100,000 steals a second, as there; medians and 99th percentiles instead of "
         "distributions, and without the lock, as there.",
         MEDIANS("hz100000x1_64", "hz100000"), LATENCIES("hz100000x1_64", "hz100000")},
	{"001-5.9", "Figure 5.9", "How long a steal takes, five thieves",
         "Chase-Lev stays about the same, 106 ns; BWoS takes longer than both (section "
         "5.2.2).",
         "20,000 steals a second and thief, as there. Where there are fewer than six "
         "processors, thieves share them, also with the owner.",
         MEDIANS("hz20000x5_64", "hz20000"), LATENCIES("hz20000x5_64", "hz20000")},
	{"001-5.10",
         "Figure 5.10",
         "Quicksort with each queue",
         "Chase-Lev and BWoS with blocks of 8 are best, the lock within 5 % of them; "
         "with "
         "blocks of 64, BWoS takes 65 times as long as with blocks of 8 (section 5.3.1).",
         "10 million 64-bit numbers in the full set, a million in the quick one; two "
         "workers, "
         "every spawn in a queue. Filch's own way, which needs no queue for what is not "
         "stolen, is the last bar.",
         {{"BWoS with its worst block size takes # times as long as Chase-Lev",
           {"quicksort", "quicksort", "bwos_lifo@worst", "chase_lev@best", "overhead"}},
          {"Blocks of 8: # times as fast as serial C",
           {"quicksort", "quicksort", "bwos_lifo@8", "serial", "speedup"}},
          {"Blocks of 64: # times as fast as serial C",
           {"quicksort", "quicksort", "bwos_lifo@64", "serial", "speedup"}},
          {"Chase-Lev: # times as fast as serial C",
           {"quicksort", "quicksort", "eager_chase_lev@2", "serial", "speedup"}},
          {"ABP: # times as fast as serial C",
           {"quicksort", "quicksort", "eager_abp@2", "serial", "speedup"}},
          {"Without a queue: # times as fast as serial C",
           {"quicksort", "quicksort", "filch@2", "serial", "speedup"}}},
         {{.unit = "seconds",
           .cell = {.run = "quicksort", .bench = "quicksort", .metric = "time"},
           .point = {{"time", 0, {0}}},
           .series = QUICKSORT_SERIES}}},
	{"001-5.11",
         "Figure 5.11",
         "What is stolen during quicksort",
         "Chase-Lev and BWoS with blocks of 8 are best at stealing; nothing at all is "
         "stolen "
         "from ABP, which so runs on one core (section 5.3.1).",
         "Tasks stolen in a run, with two workers.",
         {{"ABP: # tasks", {"quicksort", "quicksort", "eager_abp@2", NULL, "stolen"}},
          {"BWoS with blocks of 8: # tasks",
           {"quicksort", "quicksort", "bwos_lifo@8", NULL, "stolen"}},
          {"BWoS with blocks of 64: # tasks",
           {"quicksort", "quicksort", "bwos_lifo@64", NULL, "stolen"}},
          {"Chase-Lev: # tasks",
           {"quicksort", "quicksort", "eager_chase_lev@2", NULL, "stolen"}}},
         {{.unit = "tasks stolen a run",
           .cell = {.run = "quicksort", .bench = "quicksort", .metric = "stolen"},
           .point = {{"stolen", 0, {0}}},
           .series = QUICKSORT_SERIES}}},
	{"001-5.12",
         "Figure 5.12",
         "Finding duplicate files with each queue",
         "538 ms with the lock, 550 with Chase-Lev, 568 with ABP, 823 to 882 with BWoS, "
         "which the "
         "text calls 40 to 45 % slower (table 5.5, section 5.3.2).",
         "'filch dupes', with the files in memory, its pool on each queue: a program of "
         "Filch's own, since theirs is written for EMPER. Tasks are put into BWoS when "
         "somebody asks for them, as Filch "
         "does, and into the others at once. What is stolen is not counted.",
         {{"BWoS with blocks of 16: # of the speed with Chase-Lev",
           {"dupes", "queues", "bwos_lifo@16", "chase_lev", "speedup"}},
          {"BWoS with blocks of 64: # of the speed with Chase-Lev",
           {"dupes", "queues", "bwos_lifo@64", "chase_lev", "speedup"}},
          {"BWoS with blocks of 256: # of the speed with Chase-Lev",
           {"dupes", "queues", "bwos_lifo@256", "chase_lev", "speedup"}},
          {"The lock: # of the speed with Chase-Lev",
           {"dupes", "queues", "locked", "chase_lev", "speedup"}}},
         {{.unit = "seconds",
           .cell = {.run = "dupes", .bench = "queues", .metric = "time"},
           .point = {{"time", 0, {0}}},
           .series = {{"BWoS, blocks of 16", COLOUR_FILCH, {.impl = "bwos_lifo@16"}},
                      {"BWoS, 64", COLOUR_FILCH, {.impl = "bwos_lifo@64"}},
                      {"BWoS, 256", COLOUR_FILCH, {.impl = "bwos_lifo@256"}},
                      {"Chase-Lev", COLOUR_PEER_2, {.impl = "chase_lev"}},
                      {"ABP", COLOUR_PEER_1, {.impl = "abp"}},
                      {"lock", COLOUR_PEER_3, {.impl = "locked"}}}}}},
};
