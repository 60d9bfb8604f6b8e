/* SPDX-License-Identifier: MIT */
/*
 * filch bench io: what it costs to wait for descriptors, files, timers and each other;
 * beside it epoll by hand in one thread, and threads that block.
 */
#include "bench/io/run.h"
#include "fiber/switch.h"

/* Sanitizers keep so much for each strand that fewer must do. */
#if FILCH__FIBER_WATCHED
#define SLEEPERS "sleepers1k", 1000, 1000
#else
#define SLEEPERS "sleepers100k", 100000, 100000
#endif

/* clang-format off */
#define ECHO(name, n, rounds, family)                                         \
	{name, n, n, rounds, 1, family,                                       \
	 {{"throughput", "msgs/s", true}, {"p50", "us", false},               \
	  {"p99", "us", false}, {"cpu", "us", false}},                        \
	 {{"filch@1", 1, io_echo_filch}, {"filch@2", 2, io_echo_filch},       \
	  {"epoll", 0, io_echo_epoll}, {"thread", 0, io_echo_thread}},        \
	 {{0, 2, "speedup", 0}, {0, 2, "overhead", 2}, {1, 2, "speedup", 0},  \
	  {0, 3, "speedup", 0}}}
#define TIME {{"time", "ns", false}}
#define LATE {{"p50", "us", false}, {"p99", "us", false}}
/* clang-format on */

static const struct rounds_bench benches[] = {
	ECHO("echo100", 100, 3, IO_TCP),
	ECHO("echo1000", 1000, 7, IO_TCP),
	ECHO("echo10000", 10000, 2, IO_TCP),
	ECHO("unixecho100", 100, 3, IO_UNIX),
	ECHO("unixecho1000", 1000, 3, IO_UNIX),
	ECHO("unixecho10000", 10000, 2, IO_UNIX),
	{SLEEPERS,
         3,
         1,
         0,
         {{"time", "ms", false}, {"resident", "GiB", false}, {"added", "GiB", false}},
         {{"filch", 2, io_sleepers_filch}, {"epoll", 0, io_sleepers_epoll}},
         {{0, 1, "overhead", 0}}},
	{"timers", 1000000, 50000, 3, 1, 0, TIME, {{"filch@1", 1, io_timers}}, {{0}}},
	{"sleep1ms",
         300,
         50,
         3,
         1,
         0,
         LATE,
         {{"filch@1", 1, io_late_filch}, {"thread", 0, io_late_thread}},
         {{0, 1, "overhead", 0}}},
	{"files_small",
         2000,
         200,
         5,
         1,
         4096,
         {{"time", "ms", false}},
         {{"filch@2", 2, io_files_filch},
          {"blocking", 0, io_files_blocking},
          {"thread", 0, io_files_thread}},
         {{0, 1, "speedup", 0}, {0, 2, "speedup", 0}}},
	{"files_large",
         (size_t)64 << 20,
         (size_t)4 << 20,
         5,
         1,
         0,
         {{"time", "ms", false}},
         {{"filch@2", 2, io_files_filch},
          {"blocking", 0, io_files_blocking},
          {"thread", 0, io_files_thread}},
         {{0, 1, "speedup", 0}, {0, 2, "speedup", 0}}},
	{"mutex",
         5000000,
         100000,
         5,
         3,
         0,
         TIME,
         {{"filch@1", 1, io_mutex}, {"thread", 0, io_mutex_thread}},
         {{0, 1, "overhead", 0}}},
	{"event", 5000000, 100000, 5, 3, 0, TIME, {{"filch@1", 1, io_event}}, {{0}}},
	{"channel", 5000000, 100000, 5, 3, 0, TIME, {{"filch@1", 1, io_channel}}, {{0}}},
	{"channel_pingpong",
         400000,
         20000,
         3,
         1,
         0,
         TIME,
         {{"filch@1", 1, io_pingpong_filch},
          {"filch@2", 2, io_pingpong_filch},
          {"thread", 0, io_pingpong_thread}},
         {{0, 2, "speedup", 0}, {1, 2, "speedup", 0}}},
	{"mutex_handover",
         400000,
         20000,
         3,
         1,
         0,
         TIME,
         {{"filch@1", 1, io_handover_filch},
          {"filch@2", 2, io_handover_filch},
          {"thread", 0, io_handover_thread}},
         {{0, 2, "speedup", 0}, {1, 2, "speedup", 0}}},
	{"notice",
         300,
         50,
         3,
         1,
         IO_LONG,
         LATE,
         {{"filch@2", 2, io_notice_filch}, {"thread", 0, io_notice_thread}},
         {{0, 1, "overhead", 0}}},
	{"notice_short",
         300,
         50,
         3,
         1,
         IO_SHORT,
         LATE,
         {{"filch@1", 1, io_notice_filch}},
         {{0}}},
	{"steal_nothing",
         100000000,
         5000000,
         7,
         3,
         0,
         {{"time", "ms", false}, {"completions", "1/s", true}},
         {{"filch@2", 2, io_stream_filch},
          {"quiet@2", 2, io_stream_quiet},
          {"thread", 0, io_stream_thread}},
         {{0, 1, "overhead", 0}, {0, 2, "overhead", 0}}},
};

static int run_suite(const struct bench_options *o)
{
	return rounds_suite(o, "io", benches, sizeof benches / sizeof *benches);
}

const struct bench_suite bench_io_suite = {
	.name = "io",
	.text = "what it costs to wait for descriptors, files, timers and each other",
	.run = run_suite};
