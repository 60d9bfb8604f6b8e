/* SPDX-License-Identifier: MIT */
/*
 * Bytes that a program has read into a buffer on its stack are no tasks, whatever they
 * spell: only a spawn at an address can write the word that makes a record of it. Here a
 * stranger knows all there is to know, addresses and descriptors of tasks too, but for
 * the secret of the process.
 */
#undef FILCH__LISTING /* as a release has it: records are in no list */
#undef FILCH_EXACT
#include <filch.h>
#include <string.h>
#include <unistd.h>

#include "strand/expose.h"
#include "strand/worker.h"
#include "tests/test.h"

#define FORGED 64

static long evil_runs;

FILCH_STATIC_TASK_VOID(evil, (long, n))
{
	__atomic_fetch_add(&evil_runs, n, __ATOMIC_RELAXED);
}

FILCH_STATIC_TASK(long, good, (long, n))
{
	return n * 2;
}

static struct filch__record *record_at(unsigned char *buffer, size_t i)
{
	return (struct filch__record *)(buffer + i * 64);
}

/* The i-th guess at what the mark of a record at this address could be. `other` is the mark
 * of a record elsewhere, as a copy of it would be. */
static uint64_t guess(size_t i, uint64_t at, uint64_t other)
{
	const uint64_t guesses[] = {0x711c4a6d,
	                            FILCH__LIVE,
	                            FILCH__HEARD,
	                            FILCH__LIVE | FILCH__LISTED,
	                            at,
	                            at | FILCH__LIVE,
	                            at | FILCH__HEARD,
	                            at + FILCH__LISTED,
	                            other,
	                            ~at,
	                            at << 32 | at >> 32};

	return guesses[i % (sizeof guesses / sizeof *guesses)];
}

/* Sends a message that spells records at the addresses where they will lie. */
static void send_forgery(int fd, unsigned char *buffer, uint64_t other)
{
	unsigned char message[FORGED * 64];

	memset(message, 0, sizeof message);
	for (size_t i = 0; i < FORGED; i++) {
		struct evil__record r = {.args = {1}};

		r.head.mark = guess(i, (uintptr_t)record_at(buffer, i), other);
		r.head.task = &evil__task;
		memcpy(message + i * 64, &r, sizeof r);
	}
	assert_int_equal(write(fd, message, sizeof message), sizeof message);
}

/* Returns how many tasks the worker finds that it hides. */
__attribute__((noinline)) static size_t look(void)
{
	struct filch__worker *w = filch__worker_self();
	size_t n;

	filch__enter(w);
	n = filch__expose(w, __builtin_frame_address(0), SIZE_MAX, false);
	filch__leave(w);
	return n;
}

FILCH_STATIC_TASK(long, reads_input, (int, from), (int, to))
{
	unsigned char buffer[FORGED * 64] __attribute__((aligned(16)));
	size_t found;

	FILCH_SPAWN(x, good, 21);
	send_forgery(to, buffer, x.head.mark);
	if (read(from, buffer, sizeof buffer) != sizeof buffer)
		return -1;
	found = look();
	return (long)found * 100 + FILCH_JOIN(x);
}

/* An answer other than 142 says how many forgeries were taken for tasks. */
static void messages_are_no_tasks(void **state)
{
	struct filch_pool_options o = {.workers = 1};
	struct filch_pool *pool;
	int fd[2];

	(void)state;
	assert_int_equal(filch_pool_create(&pool, &o, NULL), 0);
	assert_int_equal(pipe(fd), 0);
	assert_int_equal(FILCH_RUN_ON(pool, reads_input, fd[0], fd[1]), 142);
	assert_int_equal(evil_runs, 0);
	close(fd[0]);
	close(fd[1]);
	assert_int_equal(filch_pool_destroy(pool), 0);
}

static void the_secret_differs(void **state)
{
	(void)state;
	assert_int_not_equal(filch__secret >> 32, 0);
	assert_true((filch__secret & 15) == FILCH__LIVE ||
	            (filch__secret & 15) == FILCH__HEARD);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(messages_are_no_tasks),
	                                   cmocka_unit_test(the_secret_differs)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
