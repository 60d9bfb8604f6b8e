/* SPDX-License-Identifier: MIT */
/* For trace_signals.sh: works, says so, and then waits for a signal, or ends badly. */
#include <filch/task.h>
#include <filch/time.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

FILCH_TASK_VOID(work_a_while)
{
	filch_sleep(2000000);
}

/* A task that goes on until the process ends: a program that hangs. */
FILCH_TASK_VOID(hang)
{
	for (;;)
		filch_sleep(1000000);
}

FILCH_TASK_VOID(crash, (volatile int *, nothing))
{
	*nothing = 1;
}

int main(int argc, char **argv)
{
	const char *part = argc > 1 ? argv[1] : "";

	FILCH_RUN(work_a_while);
	printf("ready\n");
	fflush(stdout);
	if (!strcmp(part, "hang"))
		FILCH_RUN(hang);
	if (!strcmp(part, "abort"))
		abort();
	if (!strcmp(part, "crash"))
		FILCH_RUN(crash, NULL);
	return 0;
}
