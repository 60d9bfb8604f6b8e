/* SPDX-License-Identifier: MIT */
/* BWoS: figures 10 to 12 and table 2. */
#include "bench/report/report.h"

#define STOLEN_POINTS                                                         \
	{                                                                     \
		{"0", 0, {.bench = "owner"}}, {"1", 1, {.bench = "stolen1"}}, \
			{"5", 5, {.run = "stolen5", .bench = "stolen5"}},     \
			{"10", 10, {.bench = "stolen10"}},                    \
			{"20", 20, {.bench = "stolen20"}},                    \
	}

/* Throughput of one over that of the other. */
#define TIMES(bench_, impl_, to_)                                          \
	{                                                                  \
		.run = "queue", .bench = bench_, .impl = impl_, .to = to_, \
		.metric = "speedup"                                        \
	}
#define POOL_TIMES(bench_, policy, impl_, to_)                                          \
	{                                                                               \
		.run = "pool", .bench = bench_, .impl = impl_ policy, .to = to_ policy, \
		.metric = "speedup"                                                     \
	}
#define POOL_GAIN(impl_, to_)                                                   \
	{                                                                       \
		.run = "pool", .bench = "balance100", .impl = impl_, .to = to_, \
		.metric = "speedup"                                             \
	}
#define POOL_POINTS                                                 \
	{                                                           \
		{"balancing factor 0 %", 0, {.bench = "balance0"}}, \
			{"10 %", 10, {.bench = "balance10"}},       \
			{"100 %", 100, {.bench = "balance100"}},    \
	}

#define POLICIES(bwos, label, peer)                                                    \
	{                                                                              \
		{"BWoS near., prob.", COLOUR_FILCH, {.impl = bwos "+nearest+prob"}},   \
			{"BWoS nearest", COLOUR_FILCH, {.impl = bwos "+nearest"}},     \
			{"BWoS random", COLOUR_FILCH_2, {.impl = bwos "+random"}},     \
			{"BWoS sequential",                                            \
		         COLOUR_FILCH_2,                                               \
		         {.impl = bwos "+sequential"}},                                \
			{"BWoS last victim", COLOUR_FILCH_2, {.impl = bwos "+last"}},  \
			{"BWoS best of 2",                                             \
		         COLOUR_FILCH_3,                                               \
		         {.impl = bwos "+best_of_two"}},                               \
			{"BWoS best of many",                                          \
		         COLOUR_FILCH_3,                                               \
		         {.impl = bwos "+best_of_many"}},                              \
			{label " nearest", COLOUR_PEER_1, {.impl = peer "+nearest"}},  \
			{label " random", COLOUR_PEER_1, {.impl = peer "+random"}},    \
			{label " sequential",                                          \
		         COLOUR_PEER_1,                                                \
		         {.impl = peer "+sequential"}},                                \
			{label " last victim", COLOUR_PEER_1, {.impl = peer "+last"}}, \
			{label " best of 2",                                           \
		         COLOUR_PEER_1,                                                \
		         {.impl = peer "+best_of_two"}},                               \
			{label " best of many",                                        \
		         COLOUR_PEER_1,                                                \
		         {.impl = peer "+best_of_many"}},                              \
	}

const struct report_figure report_figures_bwos[] = {
	{"000-10",
         "Figure 10",
         "A LIFO queue while some of its entries are stolen",
         "Without stealing, LIFO BWoS has 4.55 times the throughput of ABP on x86 and is "
         "10.7 % slower than a queue nobody may steal from; with 10 % stolen it is 12.59 "
         "times ABP; with 20 % stolen it loses 0.53 %, ABP 71.9 % (sections 6.2.1 and "
         "6.2.2).",
         "8192 entries of 8 bytes, 8 blocks, one thief. Only x86, and only the queues "
         "with "
         "orders as weak as they may be: there is no variant with all of them "
         "sequentially consistent. Chase-Lev and a queue under a lock are beside ABP. At "
         "20 % the way of a cache line between the cores is the limit (README.md, \"How "
         "fast the queues are\").",
         {{"BWoS: # times the throughput of ABP without stealing",
           TIMES("owner", "bwos_lifo", "abp")},
          {"BWoS: # times ABP with 10 % to be stolen",
           TIMES("stolen10", "bwos_lifo", "abp")},
          {"BWoS: # times Chase-Lev with 10 % to be stolen",
           TIMES("stolen10", "bwos_lifo", "chase_lev")},
          {"BWoS: # of the ideal without stealing",
           TIMES("owner", "bwos_lifo", "ideal_lifo")},
          {"BWoS: # of its own throughput without a thief when 20 % are to be stolen",
           TIMES("stolen20", "bwos_lifo", "bwos_lifo@0")}},
         {{.unit = "million operations a second",
           .x_title = "entries to be stolen, %",
           .cell = {.run = "queue", .metric = "throughput"},
           .point = STOLEN_POINTS,
           .series = {{"BWoS", COLOUR_FILCH, {.impl = "bwos_lifo"}},
                      {"ABP", COLOUR_PEER_1, {.impl = "abp"}},
                      {"Chase-Lev", COLOUR_PEER_2, {.impl = "chase_lev"}},
                      {"lock", COLOUR_PEER_3, {.impl = "locked"}},
                      {"ideal: no thieves", COLOUR_LIMIT, {.impl = "ideal_lifo"}}}}}},
	{"000-11",
         "Figure 11",
         "A FIFO queue while some of its entries are stolen",
         "Without stealing, FIFO BWoS has 3.55 times the throughput of Tokio's queue and "
         "1.61 times that of Go's, and is 5.4 % slower than the ideal; with 10 % stolen "
         "it "
         "is 9.41 and 2.78 times these; with 20 % it loses 9.35 %, they 80.2 % and 59.3 "
         "% "
         "(sections 6.2.1 and 6.2.2).",
         "Run queue: the ring with steal-half that Go and Tokio have, in C, as a "
         "stand-in "
         "for theirs. BBQ, Eigen's and Kotlin's queues were not measured.",
         {{"BWoS: # times the throughput of the run queue without stealing",
           TIMES("owner", "bwos_fifo", "runq")},
          {"BWoS: # times the run queue with 10 % to be stolen",
           TIMES("stolen10", "bwos_fifo", "runq")},
          {"BWoS: # of the ideal without stealing",
           TIMES("owner", "bwos_fifo", "ideal_fifo")},
          {"BWoS: # of its own throughput without a thief when 20 % are to be stolen",
           TIMES("stolen20", "bwos_fifo", "bwos_fifo@0")}},
         {{.unit = "million operations a second",
           .x_title = "entries to be stolen, %",
           .cell = {.run = "queue", .metric = "throughput"},
           .point = STOLEN_POINTS,
           .series = {{"BWoS", COLOUR_FILCH, {.impl = "bwos_fifo"}},
                      {"run queue (Go, Tokio)", COLOUR_PEER_1, {.impl = "runq"}},
                      {"ideal: no thieves", COLOUR_LIMIT, {.impl = "ideal_fifo"}}}}}},
	{"000-12",
         "Figure 12",
         "Eight queues that steal from each other, by policy",
         "BWoS has 4.69 times the throughput of ABP and 2.68 times that of Tokio's queue "
         "at "
         "a balancing factor of 0 %, 7.90 and 6.45 times at larger ones; the "
         "NUMA-aware policy gains at most 2.21 and 1.73, stealing by probability 1.34 "
         "and "
         "1.53 on top of it at 100 % (section 6.2.3).",
         "Eight threads as in the paper, which had a core for each. The NUMA-aware "
         "policy "
         "is called nearest here; the topology is made up (two nodes of two caches of "
         "two cores), so being near gains nothing, and with as many threads as this on "
         "few cores neither does leaving a "
         "victim alone that has little.",
         {{"BWoS: # times ABP with the policy nearest at 0 %",
           POOL_TIMES("balance0", "+nearest", "bwos_lifo", "abp")},
          {"BWoS: # times ABP with the policy nearest at 100 %",
           POOL_TIMES("balance100", "+nearest", "bwos_lifo", "abp")},
          {"FIFO: # times the run queue with the policy nearest at 0 %",
           POOL_TIMES("balance0", "+nearest", "bwos_fifo", "runq")},
          {"FIFO: # times the run queue with the policy nearest at 100 %",
           POOL_TIMES("balance100", "+nearest", "bwos_fifo", "runq")},
          {"BWoS: being near, # times random at 100 %",
           POOL_GAIN("bwos_lifo+nearest", "bwos_lifo+random")},
          {"FIFO: being near, # times random at 100 %",
           POOL_GAIN("bwos_fifo+nearest", "bwos_fifo+random")},
          {"BWoS: stealing by probability, # times nearest alone at 100 %",
           POOL_GAIN("bwos_lifo+nearest+prob", "bwos_lifo+nearest")},
          {"FIFO: stealing by probability, # times nearest alone at 100 %",
           POOL_GAIN("bwos_fifo+nearest+prob", "bwos_fifo+nearest")}},
         {{.title = "LIFO",
           .unit = "million operations a second",
           .cell = {.run = "pool", .metric = "throughput"},
           .point = POOL_POINTS,
           .series = POLICIES("bwos_lifo", "ABP", "abp")},
          {.title = "FIFO",
           .unit = "million operations a second",
           .cell = {.run = "pool", .metric = "throughput"},
           .point = POOL_POINTS,
           .series = POLICIES("bwos_fifo", "run q.", "runq")}}},
	{"000-table2",
         "Table 2",
         "Accesses by memory order, and executions that the model checker explored",
         "LIFO BWoS has 2 acquire, 2 release and 14 relaxed accesses, FIFO BWoS 3, 3 and "
         "16, "
         "neither any sequentially consistent one; ABP has 4, with 3 acquire, 1 release, "
         "7 "
         "relaxed. 1.39, 1.43 and 2.05 million executions in 62, 53 and 16 minutes, on "
         "six "
         "cores (section 5.2).",
         "Filch's queues also grow, set blocks aside and grant on demand, which the "
         "paper's "
         "do not: hence more accesses. The client is the one of the paper's figure 9, "
         "with "
         "bounds on preemptions and stale reads, and states that were seen before are "
         "not "
         "explored again. 'verify/run' also weakens each ordered access and sees a "
         "client "
         "fail.",
         {{"LIFO BWoS: # sequentially consistent accesses",
           {"verify", "orders", "bwos_lifo", NULL, "seq_cst"}},
          {"LIFO BWoS: # executions of the client of figure 9",
           {"verify", "queue/figure9", "bwos_lifo", NULL, "executions"}},
          {"FIFO BWoS: # executions",
           {"verify", "queue/figure9", "bwos_fifo", NULL, "executions"}},
          {"ABP: # executions", {"verify", "queue/figure9", "abp", NULL, "executions"}}},
         {{.title = "Accesses by order",
           .unit = "accesses in the source",
           .cell = {.run = "verify", .bench = "orders"},
           .point = {{"LIFO BWoS", 0, {.impl = "bwos_lifo"}},
                     {"FIFO BWoS", 0, {.impl = "bwos_fifo"}},
                     {"Chase-Lev", 0, {.impl = "chase_lev"}},
                     {"ABP", 0, {.impl = "abp"}}},
           .series = {{"seq. consistent", COLOUR_PEER_1, {.metric = "seq_cst"}},
                      {"acquire", COLOUR_PEER_2, {.metric = "acquire"}},
                      {"release", COLOUR_PEER_3, {.metric = "release"}},
                      {"relaxed", COLOUR_LIMIT, {.metric = "relaxed"}}}},
          {.title = "Executions explored",
           .unit = "executions of the paper's client",
           .cell = {.run = "verify", .bench = "queue/figure9", .metric = "executions"},
           .point = {{"executions", 0, {0}}},
           .series = {{"LIFO BWoS", COLOUR_FILCH, {.impl = "bwos_lifo"}},
                      {"FIFO BWoS", COLOUR_FILCH, {.impl = "bwos_fifo"}},
                      {"ABP", COLOUR_PEER_1, {.impl = "abp"}}}}}},
};
