/* SPDX-License-Identifier: MIT */
/* Channels: lines go to whoever is free, counts come back; a third channel tells of the
 * end. One task waits for both. */
#include <filch.h>
#include <stdio.h>

#define COUNTERS 3

struct desk {
	struct filch_channel *lines; /* const char *, to the counters */
	struct filch_channel *words; /* int, from the counters */
	struct filch_channel *done;  /* of nothing: a counter has gone home */
};

static int count_words(const char *line)
{
	int n = 0;

	for (int in = 0; *line; line++) {
		n += !in && *line != ' ';
		in = *line != ' ';
	}
	return n;
}

FILCH_TASK_VOID(counter, (struct desk *, d))
{
	const char *line;

	while (filch_channel_recv(d->lines, &line) == 0) {
		int n = count_words(line);

		filch_channel_send(d->words, &n);
	}
	filch_channel_send(d->done, NULL); /* lines is closed, and empty */
}

FILCH_TASK_VOID(reader, (struct desk *, d))
{
	static const char *const text[] = {"What is taken", "from a heap",
	                                   "is not missed", "until somebody",
	                                   "counts it",     ""};

	for (size_t i = 0; i < sizeof text / sizeof *text; i++)
		filch_channel_send(d->lines, &text[i]); /* waits while it is full */
	filch_channel_close(d->lines);
}

/* Whatever comes first, words or a counter that goes home, until all have. */
static int add_up(struct desk *d)
{
	int sum = 0, n = 0, home = 0;
	struct filch_case cases[] = {{.channel = d->words, .value = &n},
	                             {.channel = d->done}};

	while (home < COUNTERS)
		switch (filch_select(cases, 2)) {
		case 0:
			sum += n;
			break;
		case 1:
			home++;
			break;
		}
	while (filch_channel_try_recv(d->words, &n) == 0)
		sum += n;
	return sum;
}

FILCH_TASK(int, total, (struct desk *, d))
{
	struct filch_group group;
	int sum;

	filch_group_begin(&group);
	FILCH_GROUP_SPAWN(&group, reader, d);
	for (int i = 0; i < COUNTERS; i++)
		FILCH_GROUP_SPAWN(&group, counter, d);
	sum = add_up(d);
	filch_group_wait(&group);
	return sum;
}

int main(void)
{
	struct desk d = {filch_channel_create(sizeof(const char *), 2),
	                 filch_channel_create(sizeof(int), 2),
	                 filch_channel_create(0, 0)};

	if (!d.lines || !d.words || !d.done)
		return 1;
	printf("%d words\n", FILCH_RUN(total, &d));
	filch_channel_destroy(d.lines);
	filch_channel_destroy(d.words);
	filch_channel_destroy(d.done);
}
