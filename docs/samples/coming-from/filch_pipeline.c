/* SPDX-License-Identifier: MIT */
/* A pipeline with a way to stop it: the Go program of docs/coming-from.md in Filch. */
#include <filch.h>
#include <stdio.h>

struct pipeline {
	struct filch_channel *numbers, *squares, *stop;
};

FILCH_TASK_VOID(count, (struct pipeline *, p))
{
	int n = 1;
	struct filch_case cases[] = {
		{.channel = p->numbers, .way = FILCH_SEND, .value = &n},
		{.channel = p->stop}};

	while (filch_select(cases, 2) == 0)
		n++;
	filch_channel_close(p->numbers);
}

FILCH_TASK_VOID(square, (struct pipeline *, p))
{
	int n;

	while (filch_channel_recv(p->numbers, &n) == 0) {
		n *= n;
		filch_channel_send(p->squares, &n);
	}
	filch_channel_close(p->squares);
}

FILCH_TASK(int, add_squares, (struct pipeline *, p))
{
	int sum = 0, n;

	FILCH_SPAWN(x, count, p);
	FILCH_SPAWN(y, square, p);
	for (int i = 0; i < 100; i++)
		if (filch_channel_recv(p->squares, &n) == 0)
			sum += n;
	filch_channel_close(p->stop);
	while (filch_channel_recv(p->squares, &n) == 0)
		; /* what is still under way */
	FILCH_JOIN(y);
	FILCH_JOIN(x);
	return sum;
}

int main(void)
{
	struct pipeline p = {filch_channel_create(sizeof(int), 8),
	                     filch_channel_create(sizeof(int), 8),
	                     filch_channel_create(0, 0)};

	if (!p.numbers || !p.squares || !p.stop)
		return 1;
	printf("squares: %d\n", FILCH_RUN(add_squares, &p));
	filch_channel_destroy(p.numbers);
	filch_channel_destroy(p.squares);
	filch_channel_destroy(p.stop);
}
