/* SPDX-License-Identifier: MIT */
/* A mistake: a way out between the begin of a group and the wait. Tasks of the group would
 * write to a frame that is gone. */
#include <filch.h>
#include <stdio.h>

FILCH_TASK_VOID(say, (int, n))
{
	printf("%d\n", n);
}

FILCH_TASK(int, say_all, (int, n))
{
	struct filch_group g;

	filch_group_begin(&g);
	if (n < 1)
		return 0; /* g is not waited for */
	for (int i = 0; i < n; i++)
		FILCH_GROUP_SPAWN(&g, say, i);
	filch_group_wait(&g);
	return n;
}

int main(void)
{
	printf("%d\n", FILCH_RUN(say_all, 0));
}
