/* SPDX-License-Identifier: MIT */
/*
 * Locks used wrongly: the process ends with a sentence, here in a child of this one.
 */
#include <filch.h>
#include <filch/sync.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/child.h"

static struct filch_mutex mutex;
static struct filch_condition condition;
static struct filch_rwlock rwlock;
static struct filch_semaphore semaphore;

/* ---- children that end badly ---- */

typedef void wrong_fn(void);

FILCH_STATIC_TASK_VOID(calls, (wrong_fn *, fn))
{
	fn();
}

static wrong_fn *on_a_strand;

static void run_on_a_strand(void)
{
	FILCH_RUN(calls, on_a_strand);
}

/* By a thread, and by a strand. */
static void both_end_with(wrong_fn *fn, const char *text)
{
	ends_with(fn, SIGABRT, text);
	on_a_strand = fn;
	ends_with(run_on_a_strand, SIGABRT, text);
}

/* ---- mutex ---- */

#define LOCKED_ALREADY(call)                                                          \
	"filch: " call ": the caller has locked it already; unlock it first, or use " \
	"another one\n"
#define NOT_LOCKED(call) "filch: " call ": the mutex is not locked; lock it first\n"
#define LOCKED_BY_ANOTHER(call)                                                         \
	"filch: " call ": the mutex was locked by another strand or thread; unlock it " \
	"where it was locked\n"

static void lock_twice(void)
{
	filch_mutex_lock(&mutex);
	filch_mutex_lock(&mutex);
}

static void lock_twice_until(void)
{
	filch_mutex_lock(&mutex);
	filch_mutex_lock_until(&mutex, FILCH_NEVER);
}

static void unlock_free(void)
{
	filch_mutex_unlock(&mutex);
}

static void unlock_twice(void)
{
	filch_mutex_lock(&mutex);
	filch_mutex_unlock(&mutex);
	filch_mutex_unlock(&mutex);
}

FILCH_STATIC_TASK_VOID(unlocks)
{
	filch_mutex_unlock(&mutex);
}

static void unlock_anothers(void)
{
	filch_mutex_lock(&mutex);
	FILCH_RUN(unlocks);
}

FILCH_STATIC_TASK_VOID(locks)
{
	filch_mutex_lock(&mutex);
}

static void unlock_a_strands(void)
{
	FILCH_RUN(locks);
	filch_mutex_unlock(&mutex);
}

static void wrong_mutexes(void **state)
{
	(void)state;
	both_end_with(lock_twice, LOCKED_ALREADY("filch_mutex_lock"));
	both_end_with(lock_twice_until, LOCKED_ALREADY("filch_mutex_lock_until"));
	both_end_with(unlock_free, NOT_LOCKED("filch_mutex_unlock"));
	both_end_with(unlock_twice, NOT_LOCKED("filch_mutex_unlock"));
	ends_with(unlock_anothers, SIGABRT, LOCKED_BY_ANOTHER("filch_mutex_unlock"));
	ends_with(unlock_a_strands, SIGABRT, LOCKED_BY_ANOTHER("filch_mutex_unlock"));
}

/* ---- condition ---- */

static void wait_unlocked(void)
{
	filch_condition_wait(&condition, &mutex);
}

static void wait_until_unlocked(void)
{
	filch_condition_wait_until(&condition, &mutex, 0);
}

FILCH_STATIC_TASK_VOID(waits)
{
	filch_condition_wait(&condition, &mutex);
}

static void wait_with_anothers(void)
{
	filch_mutex_lock(&mutex);
	FILCH_RUN(waits);
}

static void wrong_conditions(void **state)
{
	(void)state;
	both_end_with(wait_unlocked, NOT_LOCKED("filch_condition_wait"));
	both_end_with(wait_until_unlocked, NOT_LOCKED("filch_condition_wait_until"));
	ends_with(wait_with_anothers, SIGABRT, LOCKED_BY_ANOTHER("filch_condition_wait"));
}

/* ---- read-write lock ---- */

#define WRITES_ALREADY(call)                                                        \
	"filch: " call ": the caller has locked it for writing already; unlock it " \
	"first\n"

static void write_twice(void)
{
	filch_rwlock_write(&rwlock);
	filch_rwlock_write(&rwlock);
}

static void write_and_read(void)
{
	filch_rwlock_write(&rwlock);
	filch_rwlock_read_until(&rwlock, FILCH_NEVER);
}

static void read_unlock_free(void)
{
	filch_rwlock_read_unlock(&rwlock);
}

static void read_unlock_written(void)
{
	filch_rwlock_write(&rwlock);
	filch_rwlock_read_unlock(&rwlock);
}

static void write_unlock_read(void)
{
	filch_rwlock_read(&rwlock);
	filch_rwlock_write_unlock(&rwlock);
}

FILCH_STATIC_TASK_VOID(write_unlocks)
{
	filch_rwlock_write_unlock(&rwlock);
}

static void write_unlock_anothers(void)
{
	filch_rwlock_write(&rwlock);
	FILCH_RUN(write_unlocks);
}

static void wrong_rwlocks(void **state)
{
	(void)state;
	both_end_with(write_twice, WRITES_ALREADY("filch_rwlock_write"));
	both_end_with(write_and_read, WRITES_ALREADY("filch_rwlock_read_until"));
	both_end_with(
		read_unlock_free,
		"filch: filch_rwlock_read_unlock: nobody has locked it for reading; "
		"lock it first\n");
	both_end_with(
		read_unlock_written,
		"filch: filch_rwlock_read_unlock: nobody has locked it for reading; "
		"lock it first\n");
	both_end_with(write_unlock_read,
	              "filch: filch_rwlock_write_unlock: nobody has locked it for "
	              "writing; lock it first\n");
	ends_with(write_unlock_anothers, SIGABRT,
	          "filch: filch_rwlock_write_unlock: it was locked by another strand or "
	          "thread; unlock it where it was locked\n");
}

/* ---- semaphore ---- */

static void release_too_many(void)
{
	filch_semaphore_release(&semaphore, UINT64_MAX);
	filch_semaphore_release(&semaphore, 1);
}

static void wrong_semaphores(void **state)
{
	(void)state;
	both_end_with(release_too_many,
	              "filch: filch_semaphore_release: the count is beyond 2^64; release "
	              "what was acquired\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wrong_mutexes),
		cmocka_unit_test(wrong_conditions),
		cmocka_unit_test(wrong_rwlocks),
		cmocka_unit_test(wrong_semaphores),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
