/* SPDX-License-Identifier: MIT */
/* Waiting: ten thousand strands that sleep, one that reads a file, one that calls a
 * function that blocks; and no thread waits for any of the sleepers. */
#include <fcntl.h>
#include <filch.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SLEEPERS 10000

FILCH_TASK_VOID(sleeper)
{
	filch_sleep(50 * FILCH_MS);
}

/* How many lines a file has, or a negative errno. */
FILCH_TASK(long, lines, (const char *, path))
{
	int fd = filch_openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
	char buffer[4096];
	long count = 0;
	ssize_t n;

	if (fd < 0)
		return fd;
	while ((n = filch_read_until(fd, buffer, sizeof buffer, filch_after(FILCH_S))) >
	       0)
		for (ssize_t i = 0; i < n; i++)
			count += buffer[i] == '\n';
	filch_close(fd);
	return n < 0 ? n : count;
}

/* Stands for a library that knows nothing of strands, and blocks its thread. */
static void *old_library(void *argument)
{
	usleep(10000);
	return argument;
}

FILCH_TASK_VOID(everything, (const char *, path))
{
	struct filch_group group;
	char answer[] = "answered";

	filch_group_begin(&group);
	for (int i = 0; i < SLEEPERS; i++)
		FILCH_GROUP_SPAWN(&group, sleeper);
	FILCH_SPAWN(count, lines, path);
	printf("the library has %s\n", (char *)filch_blocking(old_library, answer));
	printf("%ld lines\n", FILCH_JOIN(count));
	filch_group_wait(&group);
	printf("%d sleepers are awake\n", SLEEPERS);
}

int main(void)
{
	char path[] = "/tmp/filch-waiting-XXXXXX";
	int fd = mkstemp(path);

	if (fd < 0 || write(fd, "one\ntwo\nthree\n", 14) != 14)
		return 1;
	FILCH_RUN(everything, path);
	close(fd);
	unlink(path);
}
