/* SPDX-License-Identifier: MIT */
/* Included by liveness.c once for every kind of queue. */
#include "queue/select.h"

static void *QUEUE_ID(idle_thief)(void *p)
{
	QUEUE_THIEF t = QUEUE_FN(thief)(p, 1);
	filch_entry e;

	while (!load_rlx(&stop)) { /* polled */
		if (QUEUE_FN(steal)(&t, &e) == FILCH_OK)
			add_rlx(&stolen, 1); /* counted only */
		else
			sched_yield();
	}
	return NULL;
}

static QUEUE *QUEUE_ID(start)(pthread_t *thread)
{
	struct filch_queue_options o = {64, 8, false, 0};
	QUEUE *q = aligned_alloc(FILCH_LINE, sizeof *q);

	assert_int_equal(QUEUE_FN(init)(q, &o), 0);
	store_rlx(&stolen, 0);
	store_rlx(&stop, 0);
	assert_int_equal(pthread_create(thread, NULL, QUEUE_ID(idle_thief), q), 0);
	return q;
}

static void QUEUE_ID(finish)(QUEUE *q, pthread_t thread)
{
	store_rlx(&stop, 1);
	pthread_join(thread, NULL);
	QUEUE_FN(destroy)(q);
	free(q);
}

/* One entry, and then a slow put now and then: the thief gets work, again and again. */
static void QUEUE_ID(slow_put)(void **state)
{
	pthread_t thread;
	QUEUE *q = QUEUE_ID(start)(&thread);
	QUEUE_OWNER o = QUEUE_FN(owner)(q);
	filch_entry e;

	(void)state;
	for (size_t i = 0; i < 100; i++) {
		size_t before = load_rlx(&stolen); /* polled */

		do {
			/* A bounded queue may be full if the thief is slow to be
			 * scheduled, and ABP's then stays so until its owner finds it
			 * empty. */
			if (QUEUE_FN(put)(o, i) == FILCH_FULL)
				(void)QUEUE_FN(get)(o, &e);
			usleep(20);
		} while (load_rlx(&stolen) == before); /* polled */
	}
	QUEUE_ID(finish)(q, thread);
}

/* Ten entries below an owner that only gets: its next get lets the thief in, sooner or
 * later (it may have to wait for a processor). */
static void QUEUE_ID(slow_get)(void **state)
{
	pthread_t thread;
	QUEUE *q = QUEUE_ID(start)(&thread);
	QUEUE_OWNER o = QUEUE_FN(owner)(q);
	size_t gone = 0;
	filch_entry e;

	(void)state;
	for (int round = 0; round < 50 || !load_rlx(&stolen); round++) { /* polled */
		size_t put = 0, got = 0;

		gone = load_rlx(&stolen); /* polled */
		while (put < 10)
			put += QUEUE_FN(put)(o, put) == FILCH_OK;
		while (QUEUE_FN(get)(o, &e) == FILCH_OK) {
			got++;
			usleep(20);
		}
		while (load_rlx(&stolen) - gone + got < put) /* polled */
			sched_yield();
	}
	QUEUE_ID(finish)(q, thread);
}
