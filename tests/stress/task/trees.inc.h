/* SPDX-License-Identifier: MIT */
/*
 * Random trees of tasks, for trees*.c here: what a node does (a leaf, a pair, an
 * array joined in any order, a group, joins that cross, a chain) and how many children it
 * has follows from its seed, so that a plain function can say what must come out.
 */
#include <filch.h>

#include "base/atomic.h"
#include "tests/test.h"

#define FAN_MOST 6
#define RESTING 2003       /* one leaf in so many spawns nothing for long, for */
#define RESTING_NS 2000000 /* ... up to so many nanoseconds */

enum kind { LEAF, PAIR, ARRAY, GROUP, CROSSED, CHAIN, KINDS };

static uint64_t mix(uint64_t x)
{
	x += 0x9e3779b97f4a7c15u;
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return x ^ (x >> 31);
}

static enum kind kind_of(uint64_t seed, unsigned depth)
{
	return depth ? (enum kind)((seed >> 8) % KINDS) : LEAF;
}

static unsigned fan_of(uint64_t seed, unsigned depth)
{
	switch (kind_of(seed, depth)) {
	case LEAF:
		return 0;
	case CHAIN:
		return 1;
	case PAIR:
		return 2;
	case CROSSED:
		return 4;
	default:
		return 1 + (unsigned)((seed >> 16) % FAN_MOST);
	}
}

static uint64_t child(uint64_t seed, unsigned i)
{
	return mix(seed * 31 + i + 1);
}

static unsigned below(uint64_t seed, unsigned depth, unsigned i)
{
	return depth > 1 && mix(seed + i) % 4 == 0 ? depth - 2 : depth - 1;
}

/* The value of a node itself, without its children. */
static uint64_t own(uint64_t seed)
{
	uint64_t value = seed;

	for (uint64_t n = (seed >> 32) % 200; n; n--)
		value = mix(value);
	return value;
}

static uint64_t weigh(uint64_t value, unsigned i)
{
	return value * (2 * i + 1);
}

static uint64_t serial(uint64_t seed, unsigned depth)
{
	uint64_t sum = own(seed);

	for (unsigned i = 0, n = fan_of(seed, depth); i < n; i++)
		sum += weigh(serial(child(seed, i), below(seed, depth, i)), i);
	return sum;
}

/* Does not spawn or join for a while. */
static void rest(uint64_t seed)
{
	uint64_t end = filch__now_ns() + seed % RESTING_NS;

	while (filch__now_ns() < end)
		;
}

FILCH_STATIC_TASK_DECL(uint64_t, tree, (uint64_t, seed), (unsigned, depth));

FILCH_STATIC_TASK_VOID(tree_to, (uint64_t *, out), (uint64_t, seed), (unsigned, depth))
{
	*out = FILCH_CALL(tree, seed, depth);
}

static uint64_t chain(uint64_t seed, unsigned depth)
{
	FILCH_SPAWN(x, tree, child(seed, 0), below(seed, depth, 0));
	return FILCH_JOIN(x);
}

static uint64_t pair(uint64_t seed, unsigned depth)
{
	FILCH_SPAWN(x, tree, child(seed, 0), below(seed, depth, 0));
	uint64_t y = FILCH_CALL(tree, child(seed, 1), below(seed, depth, 1));

	return FILCH_JOIN(x) + weigh(y, 1);
}

static uint64_t crossed(uint64_t seed, unsigned depth)
{
	FILCH_SPAWN(a, tree, child(seed, 0), below(seed, depth, 0));
	FILCH_SPAWN(b, tree, child(seed, 1), below(seed, depth, 1));
	uint64_t sum = FILCH_JOIN(a);

	FILCH_SPAWN(c, tree, child(seed, 2), below(seed, depth, 2));
	FILCH_SPAWN(d, tree, child(seed, 3), below(seed, depth, 3));
	sum += weigh(FILCH_JOIN(b), 1);
	sum += weigh(FILCH_JOIN(c), 2);
	return sum + weigh(FILCH_JOIN(d), 3);
}

/* Spawned from the first on, joined from any on, upwards or downwards. */
static uint64_t array(uint64_t seed, unsigned depth, unsigned n)
{
	FILCH_FRAME(tree) part[FAN_MOST];
	unsigned first = (unsigned)((seed >> 24) % n);
	uint64_t sum = 0;

	for (unsigned i = 0; i < n; i++)
		FILCH_SPAWN_AT(&part[i], tree, child(seed, i), below(seed, depth, i));
	for (unsigned i = 0; i < n; i++) {
		unsigned at = (seed & 1 ? first + i : first + n - i) % n;

		sum += weigh(FILCH_JOIN_AT(&part[at], tree), at);
	}
	return sum;
}

static uint64_t group(uint64_t seed, unsigned depth, unsigned n)
{
	struct filch_group g;
	uint64_t value[FAN_MOST], sum = 0;

	filch_group_begin(&g);
	for (unsigned i = 0; i < n; i++)
		FILCH_GROUP_SPAWN(&g, tree_to, &value[i], child(seed, i),
		                  below(seed, depth, i));
	if (filch_group_wait(&g))
		return 0;
	for (unsigned i = 0; i < n; i++)
		sum += weigh(value[i], i);
	return sum;
}

FILCH_STATIC_TASK(uint64_t, tree, (uint64_t, seed), (unsigned, depth))
{
	unsigned n = fan_of(seed, depth);

	switch (kind_of(seed, depth)) {
	case CHAIN:
		return own(seed) + chain(seed, depth);
	case PAIR:
		return own(seed) + pair(seed, depth);
	case CROSSED:
		return own(seed) + crossed(seed, depth);
	case ARRAY:
		return own(seed) + array(seed, depth, n);
	case GROUP:
		return own(seed) + group(seed, depth, n);
	default:
		if (seed % RESTING == 0)
			rest(seed >> 20);
		return own(seed);
	}
}

/* ---- the trees of a run, and what must come out ---- */

#define TREES 16

static struct {
	uint64_t seed, value;
	unsigned depth;
} trees[TREES];

static unsigned size_of(uint64_t seed, unsigned depth, unsigned most)
{
	unsigned size = 1;

	for (unsigned i = 0, n = fan_of(seed, depth); i < n && size < most; i++)
		size += size_of(child(seed, i), below(seed, depth, i), most - size);
	return size;
}

/* Finds trees that are neither tiny nor huge. */
static void plant(void)
{
	struct filch__random random = filch__random_seed(test_seed());

	for (unsigned i = 0; i < TREES;) {
		uint64_t seed = filch__random_next(&random);
		unsigned depth = 2 + (unsigned)filch__random_below(&random, 18);
		unsigned size = size_of(seed, depth, 30000);

		if (size < 100 || size >= 30000)
			continue;
		trees[i].seed = seed;
		trees[i].depth = depth;
		trees[i++].value = serial(seed, depth);
	}
}

static void describe(const struct filch_pool_options *o, unsigned t)
{
	print_error("workers %u, policy %s, probabilistic %d, block steal %d, ask %s, "
	            "block size %zu, tree %u (seed %llu, depth %u)\n",
	            o->workers, o->policy ? o->policy : "-", o->probabilistic,
	            o->block_steal, o->ask ? o->ask : "-", o->block_size, t,
	            (unsigned long long)trees[t].seed, trees[t].depth);
}

/* Some trees on one pool. */
static void climb(const struct filch_pool_options *o, struct filch__random *random)
{
	size_t n = TEST_SLOW_BUILD ? 1 : 2;
	struct filch_pool *p;
	const char *why = "";

	if (filch_pool_create(&p, o, &why))
		fail_msg("%s", why);
	for (size_t i = 0; i < n; i++) {
		unsigned t = (unsigned)filch__random_below(random, TREES);
		uint64_t value = FILCH_RUN_ON(p, tree, trees[t].seed, trees[t].depth);

		if (value != trees[t].value) {
			describe(o, t);
			fail();
		}
	}
	assert_int_equal(filch_pool_destroy(p), 0);
}

static const unsigned workers_of[] = {1, 2, 8};

#define SIZE_OF(array) (sizeof(array) / sizeof *(array))
