/* SPDX-License-Identifier: MIT */
/* Words by how often they occur: two sorts with the signature of qsort_r(), the second of
 * which keeps the order of the first among words that are equally frequent. */
#include <filch/sort.h>
#include <stdio.h>
#include <string.h>

struct word {
	const char *text;
	unsigned count;
};

static int by_text(const void *a, const void *b, void *context)
{
	(void)context;
	return strcmp(((const struct word *)a)->text, ((const struct word *)b)->text);
}

static int by_count(const void *a, const void *b, void *context)
{
	unsigned x = ((const struct word *)a)->count, y = ((const struct word *)b)->count;

	(void)context;
	return (x < y) - (x > y); /* most frequent first */
}

int main(void)
{
	struct word words[] = {{"thief", 0}, {"owner", 0}, {"queue", 0}, {"block", 0},
	                       {"grant", 0}, {"steal", 0}, {"spawn", 0}};
	const size_t n = sizeof words / sizeof *words;

	for (unsigned i = 0; i < 1000; i++)
		words[i * i % n].count++;
	filch_sort(words, n, sizeof *words, by_text, NULL);
	filch_stable_sort(words, n, sizeof *words, by_count, NULL);
	for (size_t i = 0; i < n; i++)
		printf("%u %s\n", words[i].count, words[i].text);
}
