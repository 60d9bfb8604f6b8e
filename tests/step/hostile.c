/* SPDX-License-Identifier: MIT */
/*
 * Functions whose frames are hard to search: each makes the compiler do something else
 * with the records, their arguments or the stack around them.
 */
#include <alloca.h>
#include <filch.h>
#include <string.h>

#include "tests/step/step.h"

/* ---- what is spawned ---- */

FILCH_STATIC_TASK(long, leaf, (long, n))
{
	STEP_RUN();
	return 3 * n + 1;
}

FILCH_STATIC_TASK_VOID(add_to, (long *, sum), (long, n))
{
	STEP_RUN();
	*sum = *sum * 2 + n;
}

FILCH_STATIC_TASK(double, mixed, (char, a), (double, b), (short, c), (float, d),
                  (long, e), (const char *, f), (unsigned char, g), (int, h))
{
	STEP_RUN();
	return a + b * c + (double)d * (double)e + f[0] + g - h;
}

struct large {
	long v[9];
};

FILCH_STATIC_TASK(struct large, reversed, (struct large, x))
{
	struct large y;

	STEP_RUN();
	for (int i = 0; i < 9; i++)
		y.v[i] = x.v[8 - i] * (i + 1);
	return y;
}

FILCH_STATIC_TASK(long, fib, (int, n))
{
	STEP_RUN();
	if (n < 2)
		return n;
	FILCH_SPAWN(x, fib, n - 1);
	long y = FILCH_CALL(fib, n - 2);

	return y + FILCH_JOIN(x);
}

/* ---- hostile functions ---- */

FILCH_STATIC_TASK(long, recursion)
{
	return FILCH_CALL(fib, 4);
}

FILCH_STATIC_TASK(long, newest_first)
{
	FILCH_SPAWN(a, leaf, 1);
	FILCH_SPAWN(b, leaf, 2);
	FILCH_SPAWN(c, leaf, 3);
	long sum = 100 * FILCH_JOIN(c);

	sum += 10 * FILCH_JOIN(b);
	return sum + FILCH_JOIN(a);
}

FILCH_STATIC_TASK(long, oldest_first)
{
	FILCH_SPAWN(a, leaf, 1);
	FILCH_SPAWN(b, leaf, 2);
	FILCH_SPAWN(c, leaf, 3);
	long sum = 100 * FILCH_JOIN(a);

	sum += 10 * FILCH_JOIN(b);
	return sum + FILCH_JOIN(c);
}

/* The same record is used again and again. */
FILCH_STATIC_TASK(long, one_slot)
{
	long sum = 0;

	for (long i = 0; i < 4; i++) {
		FILCH_SPAWN(x, leaf, i + sum);
		sum += i;
		sum += FILCH_JOIN(x);
	}
	return sum;
}

FILCH_STATIC_TASK(long, frames_in_an_array)
{
	volatile int most = 5;
	int n = most;
	FILCH_FRAME(leaf) part[n];
	long sum = 0;

	for (int i = 0; i < n; i++)
		FILCH_SPAWN_AT(&part[i], leaf, (long)i * i);
	for (int i = 0; i < n; i += 2)
		sum = sum * 3 + FILCH_JOIN_AT(&part[i], leaf);
	for (int i = 1; i < n; i += 2)
		sum = sum * 3 + FILCH_JOIN_AT(&part[i], leaf);
	return sum;
}

/* The stack pointer moves between spawn and join. */
FILCH_STATIC_TASK(long, moving_stack)
{
	volatile size_t bytes = 700;
	long sum = 0;

	FILCH_SPAWN(x, leaf, 5);
	char *p = alloca(bytes);

	memset(p, 0x6d, bytes);
	FILCH_SPAWN(y, leaf, p[bytes / 2]);
	sum += FILCH_JOIN(x);
	return sum * p[3] + FILCH_JOIN(y);
}

FILCH_STATIC_TASK(long, many_kinds)
{
	struct large in = {{1, 2, 3, 4, 5, 6, 7, 8, 9}}, out;

	FILCH_SPAWN(x, mixed, 'a', 2.5, 7, 0.25f, 12, "z", 200, -4);
	FILCH_SPAWN(y, reversed, in);
	in.v[4] = 1000; /* the task has a copy */
	out = FILCH_JOIN(y);
	return (long)(FILCH_JOIN(x) * 8) + out.v[0] + out.v[4] * 2 + in.v[4];
}

/* A task reads what was written just before the spawn, and its writes are read just
 * behind the join. */
FILCH_STATIC_TASK(long, through_memory)
{
	long here = 1, there = 2;

	here = 11;
	FILCH_SPAWN(x, add_to, &here, 5);
	there = 12;
	FILCH_SPAWN(y, add_to, &there, 6);
	FILCH_JOIN(x);
	here++;
	FILCH_JOIN(y);
	FILCH_SPAWN(z, add_to, &here, there);
	FILCH_JOIN(z);
	return here * 1000 + there;
}

FILCH_STATIC_TASK(long, in_branches)
{
	volatile int way = 0;
	long sum = 0;

	for (int i = 0; i < 3; i++) {
		FILCH_SPAWN(x, leaf, i);
		if ((way ^ i) & 1) {
			FILCH_SPAWN(y, leaf, 10 + i);
			sum += FILCH_JOIN(x) * 7;
			sum += FILCH_JOIN(y);
			continue;
		}
		switch (i) {
		case 0:
			sum -= FILCH_JOIN(x);
			break;
		default:
			sum += i * FILCH_JOIN(x);
		}
	}
	return sum;
}

FILCH_STATIC_TASK(long, tail)
{
	FILCH_SPAWN(x, leaf, 77);
	return FILCH_JOIN(x);
}

/* More values than registers live over spawn and join. */
FILCH_STATIC_TASK(long, pressure)
{
	volatile long seed = 3;
	long a = seed, b = a * 3, c = b ^ a, d = c + b, e = d * a, f = e - c, g = f ^ d,
	     h = g * 5, i = h + e, j = i ^ b;

	FILCH_SPAWN(x, leaf, a + j);
	FILCH_SPAWN(y, leaf, b + i);
	long sum = a + b * 2 + c * 3 + d * 4 + e * 5 + f * 6 + g * 7 + h * 8 + i * 9 + j;

	sum ^= FILCH_JOIN(y) * (a + c);
	return (sum ^ FILCH_JOIN(x)) + b * d + e * f + g * h + i * j;
}

/* Copies of a frame with a spawned task lie beside it: they are no tasks. */
FILCH_STATIC_TASK(long, copies)
{
	FILCH_FRAME(leaf) x, copy[3];
	long sum;

	FILCH_SPAWN_AT(&x, leaf, 9);
	for (int i = 0; i < 3; i++)
		memcpy(&copy[i], &x, sizeof x);
	__asm__ volatile("" : : "r"(copy) : "memory");
	sum = FILCH_JOIN_AT(&x, leaf);
	__asm__ volatile("" : : "r"(copy) : "memory");
	return sum;
}

/* A task of a group runs within the waiting strand, and spawns itself. */
FILCH_STATIC_TASK_VOID(spawns_in_a_group, (long *, sum))
{
	STEP_RUN();
	FILCH_SPAWN(x, leaf, 4);
	long own = 5;

	*sum += own + FILCH_JOIN(x);
}

FILCH_STATIC_TASK(long, in_a_group)
{
	struct filch_group g;
	long sum = 1;

	filch_group_begin(&g);
	FILCH_GROUP_SPAWN(&g, spawns_in_a_group, &sum);
	FILCH_SPAWN(x, leaf, 6);
	long other = FILCH_JOIN(x);

	filch_group_wait(&g);
	return sum * 10 + other;
}

/* Leaves bytes below the caller's frame that are no addresses. */
static __attribute__((noinline)) void litter(void)
{
	char used[512];

	memset(used, 0x6d, sizeof used);
	__asm__ volatile("" : : "r"(used) : "memory");
}

/* A task is private while a task of a group begins: a question at any instruction finds
 * it, and looks for its group among the scopes, which must be in memory by then. */
FILCH_STATIC_TASK(long, around_a_group)
{
	struct filch_group g;
	long sum = 1;

	FILCH_SPAWN(x, leaf, 6);
	filch_group_begin(&g);
	FILCH_GROUP_SPAWN(&g, spawns_in_a_group, &sum);
	litter();
	filch_group_wait(&g);
	return sum * 10 + FILCH_JOIN(x);
}

#define HOSTILE(name)          \
	{                      \
#name, name, 0 \
	}
const struct hostile hostile[] = {
	HOSTILE(recursion),
	HOSTILE(newest_first),
	HOSTILE(oldest_first),
	HOSTILE(one_slot),
	HOSTILE(frames_in_an_array),
	HOSTILE(moving_stack),
	HOSTILE(many_kinds),
	HOSTILE(through_memory),
	HOSTILE(in_branches),
	HOSTILE(tail),
	HOSTILE(pressure),
	HOSTILE(copies),
	{"in_a_group", in_a_group, 1},
	{"around_a_group", around_a_group, 1},
};
const size_t hostiles = sizeof hostile / sizeof *hostile;
