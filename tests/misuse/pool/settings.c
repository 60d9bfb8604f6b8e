/* SPDX-License-Identifier: MIT */
/* Wrong settings are refused with a sentence that says what was given, where, and what is
 * allowed; and nothing is changed. */
#include "tests/test.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

#include "pool/options.h"

#define WORKERS "must be a number from 1 to 1024"
#define SIZE "must be a size from 16K to 1G, in bytes or with K, M or G"
#define POLICY "must be one of: random sequential last best_of_two best_of_many nearest"
#define SIGNAL \
	"must be a signal that programs may use, by number or name (SIGURG, RTMIN+3)"
#define EVENTS "must be a power of two from 64 to 16777216"
#define BLOCK "must be a power of two from 1 to 32768"

static const struct {
	const char *name, *value, *says;
} variables[] = {
	{"FILCH_WORKERS", "two", WORKERS},
	{"FILCH_WORKERS", "0", WORKERS},
	{"FILCH_WORKERS", "1025", WORKERS},
	{"FILCH_WORKERS", "-1", WORKERS},
	{"FILCH_WORKERS", " 2", WORKERS},
	{"FILCH_WORKERS", "2x", WORKERS},
	{"FILCH_WORKERS", "18446744073709551617", WORKERS},
	{"FILCH_STACK_SIZE", "16383", SIZE},
	{"FILCH_STACK_SIZE", "15K", SIZE},
	{"FILCH_STACK_SIZE", "2G", SIZE},
	{"FILCH_STACK_SIZE", "1073741825", SIZE},
	{"FILCH_STACK_SIZE", "17179869184G", SIZE}, /* 0 modulo 2^64 */
	{"FILCH_STACK_SIZE", "1T", SIZE},
	{"FILCH_STACK_SIZE", "1MB", SIZE},
	{"FILCH_STACK_SIZE", "K", SIZE},
	{"FILCH_POLICY", "Nearest", POLICY},
	{"FILCH_PROBABILISTIC", "yes", "must be on or off"},
	{"FILCH_BLOCK_STEAL", "1", "must be on or off"},
	{"FILCH_ASK", "signals", "must be signal or poll"},
	{"FILCH_SIGNAL", "SIGKILL", SIGNAL},
	{"FILCH_SIGNAL", "9", SIGNAL},
	{"FILCH_SIGNAL", "SIGSEGV", SIGNAL},
	{"FILCH_SIGNAL", "32", SIGNAL}, /* the C library's own */
	{"FILCH_SIGNAL", "0", SIGNAL},
	{"FILCH_SIGNAL", "1000", SIGNAL},
	{"FILCH_SIGNAL", "RTMIN+99", SIGNAL},
	{"FILCH_SIGNAL", "RTMIN-1", SIGNAL},
	{"FILCH_SIGNAL", "RTMAX+1", SIGNAL},
	{"FILCH_SIGNAL", "RTMIN+", SIGNAL},
	{"FILCH_SIGNAL", "SIG", SIGNAL},
	{"FILCH_BLOCK_SIZE", "0", BLOCK},
	{"FILCH_BLOCK_SIZE", "48", BLOCK},
	{"FILCH_BLOCK_SIZE", "65536", BLOCK},
	{"FILCH_BIND", "yes", "must be auto, on or off"},
	{"FILCH_BIND", "On", "must be auto, on or off"},
	{"FILCH_IO", "io_uring", "must be auto, uring or epoll"},
	{"FILCH_HELPERS", "0", WORKERS},
	{"FILCH_HELPERS", "1025", WORKERS},
	{"FILCH_DEADLOCKS", "1", "must be on or off"},
	{"FILCH_TRACE_EVENTS", "32", EVENTS},
	{"FILCH_TRACE_EVENTS", "100", EVENTS},
	{"FILCH_TRACE_EVENTS", "33554432", EVENTS},
};

static const struct {
	struct filch_pool_options o;
	const char *says;
} options[] = {
	{{.workers = 1025}, "option workers is '1025', but " WORKERS},
	{{.stack_size = 1000}, "option stack_size is '1000', but " SIZE},
	{{.stack_size = SIZE_MAX},
         "option stack_size is '18446744073709551615', but " SIZE},
	{{.policy = "best"}, "option policy is 'best', but " POLICY},
	{{.policy = ""}, "option policy is '', but " POLICY},
	{{.probabilistic = (enum filch_switch)7},
         "option probabilistic is '7', but must be on or off"},
	{{.block_steal = (enum filch_switch)3},
         "option block_steal is '3', but must be on or off"},
	{{.ask = "shout"}, "option ask is 'shout', but must be signal or poll"},
	{{.signal = SIGSEGV}, "option signal is '11', but " SIGNAL},
	{{.signal = -1}, "option signal is '-1', but " SIGNAL},
	{{.bind = "cores"}, "option bind is 'cores', but must be auto, on or off"},
	{{.bind = ""}, "option bind is '', but must be auto, on or off"},
	{{.block_size = 3}, "option block_size is '3', but " BLOCK},
};

static int clear(void **state)
{
	(void)state;
	for (int i = 0; i < filch__setting_count; i++)
		unsetenv(filch__setting_env((enum filch__setting)i));
	return 0;
}

/* Refused with exactly this, and the settings as they were. */
static void refused(const struct filch_pool_options *o, const char *says)
{
	struct filch__settings s, before;
	char why[256] = "";

	memset(&s, 0x5a, sizeof s);
	memcpy(&before, &s, sizeof s);
	assert_int_equal(filch__settings_resolve(&s, o, why, sizeof why), -EINVAL);
	assert_string_equal(why, says);
	assert_memory_equal(&s, &before, sizeof s);
}

static void wrong_variables(void **state)
{
	char says[256];

	(void)state;
	for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
		setenv(variables[i].name, variables[i].value, 1);
		snprintf(says, sizeof says, "%s is '%s', but %s", variables[i].name,
		         variables[i].value, variables[i].says);
		refused(NULL, says);
		unsetenv(variables[i].name);
	}
}

static void wrong_options(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof options / sizeof *options; i++)
		refused(&options[i].o, options[i].says);
}

/* A wrong variable counts also where other settings are options. */
static void wrong_variable_beside_options(void **state)
{
	(void)state;
	setenv("FILCH_ASK", "loudly", 1);
	refused(&(struct filch_pool_options){.workers = 2},
	        "FILCH_ASK is 'loudly', but must be signal or poll");
}

static void short_texts(void **state)
{
	struct filch__settings s;
	char why[8] = "";

	(void)state;
	setenv("FILCH_WORKERS", "many", 1);
	assert_int_equal(filch__settings_resolve(&s, NULL, why, sizeof why), -EINVAL);
	assert_string_equal(why, "FILCH_W");
	assert_int_equal(filch__settings_resolve(&s, NULL, NULL, 0), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(wrong_variables, clear),
		cmocka_unit_test_setup(wrong_options, clear),
		cmocka_unit_test_setup(wrong_variable_beside_options, clear),
		cmocka_unit_test_setup(short_texts, clear),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
