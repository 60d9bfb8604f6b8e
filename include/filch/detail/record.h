/* SPDX-License-Identifier: MIT */
/*
 * A spawned task in memory. Part of filch/task.h; nothing here is for users.
 *
 * A record lies in the frame of its spawner and is in no list. While it waits there, its
 * mark is its own address plus a secret of the process, so that the runtime finds the
 * records of a strand by searching its stack, which it does only when a worker is hungry.
 * See src/strand/expose.h.
 */
#ifndef FILCH_DETAIL_RECORD_H
#define FILCH_DETAIL_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct filch__record;
struct filch_group;

/* The description of a task for the runtime. Each FILCH_TASK makes one, in a section of
 * its own. */
struct filch__task {
	const char *name;
	void (*run)(struct filch__record *); /* calls the task, and stores its result */
	size_t size; /* of its records, and an enum filch__shows in the lowest bits */
	/* The task itself, so that a debugger can name it. Because its address is taken,
	 * gcc also splits the function and inlines the recursion. */
	void (*function)(void);
};

/* By which name a task is shown. A size is a multiple of 8, so it has room for this. */
enum filch__shows {
	FILCH__SHOWS_ITSELF, /* its own */
	FILCH__SHOWS_FIRST,  /* that of a function, the first argument */
	FILCH__SHOWS_BEHIND, /* that of a function to which the first member of the struct
	                       * points to which the first argument points */
	FILCH__SHOWS_BITS = 7 /* all of them */
};

/* An exception of a C++ task; see filch/detail/thrown.h. */
struct filch__thrown {
	void (*throw_again)(
		struct filch__thrown *); /* frees it, too, unless it is kept */
	void (*drop)(struct filch__thrown *);
	bool kept; /* by a future, which throws it at every await and drops it */
};

struct filch__record {
	uint64_t mark; /* written by its strand alone; see below */
	const struct filch__task *task;
	/* Used from the exposure of the record on: */
	uintptr_t sync; /* see src/strand/record.h */
	union {
		struct filch_group *group;    /* the group of the task, or NULL */
		struct filch__thrown *thrown; /* once it has run: NULL, or an exception */
	};
};

/* Marks. A private record has address + filch__secret, whose lowest four bits are LIVE,
 * or HEARD while a worker is hungry: a record is aligned to 16. An exposed one has
 * EXPOSED. A join shifts the mark left, in one instruction. The bit that leaves the word
 * last is LIVE, so that a join of a record that is simply private need not look at what
 * stays, and that tells the other marks apart. */
#define FILCH__EXPOSED 1     /* thieves can take it, or a thief has it */
#define FILCH__HEARD 2       /* private; spawned while a worker was hungry */
#define FILCH__LIVE 4        /* private */
#define FILCH__LISTED 8      /* beside each: it is in its strand's list while private */
#define FILCH__LISTED_TOO 16 /* beside EXPOSED, LISTED: also on the stack while private */
#define FILCH__SHIFT 62      /* how far a join shifts the mark */
#define FILCH__SHIFTED(mark) ((uint64_t)(mark) << FILCH__SHIFT)

/* The secret: random, and the same for the whole process, but for its lowest four bits,
 * by which hungry workers tell all spawns that they are (src/strand/hunger.h). Each
 * program or library has a copy, which the runtime writes. */
extern uint64_t filch__secret __attribute__((visibility("hidden")));

/* How the private records of a source file are found: by looking through the stack; also
 * by a list, so that each way checks the other; or by the list only. */
#if defined(FILCH__LISTING) /* a debug build of Filch itself */
#elif defined(FILCH_EXACT)
#define FILCH__LISTING FILCH__LISTING_ONLY
#elif defined(FILCH_DEBUG)
#define FILCH__LISTING FILCH__LISTING_TOO
#else
#define FILCH__LISTING FILCH__LISTING_NONE
#endif
#define FILCH__LISTING_NONE 0
#define FILCH__LISTING_TOO 1
#define FILCH__LISTING_ONLY 2

/* Tells the runtime where the struct filch__task objects of this program or library
 * are, and its copy of the secret. */
void filch__register_tasks(const struct filch__task *start,
                           const struct filch__task *stop, int listing, uint64_t *copy);
void filch__unregister_tasks(const struct filch__task *start,
                             const struct filch__task *stop, const uint64_t *copy);

/* Joins a record that is not simply private: runs it, or waits for it. */
void filch__join_slow(struct filch__record *r);

/* Spawn and join of records that are in their strand's list. The second returns false,
 * with what filch__join_slow() expects in the mark, if the record is not private. */
void filch__spawn_listed(struct filch__record *r, int listing);
bool filch__join_listed(struct filch__record *r);

/* Tells ThreadSanitizer of a spawn, in programs that are compiled with it: their joins call
 * the runtime, which tells it that the task is parallel to what the spawner has done since,
 * even if no thief has taken it. */
void filch__told_spawn(struct filch__record *r);

/* Eager mode: puts the record into the queue of its strand. */
void filch__spawn_eager(struct filch__record *r);

/* Runs a record, which was not spawned, on a pool (NULL: the default pool) and waits for
 * it. */
struct filch_pool;
void filch__run(struct filch_pool *pool, struct filch__record *r);

/* Called when a C++ exception leaves the frame before the join: drops the task, or waits
 * for the thief that runs it, and drops what that throws. */
void filch__abandon(struct filch__record *r);

/* Checks of FILCH_DEBUG builds. The last one tells the runtime that there is one. */
void filch__check_left(void *frame);
void filch__check_unwound(struct filch__record *r); /* C++ */
void filch__check_spawn(struct filch__record *r);
void filch__check_join(struct filch__record *r);
void filch__register_debug(void);

#ifdef __cplusplus
}
#endif

#endif
