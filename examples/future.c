/* SPDX-License-Identifier: MIT */
/* Asks several servers at once, takes the first answer and tells the others to stop; and
 * what none of them answers in time. */
#include <errno.h>
#include <filch.h>
#include <filch/future.h>
#include <stdio.h>
#include <string.h>

#define SERVERS 3

/* A slow answer: while it waits, its worker does other work. */
FILCH_TASK(int, ask, (int, server), (int, question))
{
	static const unsigned slow_ms[SERVERS] = {300, 20, 100};

	if (filch_sleep(slow_ms[server] * FILCH_MS) == -ECANCELED)
		return -ECANCELED;
	return question * 2;
}

/* The answer of whichever is first, or -ETIMEDOUT. */
FILCH_TASK(int, ask_all, (int, question), (uint64_t, deadline))
{
	struct filch_future *f[SERVERS];
	int first, answer, n = 0;

	for (int i = 0; i < SERVERS; i++) {
		f[n] = FILCH_GO(ask, i, question);
		n += f[n] != NULL; /* without memory for one, the others are asked */
	}
	first = n ? filch_await_any_until(f, (size_t)n, deadline) : -ENOMEM;
	answer = first < 0 ? first : FILCH_RESULT(ask, f[first]);
	while (n) {
		filch_future_cancel(f[--n]);
		filch_future_drop(f[n]);
	}
	return answer;
}

int main(void)
{
	int answer = FILCH_RUN(ask_all, 21, filch_after(10 * FILCH_S));

	if (answer < 0) {
		fprintf(stderr, "no answer: %s\n", strerror(-answer));
		return 1;
	}
	printf("the answer is %d\n", answer);
	if (FILCH_RUN(ask_all, 21, filch_after(5 * FILCH_MS)) == -ETIMEDOUT)
		printf("nobody answers in 5 ms\n");
}
