/* SPDX-License-Identifier: MIT */
/* Channels: values in order, full, empty, closed; handed over; deadlines, cancelled. */
#include <filch/channel.h>
#include <string.h>

#include "task/channel.h"
#include "tests/together.h"

static struct filch_pool *pool;

static void codes(void **state)
{
	(void)state;
	for (size_t capacity = 0; capacity < 4; capacity++) {
		struct filch_channel *c = filch_channel_create(sizeof(int), capacity);
		int x = -1;

		assert_non_null(c);
		assert_int_equal(filch_channel_capacity(c), capacity);
		assert_int_equal(filch_channel_try_recv(c, &x), -EAGAIN);
		assert_int_equal(filch_channel_recv_until(c, &x, 0), -ETIMEDOUT);
		for (int i = 0; i < (int)capacity; i++)
			assert_int_equal(filch_channel_send_until(c, &i, 0), 0);
		assert_int_equal(filch_channel_size(c), capacity);
		assert_int_equal(filch_channel_try_send(c, &x), -EAGAIN);
		assert_int_equal(filch_channel_send_until(c, &x, 0), -ETIMEDOUT);
		assert_int_equal(filch_channel_send_until(c, &x, filch_after(FILCH_MS)),
		                 -ETIMEDOUT);
		assert_int_equal(filch_channel_close(c), 0);
		assert_int_equal(filch_channel_close(c), -EPIPE);
		assert_int_equal(filch_channel_send(c, &x), -EPIPE);
		assert_int_equal(filch_channel_try_send(c, &x), -EPIPE);
		for (int i = 0; i < (int)capacity; i++) { /* what is left */
			assert_int_equal(filch_channel_recv(c, &x), 0);
			assert_int_equal(x, i);
		}
		assert_int_equal(filch_channel_recv(c, &x), -EPIPE);
		assert_int_equal(filch_channel_try_recv(c, &x), -EPIPE);
		assert_int_equal(filch_channel_recv_until(c, &x, 0), -EPIPE);
		assert_int_equal(filch_channel_destroy(c), 0);
	}
	assert_int_equal(filch_channel_destroy(NULL), 0);
}

static void sizes(void **state)
{
	static const size_t size[] = {1, 7, 8, 16, 100, 5000};
	unsigned char in[5000], out[5000];

	(void)state;
	assert_null(filch_channel_create(2, SIZE_MAX / 2 + 1));
	assert_null(filch_channel_create(SIZE_MAX, 1));
	assert_null(filch_channel_create(1, PTRDIFF_MAX));
	for (unsigned i = 0; i < sizeof size / sizeof *size; i++) {
		struct filch_channel *c = filch_channel_create(size[i], 3);

		for (unsigned n = 0; n < 20; n++) { /* round and round the ring */
			memset(in, (int)n + 1, sizeof in);
			memset(out, 0, sizeof out);
			assert_int_equal(filch_channel_send(c, in), 0);
			assert_int_equal(filch_channel_recv(c, out), 0);
			assert_memory_equal(in, out, size[i]);
			assert_true(size[i] == sizeof out || out[size[i]] == 0);
		}
		filch_channel_destroy(c);
	}
}

/* Nothing but the fact. */
static void no_size(void **state)
{
	struct filch_channel *c = filch_channel_create(0, SIZE_MAX);

	(void)state;
	assert_non_null(c);
	for (int i = 0; i < 5; i++)
		assert_int_equal(filch_channel_send(c, NULL), 0);
	for (int i = 0; i < 5; i++)
		assert_int_equal(filch_channel_try_recv(c, NULL), 0);
	assert_int_equal(filch_channel_try_recv(c, NULL), -EAGAIN);
	filch_channel_destroy(c);
}

/* ---- who waits ---- */

struct one {
	struct filch_channel *c;
	int value;
	struct aside aside;
};

static int send_one(void *arg)
{
	struct one *x = arg;

	return filch_channel_send(x->c, &x->value);
}

static int recv_one(void *arg)
{
	struct one *x = arg;

	return filch_channel_recv(x->c, &x->value);
}

#define MANY 24 /* more than one batch of wake-ups */

static void begin(struct one *x, struct filch_channel *c, int (*fn)(void *))
{
	for (int i = 0; i < MANY; i++) {
		x[i].c = c;
		x[i].value = i;
		aside_begin(&x[i].aside, i % 3 ? pool : NULL, fn, &x[i]);
		until_waiting(&c->waiters, (unsigned)i + 1);
	}
}

static void receivers_wait(void **state)
{
	(void)state;
	for (size_t capacity = 0; capacity < 2; capacity++) {
		struct filch_channel *c = filch_channel_create(sizeof(int), capacity);
		struct one x[MANY];

		begin(x, c, recv_one);
		assert_int_equal(filch_channel_destroy(c), -EBUSY);
		for (int i = 0; i < 5; i++) {
			int value = 100 + i;

			assert_int_equal(filch_channel_send_until(c, &value, 0), 0);
		}
		assert_int_equal(filch_channel_close(c), 0);
		for (int i = 0; i < MANY; i++) {
			assert_int_equal(aside_end(&x[i].aside), i < 5 ? 0 : -EPIPE);
			assert_int_equal(x[i].value, i < 5 ? 100 + i : i);
		}
		assert_int_equal(filch_channel_destroy(c), 0);
	}
}

static void senders_wait(void **state)
{
	(void)state;
	for (int capacity = 0; capacity < 3; capacity++) {
		struct filch_channel *c =
			filch_channel_create(sizeof(int), (size_t)capacity);
		struct one x[MANY];
		int value;

		for (int i = -capacity; i < 0; i++)
			assert_int_equal(filch_channel_try_send(c, &i), 0);
		begin(x, c, send_one);
		for (int i = -capacity; i < 5; i++) { /* in order, all the same */
			assert_int_equal(filch_channel_recv_until(c, &value, 0), 0);
			assert_int_equal(value, i);
		}
		assert_int_equal(filch_channel_close(c), 0);
		for (int i = 0; i < MANY; i++)
			assert_int_equal(aside_end(&x[i].aside),
			                 i < 5 + capacity ? 0 : -EPIPE);
		for (int i = 0; i < capacity; i++) {
			assert_int_equal(filch_channel_recv(c, &value), 0);
			assert_int_equal(value, 5 + i);
		}
		assert_int_equal(filch_channel_recv(c, &value), -EPIPE);
		assert_int_equal(filch_channel_destroy(c), 0);
	}
}

static void cancelled_in_it(void **state)
{
	struct filch_channel *c = filch_channel_create(sizeof(int), 1);
	struct one x = {.c = c, .value = 7};

	(void)state;
	assert_int_equal(result_if_cancelled(pool, recv_one, &x, &c->waiters),
	                 -ECANCELED);
	assert_int_equal(filch_channel_try_send(c, &x.value), 0);
	x.value = 8;
	assert_int_equal(result_if_cancelled(pool, send_one, &x, &c->waiters),
	                 -ECANCELED);
	assert_int_equal(filch_channel_size(c), 1); /* and 8 was not sent */
	assert_int_equal(filch_channel_try_recv(c, &x.value), 0);
	assert_int_equal(x.value, 7);
	assert_int_equal(filch_channel_destroy(c), 0);
	all_right();
}

/* ---- many ---- */

#define SENDERS 6
#define EACH 200

struct line {
	struct filch_channel *c;
	_Atomic(unsigned) senders;
	_Atomic(unsigned long) sum, count;
};

struct item {
	unsigned from, number;
};

static void send_all(struct line *l, unsigned from)
{
	for (unsigned i = 1; i <= EACH; i++) {
		struct item x = {from, i};

		CHECK(filch_channel_send(l->c, &x) == 0);
	}
	if (add_acq_rel(&l->senders, -1u) == 1) /* the last one; counted */
		CHECK(filch_channel_close(l->c) == 0);
}

static void recv_all(struct line *l)
{
	unsigned last[SENDERS] = {0};
	struct item x;

	while (filch_channel_recv(l->c, &x) == 0) {
		CHECK(x.number > last[x.from]); /* of one sender, in order */
		last[x.from] = x.number;
		add_rlx(&l->sum, x.number); /* counted */
		add_rlx(&l->count, 1);      /* counted */
	}
}

static void send_or_recv(void *arg, unsigned index)
{
	if (index % 2)
		send_all(arg, index / 2);
	else
		recv_all(arg);
}

static void many(void **state)
{
	static const unsigned workers[] = {1, 2, 8}, threads[] = {0, 4, 2 * SENDERS};
	static const size_t capacity[] = {0, 1, 16};

	(void)state;
	for (unsigned i = 0; i < 27; i++) {
		struct filch_pool *p = pool_of(workers[i % 3]);
		unsigned t = threads[i / 3 % 3];
		struct line l = {.senders = SENDERS};

		l.c = filch_channel_create(sizeof(struct item), capacity[i / 9]);
		together_on(p, 2 * SENDERS - t, t, send_or_recv, &l);
		assert_int_equal(l.count, SENDERS * EACH);
		assert_int_equal(l.sum, SENDERS * EACH * (EACH + 1) / 2);
		assert_int_equal(filch_channel_destroy(l.c), 0);
		assert_int_equal(filch_pool_destroy(p), 0);
	}
	all_right();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(codes),        cmocka_unit_test(sizes),
		cmocka_unit_test(no_size),      cmocka_unit_test(receivers_wait),
		cmocka_unit_test(senders_wait), cmocka_unit_test(cancelled_in_it),
		cmocka_unit_test(many),
	};
	int failed;

	pool = pool_of(2);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	return filch_pool_destroy(pool) ? 1 : failed;
}
