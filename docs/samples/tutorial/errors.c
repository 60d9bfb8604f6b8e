/* SPDX-License-Identifier: MIT */
/* Errors and cancelling: all records are checked; the first bad one ends the work. */
#include <errno.h>
#include <filch.h>
#include <stdio.h>
#include <string.h>

#define RECORDS 1000

struct job {
	struct filch_group group;
	struct filch_mutex lock;
	int bad, error; /* the record that was refused, and why */
};

/* Some see at once what is wrong; the others would take an hour. 0, -EILSEQ, or
 * -ECANCELED if nobody needs to know any more. */
static int check(int record)
{
	if (record == 7)
		return -EILSEQ;
	return filch_sleep(3600 * FILCH_S);
}

FILCH_TASK_VOID(check_one, (struct job *, j), (int, record))
{
	int result = check(record);

	if (result == 0 || result == -ECANCELED)
		return;
	filch_mutex_lock(&j->lock);
	if (!j->error) {
		j->error = result;
		j->bad = record;
	}
	filch_mutex_unlock(&j->lock);
	filch_group_cancel(&j->group); /* the others wait in vain: they need not */
}

FILCH_TASK(int, check_all, (struct job *, j))
{
	filch_group_begin(&j->group);
	for (int record = 1; record <= RECORDS; record++)
		if (FILCH_GROUP_SPAWN(&j->group, check_one, j, record) == -ECANCELED)
			break; /* and nothing was spawned */
	return filch_group_wait(&j->group);
}

int main(void)
{
	static struct job j;

	if (FILCH_RUN(check_all, &j) == -ECANCELED)
		printf("record %d: %s\n", j.bad, strerror(-j.error));
}
