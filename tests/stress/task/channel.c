/* SPDX-License-Identifier: MIT */
/*
 * Channels with deadlines of 0 to 50 us, closed under senders and receivers, and selects
 * over several, on both sides: what was sent is received once or left, by count and sum.
 */
#include <filch/channel.h>

#include "tests/together.h"

#define STRANDS 12
#define THREADS 4
#define CHANNELS 4

/* The behaviour of all senders and receivers of a run. */
struct way {
	bool deadlines; /* give up, and try again with the next value */
	bool closed;    /* some time, under all of them; else when the senders are done */
	bool select;    /* over all channels */
};

struct traffic {
	struct way way;
	size_t times;
	struct filch_channel *c[CHANNELS];
	_Atomic(unsigned long) sent, sent_sum, received, received_sum;
	_Atomic(unsigned) senders;
};

static uint64_t deadline(struct traffic *t, struct filch__random *random)
{
	return t->way.deadlines ? filch_after(filch__random_below(random, 50 * FILCH_US))
	                        : FILCH_NEVER;
}

static int send_one(struct traffic *t, struct filch__random *random, uint64_t value)
{
	uint64_t values[CHANNELS];
	struct filch_case cases[CHANNELS];
	int at;

	if (!t->way.select)
		return filch_channel_send_until(t->c[0], &value, deadline(t, random));
	for (unsigned i = 0; i < CHANNELS; i++) {
		values[i] = value;
		cases[i] = (struct filch_case){t->c[i], FILCH_SEND, &values[i], 1};
	}
	at = filch_select_until(cases, CHANNELS, deadline(t, random));
	return at < 0 ? at : cases[at].result;
}

/* Of several channels some may be closed already: those are left out. */
static int recv_one(struct traffic *t, struct filch__random *random, uint64_t *value,
                    bool *open)
{
	uint64_t values[CHANNELS];
	struct filch_case cases[CHANNELS];
	int at;

	if (!t->way.select)
		return filch_channel_recv_until(t->c[0], value, deadline(t, random));
	for (;;) {
		for (unsigned i = 0; i < CHANNELS; i++)
			cases[i] = (struct filch_case){open[i] ? t->c[i] : NULL,
			                               FILCH_RECV, &values[i], 1};
		at = filch_select_until(cases, CHANNELS, deadline(t, random));
		if (at >= 0 && !cases[at].result)
			*value = values[at];
		if (at < 0 || !cases[at].result)
			return at < 0 ? at : 0;
		open[at] = false;
		if (!open[0] && !open[1] && !open[2] && !open[3])
			return -EPIPE;
	}
}

static void close_all(struct traffic *t)
{
	for (unsigned i = 0; i < CHANNELS; i++)
		CHECK(filch_channel_close(t->c[i]) == 0);
}

static void be_sender(struct traffic *t, unsigned index, struct filch__random *random)
{
	for (size_t i = 0; i < t->times; i++) {
		uint64_t value = index * t->times + i;
		int r = send_one(t, random, value);

		CHECK(r == 0 || (r == -ETIMEDOUT && t->way.deadlines) ||
		      (r == -EPIPE && t->way.closed));
		if (r == -EPIPE)
			return;
		if (r)
			continue;
		add_rlx(&t->sent, 1);         /* counted */
		add_rlx(&t->sent_sum, value); /* counted */
	}
	/* Counted; the last one closes. */
	if (add_acq_rel(&t->senders, -1u) == 1 && !t->way.closed)
		close_all(t);
}

static void be_receiver(struct traffic *t, struct filch__random *random)
{
	bool open[CHANNELS] = {true, true, true, true};
	uint64_t value = 0;
	int r;

	while ((r = recv_one(t, random, &value, open)) != -EPIPE) {
		CHECK(r == 0 || (r == -ETIMEDOUT && t->way.deadlines));
		if (r)
			continue;
		add_rlx(&t->received, 1);         /* counted */
		add_rlx(&t->received_sum, value); /* counted */
	}
}

static void send_or_recv(void *arg, unsigned index)
{
	struct filch__random random = filch__random_seed(test_seed() + index);
	struct traffic *t = arg;

	if (!index && t->way.closed) {
		filch_sleep(filch__random_below(&random, 2 * FILCH_MS));
		close_all(t);
	} else if (index % 2) {
		be_sender(t, index, &random);
	} else {
		be_receiver(t, &random);
	}
}

static void traffic(struct way way, unsigned workers, size_t capacity)
{
	struct traffic t = {.way = way, .times = test_scaled(200)};
	struct filch_pool *p = pool_of(workers);

	atomic_init(&t.senders, (STRANDS + THREADS) / 2);
	for (unsigned i = 0; i < CHANNELS; i++)
		t.c[i] = filch_channel_create(sizeof(uint64_t), capacity);
	together_on(p, STRANDS, THREADS, send_or_recv, &t);
	all_right();
	assert_int_equal(t.sent, t.received); /* receivers go on until it is empty */
	assert_int_equal(t.sent_sum, t.received_sum);
	for (unsigned i = 0; i < CHANNELS; i++)
		assert_int_equal(filch_channel_destroy(t.c[i]), 0);
	assert_int_equal(filch_pool_destroy(p), 0);
}

static void all_sizes(struct way way)
{
	static const size_t capacity[] = {0, 1, 16};

	for (unsigned workers = 1; workers <= 8; workers *= 2)
		for (unsigned i = 0; i < 3; i++)
			traffic(way, workers, capacity[i]);
}

static void deadlines(void **state)
{
	(void)state;
	all_sizes((struct way){.deadlines = true});
}

static void closed(void **state)
{
	(void)state;
	for (int i = 0; i < 8; i++)
		all_sizes((struct way){.closed = true, .deadlines = i % 2});
}

static void selects(void **state)
{
	(void)state;
	all_sizes((struct way){.select = true});
	all_sizes((struct way){.select = true, .deadlines = true});
	all_sizes((struct way){.select = true, .closed = true});
	all_sizes((struct way){.select = true, .closed = true, .deadlines = true});
}

/* ---- cancelled ---- */

FILCH_STATIC_TASK_VOID(sends, (struct traffic *, t), (uint64_t, first))
{
	for (uint64_t i = 0; i < 20; i++) {
		uint64_t value = first + i;
		int r = filch_channel_send(t->c[0], &value);

		CHECK(r == 0 || r == -ECANCELED);
		if (r)
			return;
		add_rlx(&t->sent, 1);         /* counted */
		add_rlx(&t->sent_sum, value); /* counted */
	}
}

FILCH_STATIC_TASK_VOID(receives, (struct traffic *, t))
{
	uint64_t value;
	int r;

	while ((r = filch_channel_recv(t->c[0], &value)) == 0) {
		add_rlx(&t->received, 1);         /* counted */
		add_rlx(&t->received_sum, value); /* counted */
	}
	CHECK(r == -ECANCELED);
}

FILCH_STATIC_TASK_VOID(cancel_soon, (struct traffic *, t), (uint64_t, delay))
{
	struct filch_group g;

	filch_group_begin(&g);
	for (uint64_t i = 0; i < 4; i++) {
		FILCH_GROUP_SPAWN(&g, sends, t, 100 * i);
		FILCH_GROUP_SPAWN(&g, receives, t);
	}
	filch_sleep(delay);
	filch_group_cancel(&g);
	filch_group_wait(&g);
}

static void cancelled(void **state)
{
	struct filch__random random = filch__random_seed(test_seed());

	(void)state;
	for (unsigned i = 0; i < 12; i++) {
		struct filch_pool *p = pool_of(1u << i % 4);
		struct traffic t = {.sent = 0};
		uint64_t value;

		t.c[0] = filch_channel_create(sizeof(uint64_t), i / 4);
		for (size_t n = test_scaled(100); n; n--)
			FILCH_RUN_ON(p, cancel_soon, &t,
			             filch__random_below(&random, 100 * FILCH_US));
		for (; filch_channel_try_recv(t.c[0], &value) == 0; t.received++)
			t.received_sum += value;
		assert_int_equal(t.sent, t.received);
		assert_int_equal(t.sent_sum, t.received_sum);
		assert_int_equal(filch_channel_destroy(t.c[0]), 0);
		assert_int_equal(filch_pool_destroy(p), 0);
	}
	all_right();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(deadlines),
		cmocka_unit_test(closed),
		cmocka_unit_test(selects),
		cmocka_unit_test(cancelled),
	};

	test_seed(); /* before there are threads */
	return cmocka_run_group_tests(tests, NULL, NULL);
}
