/* SPDX-License-Identifier: MIT */
/* A pipeline: one counts, three work, one adds up. Whoever waits for a channel costs no
 * worker, so that this runs on one worker as well. */
#include <filch.h>
#include <filch/channel.h>
#include <stdio.h>

struct pair {
	unsigned n, steps;
};

/* How many steps n takes to 1: half of an even one, three times an odd one plus 1. */
static unsigned steps(unsigned long n)
{
	unsigned s = 0;

	for (; n != 1; s++)
		n = n % 2 ? 3 * n + 1 : n / 2;
	return s;
}

FILCH_TASK_VOID(count, (struct filch_channel *, numbers), (unsigned, most))
{
	for (unsigned n = 1; n <= most; n++)
		filch_channel_send(numbers, &n);
	filch_channel_close(numbers); /* the workers get what is left, and end */
}

FILCH_TASK_VOID(work, (struct filch_channel *, numbers), (struct filch_channel *, pairs))
{
	struct pair p;

	while (filch_channel_recv(numbers, &p.n) == 0) {
		p.steps = steps(p.n);
		filch_channel_send(pairs, &p);
	}
}

FILCH_TASK_VOID(work_in_three, (struct filch_channel *, numbers),
                (struct filch_channel *, pairs))
{
	struct filch_group group;

	filch_group_begin(&group);
	for (int i = 0; i < 3; i++)
		FILCH_GROUP_SPAWN(&group, work, numbers, pairs);
	filch_group_wait(&group);
	filch_channel_close(pairs);
}

FILCH_TASK(struct pair, longest, (unsigned, most))
{
	struct filch_channel *numbers = filch_channel_create(sizeof(unsigned), 64);
	struct filch_channel *pairs = filch_channel_create(sizeof(struct pair), 64);
	struct pair best = {0, 0}, p;

	if (!numbers || !pairs) {
		filch_channel_destroy(pairs);
		filch_channel_destroy(numbers);
		return best;
	}
	FILCH_SPAWN(x, count, numbers, most);
	FILCH_SPAWN(y, work_in_three, numbers, pairs);
	while (filch_channel_recv(pairs, &p) == 0)
		if (p.steps > best.steps)
			best = p;
	FILCH_JOIN(y);
	FILCH_JOIN(x);
	filch_channel_destroy(pairs);
	filch_channel_destroy(numbers);
	return best;
}

int main(void)
{
	struct pair best = FILCH_RUN(longest, 10000);

	if (!best.n) {
		fprintf(stderr, "no memory for the channels\n");
		return 1;
	}
	printf("%u takes %u steps\n", best.n, best.steps);
}
