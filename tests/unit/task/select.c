/* SPDX-License-Identifier: MIT */
/* Select: the one that can be done, by chance of several, or the first that comes. */
#include <filch/channel.h>

#include "task/channel.h"
#include "tests/together.h"

static struct filch_pool *pool;

static struct filch_channel *channel(size_t capacity)
{
	struct filch_channel *c = filch_channel_create(sizeof(int), capacity);

	assert_non_null(c);
	return c;
}

static void codes(void **state)
{
	struct filch_channel *c = channel(1), *d = channel(0);
	struct filch_case cases[65] = {{NULL, FILCH_RECV, NULL, 0}};
	int in = 5, out = 0;

	(void)state;
	assert_int_equal(filch_select(cases, 0), -EDEADLK);
	assert_int_equal(filch_select(cases, 64), -EDEADLK);
	assert_int_equal(filch_select(cases, 65), -EINVAL);
	assert_int_equal(filch_try_select(cases, 65), -EINVAL);
	assert_int_equal(filch_try_select(cases, 3), -EAGAIN);
	assert_int_equal(filch_select_until(cases, 3, 0), -ETIMEDOUT);
	assert_int_equal(filch_select_until(NULL, 0, filch_after(FILCH_MS)), -ETIMEDOUT);
	cases[1] = (struct filch_case){c, FILCH_RECV, &out, 1};
	cases[63] = (struct filch_case){d, FILCH_SEND, &in, 1};
	assert_int_equal(filch_try_select(cases, 64), -EAGAIN);
	assert_int_equal(filch_select_until(cases, 64, 0), -ETIMEDOUT);
	assert_int_equal(filch_select_until(cases, 64, filch_after(FILCH_MS)),
	                 -ETIMEDOUT);
	assert_int_equal(waiting(&c->waiters) + waiting(&d->waiters), 0);
	assert_int_equal(filch_channel_send(c, &in), 0);
	assert_int_equal(filch_select_until(cases, 64, 0), 1);
	assert_int_equal(cases[1].result, 0);
	assert_int_equal(out, 5);
	assert_int_equal(filch_channel_close(d), 0);
	assert_int_equal(filch_select(cases, 64), 63);
	assert_int_equal(cases[63].result, -EPIPE);
	filch_channel_destroy(c);
	filch_channel_destroy(d);
}

/* The same channel several times, in both ways: one does not meet oneself. */
static void same_channel(void **state)
{
	struct filch_channel *none = channel(0), *some = channel(3);
	int in = 5, out = 0;
	struct filch_case cases[4] = {{none, FILCH_RECV, &out, 0},
	                              {none, FILCH_SEND, &in, 0},
	                              {none, FILCH_RECV, &out, 0},
	                              {none, FILCH_SEND, &in, 0}};

	(void)state;
	assert_int_equal(filch_try_select(cases, 4), -EAGAIN);
	assert_int_equal(filch_select_until(cases, 4, filch_after(FILCH_MS)), -ETIMEDOUT);
	for (int i = 0; i < 4; i++)
		cases[i].channel = some;
	for (int i = 0; i < 200; i++)
		assert_in_range(filch_select(cases, 4), 0, 3);
	assert_true(filch_channel_size(some) <= 3);
	filch_channel_destroy(none);
	filch_channel_destroy(some);
}

/* Each of five that are always ready is done about as often. */
static void by_chance(void **state)
{
	struct filch_case cases[5];
	unsigned done[5] = {0};

	(void)state;
	for (int i = 0; i < 5; i++)
		cases[i] = (struct filch_case){channel(0), FILCH_RECV, NULL, 0};
	for (int i = 0; i < 5; i++)
		filch_channel_close(cases[i].channel);
	for (int i = 0; i < 5000; i++)
		done[filch_select(cases, 5)]++;
	for (int i = 0; i < 5; i++) {
		assert_true(done[i] > 500);
		filch_channel_destroy(cases[i].channel);
	}
}

/* ---- one that waits in several ---- */

#define CHANNELS 3

struct choice {
	struct filch_channel *c[CHANNELS];
	enum filch_way way;
	int value[CHANNELS];
	int done, result;
};

static int select_one(void *arg)
{
	struct choice *x = arg;
	struct filch_case cases[CHANNELS];

	for (int i = 0; i < CHANNELS; i++) /* in no order of addresses */
		cases[i] = (struct filch_case){x->c[i], x->way, &x->value[i], 1};
	x->done = filch_select(cases, CHANNELS);
	if (x->done >= 0)
		x->result = cases[x->done].result;
	return x->done < 0 ? x->done : 0;
}

static void choice_begin(struct choice *x, enum filch_way way)
{
	for (int i = 0; i < CHANNELS; i++) {
		x->c[i] = channel(0);
		x->value[i] = 10 + i;
	}
	x->way = way;
}

static void choice_end(struct choice *x)
{
	for (int i = 0; i < CHANNELS; i++)
		assert_int_equal(filch_channel_destroy(x->c[i]), 0); /* nobody waits */
}

static void first_that_comes(void **state)
{
	(void)state;
	for (int i = 0; i < 2 * CHANNELS * 2 * 2; i++) {
		enum filch_way way = i % 2 ? FILCH_SEND : FILCH_RECV;
		int at = i / 2 % CHANNELS, value = 77;
		bool close = i / (2 * CHANNELS) % 2;
		struct choice x;
		struct aside a;

		choice_begin(&x, way);
		aside_begin(&a, i / (2 * CHANNELS * 2) ? pool : NULL, select_one, &x);
		until_waiting(&x.c[CHANNELS - 1]->waiters, 1);
		if (close)
			assert_int_equal(filch_channel_close(x.c[at]), 0);
		else if (way == FILCH_RECV)
			assert_int_equal(filch_channel_send(x.c[at], &value), 0);
		else
			assert_int_equal(filch_channel_recv(x.c[at], &value), 0);
		assert_int_equal(aside_end(&a), 0);
		assert_int_equal(x.done, at);
		assert_int_equal(x.result, close ? -EPIPE : 0);
		if (!close && way == FILCH_RECV)
			assert_int_equal(x.value[at], 77);
		if (!close && way == FILCH_SEND)
			assert_int_equal(value, 10 + at);
		choice_end(&x);
	}
}

static void cancelled_in_it(void **state)
{
	struct choice x;

	(void)state;
	choice_begin(&x, FILCH_RECV);
	assert_int_equal(result_if_cancelled(pool, select_one, &x, &x.c[1]->waiters),
	                 -ECANCELED);
	choice_end(&x);
	all_right();
}

/* ---- selects that meet selects ---- */

struct meeting {
	struct filch_channel *c[CHANNELS];
	_Atomic(long) sum, sent, received;
};

/* Does both, on all channels, and counts. Ends when all are closed. */
static void meet(void *arg, unsigned index)
{
	struct meeting *m = arg;
	struct filch_case cases[2 * CHANNELS];
	int in[CHANNELS], out[CHANNELS];

	for (unsigned i = 0; i < 100; i++) {
		int at;

		for (unsigned j = 0; j < CHANNELS; j++) {
			in[j] = (int)(index * 1000 + i * CHANNELS + j);
			cases[2 * j] = (struct filch_case){m->c[(j + index) % CHANNELS],
			                                   FILCH_SEND, &in[j], 1};
			cases[2 * j + 1] = (struct filch_case){m->c[(j + i) % CHANNELS],
			                                       FILCH_RECV, &out[j], 1};
		}
		at = filch_select_until(cases, 2 * CHANNELS, filch_after(20 * FILCH_US));
		if (at == -ETIMEDOUT)
			continue;
		CHECK(at >= 0 && cases[at].result == 0);
		if (at % 2) {
			add_rlx(&m->sum, -out[at / 2]); /* counted */
			add_rlx(&m->received, 1);       /* counted */
		} else {
			add_rlx(&m->sum, in[at / 2]); /* counted */
			add_rlx(&m->sent, 1);         /* counted */
		}
	}
}

static void many_meet(void **state)
{
	struct meeting m = {.sum = 0};

	(void)state;
	for (int i = 0; i < CHANNELS; i++)
		m.c[i] = channel(0);
	together(8, 4, meet, &m);
	assert_int_equal(m.sum, 0);
	assert_int_equal(m.sent, m.received);
	assert_true(m.sent > 0);
	for (int i = 0; i < CHANNELS; i++)
		assert_int_equal(filch_channel_destroy(m.c[i]), 0);
	all_right();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(codes),           cmocka_unit_test(same_channel),
		cmocka_unit_test(by_chance),       cmocka_unit_test(first_that_comes),
		cmocka_unit_test(cancelled_in_it), cmocka_unit_test(many_meet),
	};
	int failed;

	pool = pool_of(2);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	return filch_pool_destroy(pool) ? 1 : failed;
}
