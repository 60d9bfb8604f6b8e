/* SPDX-License-Identifier: MIT */
/*
 * Synchronisation that suspends the strand: while one waits, its worker does other work.
 * All of it may be used by threads outside any pool as well, which then sleep.
 *
 * All zero is ready for use; nothing needs to be destroyed. First come, first served. The
 * _until functions return 0, -ETIMEDOUT, or -ECANCELED if the group or future that the
 * caller's task belongs to is cancelled; a try returns 0 or -EAGAIN. What can be had at
 * once is had, though the deadline has passed or the task is cancelled.
 *
 * Lifetime: until the last call with it has returned. Whoever had to wait for another's
 * unlock, release or set may free it, though that call has not returned yet.
 */
#ifndef FILCH_SYNC_H
#define FILCH_SYNC_H

#include <filch/time.h>
#include <filch/wait.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- mutex ---- */

/* May be held over a join, an await, a read. Not recursive. It belongs to the strand, or
 * thread, that has locked it. */
struct filch_mutex {
	struct filch__waiters waiters;
	void *owner; /* NULL: free */
};
#define FILCH_MUTEX_INIT {FILCH__WAITERS_INIT, 0}

/* Not cancelled: it is held when this returns. Locking again what one holds, and
 * unlocking what one does not, end the program with a message. */
void filch_mutex_lock(struct filch_mutex *m);
int filch_mutex_lock_until(struct filch_mutex *m, uint64_t deadline);
int filch_mutex_try_lock(struct filch_mutex *m);
void filch_mutex_unlock(struct filch_mutex *m);

/* ---- condition ---- */

struct filch_condition {
	struct filch__waiters waiters;
};
#define FILCH_CONDITION_INIT {FILCH__WAITERS_INIT}

/* Waits for a signal without the mutex; has it again when it returns, whatever that is.
 * Returns 0 or -ECANCELED; 0, -ETIMEDOUT or -ECANCELED. Look at the condition again. A
 * signal wakes one, and never one whose time is up; with the mutex held or not. */
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
/* Those who wait first. */
void filch_semaphore_release(struct filch_semaphore *s, uint64_t n);

/* ---- event ---- */

/* Set or not; stays set until it is reset. */
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

/* Any number of readers, or one writer. Who comes after a waiting writer waits, too. */
struct filch_rwlock {
	struct filch__waiters waiters;
	uint64_t readers;
	void *writer; /* NULL: none */
};
#define FILCH_RWLOCK_INIT {FILCH__WAITERS_INIT, 0, 0}

/* As with the mutex: read() and write() are not cancelled, and a writer that locks again,
 * or an unlock of what is not locked, ends the program with a message. A reader that
 * reads again waits for itself if a writer has come between. */

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
