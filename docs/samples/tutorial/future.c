/* SPDX-License-Identifier: MIT */
/* Futures: tasks that outlive the function that starts them. A price is asked for early,
 * and awaited by whoever needs it; what takes too long is cancelled. */
#include <errno.h>
#include <filch.h>
#include <stdio.h>

FILCH_TASK(int, price, (int, item), (unsigned, slow_ms))
{
	if (filch_sleep(slow_ms * FILCH_MS) == -ECANCELED)
		return -ECANCELED;
	return item * 100;
}

/* Gives them back unfinished: the caller awaits, and drops them. */
static void ask(struct filch_future *f[2])
{
	f[0] = FILCH_GO(price, 3, 5);
	f[1] = FILCH_GO(price, 4, 60000);
}

FILCH_TASK_VOID(shop)
{
	struct filch_future *f[2];
	int first;

	ask(f);
	first = filch_await_any(f, 2);
	printf("item %d is the first: %d\n", first, FILCH_AWAIT(price, f[first]));

	if (filch_await_until(f[1], filch_after(20 * FILCH_MS)) == -ETIMEDOUT)
		printf("item 1 takes too long\n");
	filch_future_cancel(f[1]); /* its sleep ends, with -ECANCELED */
	if (FILCH_AWAIT(price, f[1]) == -ECANCELED)
		printf("item 1 was cancelled\n");
	for (int i = 0; i < 2; i++)
		filch_future_drop(f[i]);
}

int main(void)
{
	FILCH_RUN(shop);
}
