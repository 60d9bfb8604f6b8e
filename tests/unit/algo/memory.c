/* SPDX-License-Identifier: MIT */
/* filch_copy, filch_fill, filch_touch. */
#include <filch.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/everywhere.h"

#define MIB ((size_t)1 << 20)
#define MOST (6 * MIB + 12345)

static unsigned char from[MOST], to[MOST + 16];

static void check_end(size_t n)
{
	for (size_t i = n; i < n + 16; i++)
		assert_int_equal(to[i], 0xee);
}

static void copies(void *context)
{
	static const size_t sizes[] = {0, 1, 4095, MIB - 1, MIB, MIB + 1, MOST};

	(void)context;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		size_t n = sizes[i];

		memset(to, 0xee, sizeof to);
		assert_ptr_equal(filch_copy(to, from, n), to);
		assert_memory_equal(to, from, n);
		check_end(n);
		assert_ptr_equal(filch_fill(to, 0x5a, n), to);
		for (size_t k = 0; k < n; k++)
			assert_true(to[k] == 0x5a);
		check_end(n);
		memcpy(to, from, n);
		filch_touch(to, n);
		assert_memory_equal(to, from, n);
		check_end(n);
	}
}

static void test_copies(void **state)
{
	(void)state;
	for (size_t i = 0; i < MOST; i++)
		from[i] = (unsigned char)(i * 31 + i / 251);
	everywhere(copies, NULL);
	everywhere_cancelled(copies, NULL); /* all of it all the same */
}

/* Every page of fresh memory is there afterwards, also if it begins within one. */
static void touches(void *context)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), n = 5 * MIB / page;
	unsigned char *vector = malloc(n), *m;

	(void)context;
	m = mmap(NULL, n * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
	         0);
	assert_true(vector && m != MAP_FAILED);
	filch_touch(m + page - 1, (n - 1) * page + 2 - page);
	if (!TEST_EMULATED) {
		assert_int_equal(mincore(m, n * page, vector), 0);
		for (size_t i = 0; i < n; i++)
			assert_int_equal(vector[i] & 1, 1);
	}
	munmap(m, n * page);
	free(vector);
}

static void test_touches(void **state)
{
	(void)state;
	everywhere(touches, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_copies),
		cmocka_unit_test(test_touches),
	};

	return cmocka_run_group_tests(tests, everywhere_begin, everywhere_end);
}
