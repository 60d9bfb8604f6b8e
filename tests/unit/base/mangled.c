/* SPDX-License-Identifier: MIT */
/*
 * Symbols of C and C++ as people write them, from both compilers, and whatever else a file
 * may hold.
 */
#include "tests/test.h"

#include <string.h>

#include "base/mangled.h"

static void reads(const char *symbol, const char *name)
{
	char out[256];

	filch__symbol_read(symbol, out, sizeof out);
	assert_string_equal(out, name);
}

static void functions(void **state)
{
	(void)state;
	reads("body", "body");
	reads("body.part.0", "body");
	reads("body.lto_priv.0", "body");
	reads("_Zebra", "_Zebra");
	reads("_Z4bodymmPv", "body");
	reads("_ZL4bodymmPv", "body");
	reads("_ZN4user4bodyEmmPv", "user::body");
	reads("_ZN12_GLOBAL__N_14bodyEmmPv", "body");
	reads("_ZN4user12_GLOBAL__N_14bodyEmmPv", "user::body");
	reads("_ZN4userL4bodyEmmPv", "user::body");
	reads("_ZN4user3BoxIiE4bodyEmmPv", "user::Box::body");
	reads("_ZN4user3BoxISt6vectorIiSaIiEELi12EE4bodyEmmPv", "user::Box::body");
	reads("_Z4bodyIiEimmPv", "body");
}

/* What a lambda becomes that is passed to C, and what filch.hpp makes of one. */
static void lambdas(void **state)
{
	(void)state;
	reads("_ZZ4mainENUlmmPvE_4_FUNEmmS_", "lambda in main()");
	reads("_ZZ4mainEN3$_08__invokeEmmPv", "lambda in main()");
	reads("_ZZN4user5scaleERNS_5ImageEENUlmmPvE_4_FUNEmmS2_",
	      "lambda in user::scale()");
	reads("_ZZL5scalevENUlmmPvE_4_FUNEmmS_", "lambda in scale()");
	reads("_ZN5filch6detail4loopIiZ4mainEUliE_E4bodyEmmPv", "lambda in main()");
	reads("_ZN5filch6detail4loopIiZ4mainE3$_0E4bodyEmmPv", "lambda in main()");
	reads("_ZN5filch6detail4loopIiRZN4user3runEiEUliE12_E4bodyEmmPv",
	      "lambda in user::run()");
	reads("_ZN5filch6detail4loopIiZZ4mainENKUlvE_clEvEUliE_E4bodyEmmPv",
	      "lambda in main()");
	/* filch::invoke() of two lambdas: the call that makes the second call. */
	reads("_ZN5filch6detail4callIZNS0_3allIZ4mainEUlvE_Z4mainEUlvE0_JEEEvRNS0_"
	      "5relayERT_RT0_DpRT1_EUlvE_E4makeEPv",
	      "lambda in main()");
	reads("_ZZ4mainEN5Local4bodyEmmPv", "function in main()");
}

static void objects(void **state)
{
	(void)state;
	reads("_ZN5filch6detail4loopIi6SquareE4bodyEmmPv", "Square");
	reads("_ZN5filch6detail4loopIiRFviEE4bodyEmmPv", "filch::loop");
}

/* Every part of a symbol, and nonsense, ends with some name and touches nothing else. */
static void broken(void **state)
{
	static const char *const symbols[] = {
		"_ZN5filch6detail4callIZNS0_3allIZ4mainEUlvE_Z4mainEUlvE0_JEEEvRNS0_",
		"_ZZN4user5scaleERNS_5ImageEENUlmmPvE_4_FUNEmmS2_",
		"_ZN4user3BoxISt6vectorIiSaIiEELi12EE4bodyEmmPv",
		"_Z99999999999999999999999x",
		"_ZNNNNNNNNIIIIIIIILLLLLLLLSSSSSSSSEEEEEEEEEEEEEEEEEEEEEEEEEEEE",
		"_ZUlUlUlUlEEEEEEE_ZZZZZZZZZ",
	};

	(void)state;
	for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
		for (size_t n = 0; n <= strlen(symbols[i]); n++)
			for (size_t size = 1; size < 40; size++) {
				char *part = strndup(symbols[i], n), *out = malloc(size);

				filch__symbol_read(part, out, size);
				assert_true(strlen(out) < size);
				assert_true(!n || size < 2 || *out);
				free(part);
				free(out);
			}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(functions),
		cmocka_unit_test(lambdas),
		cmocka_unit_test(objects),
		cmocka_unit_test(broken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
