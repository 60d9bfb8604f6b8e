/* SPDX-License-Identifier: MIT */
/*
 * As much of cmocka as the tests here use, in one header, for cross builds: Debian's
 * cross compilers come without libraries. A failed assertion ends its test, and is told
 * with its place.
 */
#ifndef FILCH_TESTS_AARCH64_CMOCKA_H
#define FILCH_TESTS_AARCH64_CMOCKA_H

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct CMUnitTest {
	const char *name;
	void (*test)(void **state);
	int (*setup)(void **state);
	int (*teardown)(void **state);
};

static jmp_buf shim_out;

__attribute__((unused, noreturn)) static void shim_fail(const char *file, int line,
                                                        const char *what)
{
	printf("[  ERROR   ] %s:%d: %s\n", file, line, what);
	longjmp(shim_out, 1);
}

#define shim_check(c, what) ((c) ? (void)0 : shim_fail(__FILE__, __LINE__, what))
#define shim_u(x) ((uintmax_t)(x))

#define assert_true(c) shim_check(c, #c)
#define assert_false(c) shim_check(!(c), "not " #c)
#define assert_null(p) shim_check(!(p), #p " is null")
#define assert_non_null(p) shim_check(!!(p), #p " is not null")
#define assert_ptr_equal(a, b) \
	shim_check((const void *)(a) == (const void *)(b), #a " == " #b)
#define assert_int_equal(a, b) shim_check(shim_u(a) == shim_u(b), #a " == " #b)
#define assert_int_not_equal(a, b) shim_check(shim_u(a) != shim_u(b), #a " != " #b)
#define assert_in_range(a, lo, hi) shim_in_range(shim_u(a), lo, hi, __FILE__, __LINE__)
#define assert_string_equal(a, b) shim_check(!strcmp(a, b), #a " equals " #b)
#define assert_memory_equal(a, b, n) shim_check(!memcmp(a, b, n), #a " equals " #b)
#define fail_msg(...) (printf(__VA_ARGS__), shim_fail(__FILE__, __LINE__, "failed"))
#define skip() longjmp(shim_out, 2)
#define print_message(...) printf(__VA_ARGS__)
#define print_error(...) printf(__VA_ARGS__)
#define fail() shim_fail(__FILE__, __LINE__, "failed")

__attribute__((unused)) static void shim_in_range(uintmax_t a, uintmax_t lo, uintmax_t hi,
                                                  const char *file, int line)
{
	if (a < lo || a > hi)
		shim_fail(file, line, "out of range");
}

#define cmocka_unit_test(f)       \
	{                         \
#f, f, NULL, NULL \
	}
#define cmocka_unit_test_setup(f, s) \
	{                            \
#f, f, s, NULL       \
	}
#define cmocka_unit_test_teardown(f, t) \
	{                               \
#f, f, NULL, t          \
	}
#define cmocka_unit_test_setup_teardown(f, s, t) \
	{                                        \
#f, f, s, t                      \
	}

static int shim_run(const struct CMUnitTest *t, void *state)
{
	volatile int failed = 1;
	int jumped;

	printf("[ RUN      ] %s\n", t->name);
	fflush(stdout);
	jumped = setjmp(shim_out);
	if (!jumped) {
		if (t->setup && t->setup(&state))
			shim_fail(__FILE__, __LINE__, "set-up failed");
		t->test(&state);
		if (t->teardown && t->teardown(&state))
			shim_fail(__FILE__, __LINE__, "tear-down failed");
		failed = 0;
	} else if (jumped == 2) {
		failed = 0; /* skipped */
	}
	printf("[ %s ] %s\n", failed ? " FAILED " : "      OK", t->name);
	return failed;
}

static int shim_run_all(const struct CMUnitTest *t, size_t n, int (*setup)(void **state),
                        int (*teardown)(void **state))
{
	void *state = NULL;
	int failed = 0;

	if (setup && setup(&state))
		return 1;
	for (size_t i = 0; i < n; i++)
		failed += shim_run(&t[i], state);
	if (teardown && teardown(&state))
		failed++;
	printf("[==========] %zu tests, %d failed\n", n, failed);
	return failed;
}

#define cmocka_run_group_tests(tests, setup, teardown) \
	shim_run_all(tests, sizeof(tests) / sizeof((tests)[0]), setup, teardown)

#endif
