/* SPDX-License-Identifier: MIT */
/*
 * Synchronisation that suspends the strand: while the strand waits, its worker does other
 * work. Threads outside any pool may use all of it as well; they sleep meanwhile.
 *
 * An object that is all zero is ready for use, and none needs to be destroyed. Waiters are
 * served in the order in which they came. The _until functions return 0, -ETIMEDOUT, or
 * -ECANCELED if the group or future that the caller's task belongs to is cancelled; a try
 * returns 0 or -EAGAIN. A call that need not wait succeeds even if its deadline has passed
 * or the task is cancelled.
 *
 * Lifetime: until the last call with the object has returned. A caller that had to wait for
 * another's unlock, release or set may free the object even if that call has not returned
 * yet.
 */
#ifndef FILCH_SYNC_H
#define FILCH_SYNC_H

#include <filch/time.h>
#include <filch/detail/wait.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- mutex ---- */

/* A mutex may be held over a join, an await or a read. It is not recursive. It belongs to
 * the strand or thread that has locked it. */
struct filch_mutex {
	struct filch__waiters waiters;
	void *owner; /* NULL: not locked */
};
#define FILCH_MUTEX_INIT {FILCH__WAITERS_INIT, 0}

/* filch_mutex_lock() cannot be cancelled: the mutex is held when it returns. To lock a mutex
 * that the caller holds already, or to unlock one that it does not hold, ends the program
 * with a message. */
void filch_mutex_lock(struct filch_mutex *m);
int filch_mutex_lock_until(struct filch_mutex *m, uint64_t deadline);
int filch_mutex_try_lock(struct filch_mutex *m);
void filch_mutex_unlock(struct filch_mutex *m);

/* ---- condition ---- */

struct filch_condition {
	struct filch__waiters waiters;
};
#define FILCH_CONDITION_INIT {FILCH__WAITERS_INIT}

/* Unlock the mutex, wait for a signal, and lock the mutex again, whatever they return.
 * The first returns 0 or -ECANCELED, the second 0, -ETIMEDOUT or -ECANCELED. Check the
 * condition again after either. A signal wakes one waiter, and never one whose deadline has
 * passed; the caller may hold the mutex or not. */
int filch_condition_wait(struct filch_condition *c, struct filch_mutex *m);
int filch_condition_wait_until(struct filch_condition *c, struct filch_mutex *m,
                               uint64_t deadline);
void filch_condition_signal(struct filch_condition *c);
void filch_condition_broadcast(struct filch_condition *c);

/* ---- semaphore ---- */

struct filch_semaphore {
	struct filch__waiters waiters;
	uint64_t count;
};
#define FILCH_SEMAPHORE_INIT(n) {FILCH__WAITERS_INIT, (n)}

int filch_semaphore_acquire(struct filch_semaphore *s); /* 0 or -ECANCELED */
int filch_semaphore_acquire_until(struct filch_semaphore *s, uint64_t deadline);
int filch_semaphore_try_acquire(struct filch_semaphore *s);
/* Strands and threads that wait get their share first. */
void filch_semaphore_release(struct filch_semaphore *s, uint64_t n);

/* ---- event ---- */

/* An event is set or not; it stays set until it is reset. */
struct filch_event {
	struct filch__waiters waiters;
	uint32_t set;
};
#define FILCH_EVENT_INIT {FILCH__WAITERS_INIT, 0}

int filch_event_wait(struct filch_event *e); /* 0 or -ECANCELED */
int filch_event_wait_until(struct filch_event *e, uint64_t deadline);
bool filch_event_is_set(const struct filch_event *e);
void filch_event_set(struct filch_event *e);
void filch_event_reset(struct filch_event *e);

/* ---- read-write lock ---- */

/* A read-write lock admits any number of readers, or one writer. Whoever comes after a
 * writer that waits must wait, too. */
struct filch_rwlock {
	struct filch__waiters waiters;
	uint64_t readers;
	void *writer; /* NULL: none */
};
#define FILCH_RWLOCK_INIT {FILCH__WAITERS_INIT, 0, 0}

/* As with the mutex, filch_rwlock_read() and filch_rwlock_write() cannot be cancelled, and a
 * writer that locks again, or an unlock of a lock that is not held, ends the program with a
 * message. A reader that locks for reading again waits for itself if a writer has come in
 * between. */

void filch_rwlock_read(struct filch_rwlock *l);
int filch_rwlock_read_until(struct filch_rwlock *l, uint64_t deadline);
int filch_rwlock_try_read(struct filch_rwlock *l);
void filch_rwlock_read_unlock(struct filch_rwlock *l);
void filch_rwlock_write(struct filch_rwlock *l);
int filch_rwlock_write_until(struct filch_rwlock *l, uint64_t deadline);
int filch_rwlock_try_write(struct filch_rwlock *l);
void filch_rwlock_write_unlock(struct filch_rwlock *l);

#ifdef __cplusplus
}
#endif

#endif
