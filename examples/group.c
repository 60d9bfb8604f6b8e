/* SPDX-License-Identifier: MIT */
/* A search that stops when something is found: any number of tasks, waited for together,
 * and cancelled. */
#include <errno.h>
#include <filch.h>
#include <stdio.h>

/* Looks for a number below 2^28 with this hash, a slice a task. */
FILCH_TASK_VOID(search, (struct filch_group *, group), (unsigned, first), (unsigned, n),
                (unsigned, hash), (unsigned *, found))
{
	for (unsigned i = first; i < first + n; i++) {
		if (i % 4096 == 0 && filch_group_cancelled(group))
			return;
		if (i * 2654435761u == hash) {
			*found = i;
			filch_group_cancel(group);
			return;
		}
	}
}

FILCH_TASK(unsigned, crack, (unsigned, hash))
{
	const unsigned slice = 1u << 20;
	struct filch_group group;
	unsigned found = 0;

	filch_group_begin(&group);
	for (unsigned i = 0; i < 256; i++)
		if (FILCH_GROUP_SPAWN(&group, search, &group, i * slice, slice, hash,
		                      &found) == -ECANCELED)
			break;
	filch_group_wait(&group);
	return found;
}

int main(void)
{
	printf("found %u\n", FILCH_RUN(crack, 123456789u * 2654435761u));
}
