/* SPDX-License-Identifier: MIT */
/* A loop whose iterations wait: offered one by one, and at once, by a grain of 1. */
#include <filch.h>
#include <stdio.h>

#define HOSTS 200

static int ask_hosts(size_t begin, size_t end, void *context)
{
	int *answer = context;

	for (size_t i = begin; i < end; i++) {
		filch_sleep(20 * FILCH_MS); /* stands for a question and its answer */
		answer[i] = 1;
	}
	return 0;
}

int main(void)
{
	static int answer[HOSTS];
	int n = 0;

	filch_for_grain(0, HOSTS, 1, ask_hosts, answer);
	for (int i = 0; i < HOSTS; i++)
		n += answer[i];
	printf("%d answers\n", n);
}
