/* SPDX-License-Identifier: MIT */
/* A program of somebody who has Filch installed and uses its queues without its runtime. One
 * thread puts and gets, another one steals, and each entry must be taken once. */
#include <dirent.h>
#include <filch/queue/bwos_lifo.h>
#include <filch/queue/chase_lev.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

#if defined(_GNU_SOURCE) || defined(load_acq)
#error "a flag or a name that Filch is built with has come along"
#endif

enum { ENTRIES = 200000 };

static unsigned char times[ENTRIES + 1]; /* how often an entry was taken */
static _Atomic(int) taken;

static void take(filch_entry e)
{
	times[e]++;
	taken++;
}

static int threads(void)
{
	DIR *tasks = opendir("/proc/self/task");
	int n = 0;

	if (!tasks)
		return -1;
	for (struct dirent *d; (d = readdir(tasks));)
		n += d->d_name[0] != '.';
	closedir(tasks);
	return n;
}

/* Defines int try_KIND(void), which is 0 if all is well. */
#define TRY(kind)                                                                       \
	static void *thief_##kind(void *q)                                              \
	{                                                                               \
		struct filch_##kind##_thief thief = filch_##kind##_thief(q, 1);         \
		filch_entry e, some[16];                                                \
		size_t n;                                                               \
                                                                                        \
		while (taken < ENTRIES) {                                               \
			if (filch_##kind##_steal(&thief, &e) == FILCH_OK)               \
				take(e);                                                \
			if (filch_##kind##_steal_batch(&thief, some, 16, &n) ==         \
			    FILCH_OK)                                                   \
				while (n)                                               \
					take(some[--n]);                                \
			else                                                            \
				sched_yield();                                          \
		}                                                                       \
		return NULL;                                                            \
	}                                                                               \
                                                                                        \
	static int try_##kind(void)                                                     \
	{                                                                               \
		struct filch_##kind q;                                                  \
		struct filch_##kind##_owner owner = filch_##kind##_owner(&q);           \
		pthread_t thread;                                                       \
		filch_entry e;                                                          \
                                                                                        \
		taken = 0;                                                              \
		if (filch_##kind##_init(&q, NULL) || threads() != 1 ||                  \
		    pthread_create(&thread, NULL, thief_##kind, &q))                    \
			return 1;                                                       \
		for (e = 1; e <= ENTRIES; e++) {                                        \
			filch_entry mine;                                               \
                                                                                        \
			if (filch_##kind##_put(owner, e) != FILCH_OK)                   \
				return 1;                                               \
			if (e % 3 == 0 && filch_##kind##_get(owner, &mine) == FILCH_OK) \
				take(mine);                                             \
		}                                                                       \
		while (taken < ENTRIES)                                                 \
			if (filch_##kind##_get(owner, &e) == FILCH_OK)                  \
				take(e);                                                \
		pthread_join(thread, NULL);                                             \
		filch_##kind##_destroy(&q);                                             \
		for (e = 1; e <= ENTRIES; e++)                                          \
			if (times[e]-- != 1)                                            \
				return 1;                                               \
		return 0;                                                               \
	}

TRY(bwos_lifo)
TRY(chase_lev)

int main(void)
{
	int failed = try_bwos_lifo() | try_chase_lev() << 1;

	if (!failed)
		printf("%d entries\n", ENTRIES);
	return failed;
}
