/* SPDX-License-Identifier: MIT */
/*
 * Settings: defaults, environment, options, which of them wins, and what is remembered of
 * it.
 */
#include "tests/test.h"

#include <signal.h>
#include <string.h>
#include <sys/resource.h>

#include "fiber/switch.h"
#include "pool/depth.h"
#include "pool/options.h"

static struct filch__settings s;

static int clear(void **state)
{
	(void)state;
	for (int i = 0; i < filch__setting_count; i++)
		unsetenv(filch__setting_env((enum filch__setting)i));
	return 0;
}

static void resolve(const struct filch_pool_options *o)
{
	char why[256] = "";

	if (filch__settings_resolve(&s, o, why, sizeof why))
		fail_msg("%s", why);
}

/* Resolves with one variable set. */
static void with(const char *name, const char *value)
{
	setenv(name, value, 1);
	resolve(NULL);
	unsetenv(name);
}

static void test_defaults(void **state)
{
	struct filch__cpus cpus;
	char why[640];

	(void)state;
	resolve(NULL);
	assert_int_equal(filch__cpus_read(&cpus, ""), 0);
	assert_int_equal(s.workers, filch__workers_for(&cpus, why, sizeof why));
	assert_string_equal(s.why_workers, why);
	assert_int_equal(s.future_size, 1 << 20);
	assert_int_equal(s.policy, filch_policy_nearest);
	assert_false(s.probabilistic);
	assert_false(s.block_steal);
	assert_int_equal(s.signal, 0);
	assert_int_equal(s.block_size, 64);
	assert_null(s.topology);
	assert_int_equal(s.bind, FILCH__BIND_AUTO);
	assert_int_equal(s.io, FILCH__IO_AUTO);
	assert_int_equal(s.helpers, 64);
#ifdef NDEBUG
	assert_false(s.deadlocks);
#else
	assert_true(s.deadlocks);
#endif
	assert_null(s.trace);
	assert_int_equal(s.trace_events, 65536);
	for (int i = 0; i < filch__setting_count; i++)
		assert_int_equal(s.from[i], FILCH__FROM_DEFAULT);
}

/* Signals come late under ThreadSanitizer. */
static void test_default_ask(void **state)
{
	(void)state;
	resolve(NULL);
	assert_int_equal(s.ask, FILCH__TSAN ? FILCH__ASK_POLL : FILCH__ASK_SIGNAL);
}

static void test_environment(void **state)
{
	(void)state;
	with("FILCH_WORKERS", "3");
	assert_int_equal(s.workers, 3);
	assert_string_equal(s.why_workers, "3: FILCH_WORKERS");
	assert_int_equal(s.from[filch__setting_workers], FILCH__FROM_ENVIRONMENT);
	assert_int_equal(s.from[filch__setting_policy], FILCH__FROM_DEFAULT);
	with("FILCH_POLICY", "best_of_two");
	assert_int_equal(s.policy, filch_policy_best_of_two);
	with("FILCH_PROBABILISTIC", "on");
	assert_true(s.probabilistic);
	with("FILCH_BLOCK_STEAL", "on");
	assert_true(s.block_steal);
	with("FILCH_ASK", "poll");
	assert_int_equal(s.ask, FILCH__ASK_POLL);
	with("FILCH_ASK", "signal");
	assert_int_equal(s.ask, FILCH__ASK_SIGNAL);
	with("FILCH_BLOCK_SIZE", "32768");
	assert_int_equal(s.block_size, 32768);
	setenv("FILCH_TOPOLOGY", "numa:2 pu:2", 1);
	resolve(NULL);
	assert_string_equal(s.topology, "numa:2 pu:2");
	with("FILCH_BIND", "on");
	assert_int_equal(s.bind, FILCH__BIND_ON);
	with("FILCH_BIND", "off");
	assert_int_equal(s.bind, FILCH__BIND_OFF);
	with("FILCH_BIND", "auto");
	assert_int_equal(s.bind, FILCH__BIND_AUTO);
	with("FILCH_IO", "epoll");
	assert_int_equal(s.io, FILCH__IO_EPOLL);
	with("FILCH_HELPERS", "1024");
	assert_int_equal(s.helpers, 1024);
	with("FILCH_DEADLOCKS", "on");
	assert_true(s.deadlocks);
	with("FILCH_DEADLOCKS", "off");
	assert_false(s.deadlocks);
	with("FILCH_TRACE", "out.json");
	assert_string_equal(s.trace, "out.json");
	with("FILCH_TRACE_EVENTS", "64");
	assert_int_equal(s.trace_events, 64);
}

static void test_empty_is_unset(void **state)
{
	(void)state;
	for (int i = 0; i < filch__setting_count; i++) {
		with(filch__setting_env((enum filch__setting)i), "");
		assert_int_equal(s.from[i], FILCH__FROM_DEFAULT);
	}
}

static void test_stack_sizes(void **state)
{
	static const struct {
		const char *text;
		size_t bytes;
	} sizes[] = {
		{"16384", 16384}, {"16K", 16384},   {"100K", 102400},
		{"2M", 2 << 20},  {"1G", 1u << 30}, {"1048576K", 1u << 30},
	};

	(void)state;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		with("FILCH_STACK_SIZE", sizes[i].text);
		assert_int_equal(s.stack_size, sizes[i].bytes);
		assert_int_equal(s.future_size, sizes[i].bytes);
	}
}

#define NONE UINT64_MAX
#define MB ((uint64_t)1 << 20)
#define GB ((uint64_t)1 << 30)

/* Without a size, stacks follow the limits of the process. */
static void test_stack_limits(void **state)
{
	const struct {
		struct filch__limits limits;
		uint64_t times, least, most; /* of the limit on stacks, and in bytes */
	} sizes[] = {
		{{8 * MB, NONE, false}, 2, 16 * MB, 64 * MB},
		{{16 * MB, NONE, false}, 2, 32 * MB, 128 * MB},
		{{64 << 10, NONE, false}, 2, MB, MB},
		{{0, NONE, false}, 0, MB, MB},
		{{NONE, NONE, false}, 0, 64 * MB, GB},
		{{64 * GB, NONE, false}, 0, GB, GB},
		{{8 * MB, 4 * GB, false}, 0, 4 * MB, 4 * MB},
		{{8 * MB, 64 * MB, false}, 0, MB, MB},
		{{8 * MB, NONE, true}, 0, MB, MB},
	};

	(void)state;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		const struct filch__limits *l = &sizes[i].limits;
		size_t size = filch__stack_size_for(l);

		assert_in_range(size, sizes[i].least, sizes[i].most);
		assert_true(size >= l->stack * sizes[i].times || !sizes[i].times);
	}
}

/* The limit counts that the process has when the pool is made. */
static void test_stack_follows_limit(void **state)
{
	struct filch__limits limits;
	struct rlimit before, other;
	size_t size;

	(void)state;
	filch__limits_read(&limits);
	if (TEST_EMULATED || limits.strict || limits.space != UINT64_MAX)
		skip(); /* qemu sets no limit; the others decide instead */
	assert_int_equal(getrlimit(RLIMIT_STACK, &before), 0);
	other = before;
	other.rlim_cur = 4 * MB;
	assert_int_equal(setrlimit(RLIMIT_STACK, &other), 0);
	resolve(NULL);
	size = s.stack_size;
	assert_true(size >= 8 * MB);
	other.rlim_cur = 2 * MB;
	assert_int_equal(setrlimit(RLIMIT_STACK, &other), 0);
	resolve(NULL);
	assert_int_equal(s.stack_size, size / 2);
	with("FILCH_STACK_SIZE", "100K");
	assert_int_equal(s.stack_size, 100 << 10);
	assert_int_equal(setrlimit(RLIMIT_STACK, &before), 0);
}

static void test_signals(void **state)
{
	const struct {
		const char *text, *name;
		int number;
	} signals[] = {
		{"SIGURG", "SIGURG", SIGURG},
		{"USR1", "SIGUSR1", SIGUSR1},
		{"23", "SIGURG", 23},
		{"RTMIN", "RTMIN+0", SIGRTMIN},
		{"SIGRTMIN+3", "RTMIN+3", SIGRTMIN + 3},
		{"RTMAX-1", NULL, SIGRTMAX - 1},
	};
	char name[16];

	(void)state;
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
		with("FILCH_SIGNAL", signals[i].text);
		assert_int_equal(s.signal, signals[i].number);
		filch__signal_name(s.signal, name, sizeof name);
		if (signals[i].name)
			assert_string_equal(name, signals[i].name);
	}
	filch__signal_name(SIGSEGV, name, sizeof name);
	assert_string_equal(name, "11");
}

static void test_options_win(void **state)
{
	const struct filch_pool_options o = {
		.workers = 7,
		.stack_size = 65536,
		.policy = "random",
		.probabilistic = FILCH_ON,
		.block_steal = FILCH_OFF,
		.ask = "poll",
		.signal = SIGUSR2,
		.block_size = 8,
		.topology = "pu:4",
		.bind = "off",
		.io = "uring",
		.helpers = 3,
		.deadlocks = FILCH_ON,
	};

	(void)state;
	/* An overridden variable is not even looked at. (The trace's are no options.) */
	for (int i = 0; i < filch__setting_trace; i++)
		setenv(filch__setting_env((enum filch__setting)i), "nonsense", 1);
	resolve(&o);
	assert_int_equal(s.workers, 7);
	assert_string_equal(s.why_workers, "7: option workers");
	assert_int_equal(s.stack_size, 65536);
	assert_int_equal(s.policy, filch_policy_random);
	assert_true(s.probabilistic);
	assert_false(s.block_steal);
	assert_int_equal(s.ask, FILCH__ASK_POLL);
	assert_int_equal(s.signal, SIGUSR2);
	assert_int_equal(s.block_size, 8);
	assert_string_equal(s.topology, "pu:4");
	assert_int_equal(s.bind, FILCH__BIND_OFF);
	assert_int_equal(s.io, FILCH__IO_URING);
	assert_int_equal(s.helpers, 3);
	assert_true(s.deadlocks);
	for (int i = 0; i < filch__setting_trace; i++)
		assert_int_equal(s.from[i], FILCH__FROM_OPTION);
}

static void test_names(void **state)
{
	(void)state;
	assert_string_equal(filch__setting_name(filch__setting_block_steal),
	                    "block_steal");
	assert_string_equal(filch__setting_env(filch__setting_ask), "FILCH_ASK");
	assert_string_equal(filch__ask_name(FILCH__ASK_POLL), "poll");
}

static void test_why_workers(void **state)
{
	const struct {
		struct filch__cpus cpus;
		unsigned workers;
		const char *why;
	} cases[] = {
		{{2, 2, 0, ""}, 2, "2: affinity (2 of 2 online), no quota"},
		{{8, 4, 3, "/g/cpu.max"},
	         3,
	         "3: quota (/g/cpu.max), less than affinity (4 of 8 online)"},
		{{8, 4, 4, "/g/cpu.max"},
	         4,
	         "4: affinity (4 of 8 online), within the quota of 4 (/g/cpu.max)"},
		{{2000, 2000, 0, ""},
	         1024,
	         "1024: the most that a pool has, below affinity (2000 of 2000 online), "
	         "no quota"},
	};
	char why[256];

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_int_equal(filch__workers_for(&cases[i].cpus, why, sizeof why),
		                 cases[i].workers);
		assert_string_equal(why, cases[i].why);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_defaults, clear),
		cmocka_unit_test_setup(test_default_ask, clear),
		cmocka_unit_test_setup(test_environment, clear),
		cmocka_unit_test_setup(test_empty_is_unset, clear),
		cmocka_unit_test_setup(test_stack_sizes, clear),
		cmocka_unit_test_setup(test_stack_limits, clear),
		cmocka_unit_test_setup(test_stack_follows_limit, clear),
		cmocka_unit_test_setup(test_signals, clear),
		cmocka_unit_test_setup(test_options_win, clear),
		cmocka_unit_test_setup(test_names, clear),
		cmocka_unit_test_setup(test_why_workers, clear),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
