/* SPDX-License-Identifier: MIT */
/*
 * Pipelines of random shape, several at a time, with stages that yield, sleep, spawn and
 * fail at random: each item comes once to each stage, in order where it is serial.
 */
#include <filch/for.h>
#include <filch/pipeline.h>

#include "tests/together.h"

#define STAGES 6
#define ITEMS 400

struct item {
	unsigned number;
	_Atomic(unsigned) stage; /* that it comes to next; ITEMS: gone */
};

struct line {
	struct run *run;
	unsigned index;
	unsigned next,
		inside; /* serial stages only: plain, so that TSan sees who orders */
};

struct run {
	uint64_t seed;
	unsigned stages, items, tokens;
	unsigned fail; /* the stage and number that fail; above: none */
	struct filch_stage stage[STAGES];
	struct line line[STAGES];
	struct item item[ITEMS];
	_Atomic(unsigned) under_way, dropped, through;
};

static struct filch__random random_of(const struct run *r, unsigned stage, unsigned item)
{
	return filch__random_seed(r->seed + stage * 1000003u + item);
}

static int add(size_t begin, size_t end, void *context)
{
	add_rlx((_Atomic(unsigned) *)context, (unsigned)(end - begin)); /* a count */
	return 0;
}

static void dwell(struct run *r, unsigned stage, unsigned number)
{
	struct filch__random random = random_of(r, stage, number);
	_Atomic(unsigned) n = 0;

	switch (filch__random_below(&random, 40)) {
	case 0:
		filch_sleep(filch__random_below(&random, 100 * FILCH_US));
		break;
	case 1:
	case 2:
		filch_yield();
		break;
	case 3:
		CHECK(filch_for_grain(0, 64, 4, add, &n) == 0);
		CHECK(load_rlx(&n) == 64); /* joined */
		break;
	case 4:
		for (unsigned i = 0; i < 200; i++)
			filch__relax();
		break;
	}
}

static int pass(void **item, void *context)
{
	struct line *l = context;
	struct run *r = l->run;
	struct item *x = *item;
	bool serial = r->stage[l->index].kind == FILCH_SERIAL;

	if (!l->index) {
		CHECK(!x);
		if (l->next == r->items)
			return 0;
		*item = x = &r->item[l->next];
		CHECK(add_rlx(&r->under_way, 1) < r->tokens); /* a count */
	}
	CHECK(add_rlx(&x->stage, 1) == l->index); /* nobody else has it */
	if (serial) {
		CHECK(x->number == l->next);
		l->next++;
		CHECK(++l->inside == 1);
	}
	dwell(r, l->index, x->number);
	if (serial)
		CHECK(--l->inside == 0);
	if (x->number * r->stages + l->index == r->fail)
		return -7;
	if (l->index + 1 == r->stages) {
		add_rlx(&r->under_way, -1u); /* before its token is free */
		add_rlx(&r->through, 1);     /* a count */
	}
	return 0;
}

/* The array says which run it is of. */
static void drop(void *item)
{
	struct item *x = item;
	struct run *r =
		(struct run *)((char *)(x - x->number) - offsetof(struct run, item));

	CHECK(add_rlx(&x->stage, ITEMS) <= r->stages); /* once */
	add_rlx(&r->under_way, -1u);                   /* a count */
	add_rlx(&r->dropped, 1);                       /* a count */
}

static void one_run(struct run *r, struct filch__random *random)
{
	unsigned made;
	int result;

	r->seed = filch__random_next(random);
	r->stages = 1 + (unsigned)filch__random_below(random, STAGES);
	r->items = (unsigned)filch__random_below(random, ITEMS + 1);
	r->tokens = 1u << filch__random_below(random, 8);
	r->fail = (unsigned)filch__random_below(random, 4)
	                  ? UINT32_MAX
	                  : (unsigned)filch__random_below(random, ITEMS * r->stages);
	store_rlx(&r->under_way, 0); /* nobody else is there */
	store_rlx(&r->dropped, 0);   /* nobody else is there */
	store_rlx(&r->through, 0);   /* nobody else is there */
	for (unsigned i = 0; i < ITEMS; i++) {
		r->item[i].number = i;
		store_rlx(&r->item[i].stage, 0); /* nobody else is there */
	}
	for (unsigned s = 0; s < r->stages; s++) {
		r->line[s] = (struct line){.run = r, .index = s};
		r->stage[s] = (struct filch_stage){s && filch__random_below(random, 2)
		                                           ? FILCH_PARALLEL
		                                           : FILCH_SERIAL,
		                                   pass, &r->line[s]};
	}
	result = filch_pipeline(r->stage, r->stages, r->tokens, drop);
	made = r->line[0].next;
	CHECK(result == 0 || (result == -7 && r->fail < r->items * r->stages));
	CHECK(result == -7 || made == r->items);
	CHECK(load_rlx(&r->through) + load_rlx(&r->dropped) == made); /* joined */
	CHECK(result || load_rlx(&r->through) == made);               /* joined */
	CHECK(load_rlx(&r->under_way) == 0);                          /* joined */
}

static void many_runs(void *shared, unsigned index)
{
	struct filch__random random = filch__random_seed(test_seed() + index);
	struct run *r = malloc(sizeof *r);
	size_t times = *(size_t *)shared;

	while (times--)
		one_run(r, &random);
	free(r);
}

static void random_shapes(void **state)
{
	static const unsigned workers[] = {1, 2, 8};

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		struct filch_pool *p = pool_of(workers[i]);
		size_t times = test_scaled(120);

		together_on(p, 1, 0, many_runs, &times);
		times = test_scaled(40);
		together_on(p, 6, 0, many_runs, &times);
		assert_int_equal(filch_pool_destroy(p), 0);
		all_right();
	}
}

/* From threads outside: on the default pool. */
static void from_threads(void **state)
{
	size_t times = test_scaled(40);

	(void)state;
	together_on(NULL, 0, 4, many_runs, &times);
	all_right();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_shapes),
		cmocka_unit_test(from_threads),
	};

	test_seed();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
