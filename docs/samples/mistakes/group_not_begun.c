/* SPDX-License-Identifier: MIT */
/* A mistake: a group that was not begun. */
#include <filch.h>

FILCH_TASK_VOID(nothing)
{
}

FILCH_TASK_VOID(spawns)
{
	struct filch_group g = {0};

	FILCH_GROUP_SPAWN(&g, nothing);
	filch_group_wait(&g);
}

int main(void)
{
	FILCH_RUN(spawns);
}
