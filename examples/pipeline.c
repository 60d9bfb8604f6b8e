/* SPDX-License-Identifier: MIT */
/* A pipeline: blocks of text are made in order, compressed at the same time, and written
 * in order. However many there are, at most eight are in memory. */
#include <errno.h>
#include <filch/pipeline.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCKS 200
#define SIZE 4096

struct block {
	size_t size;
	unsigned char text[SIZE];
};

static int make(void **item, void *context)
{
	unsigned *made = context;
	struct block *b;

	if (*made == BLOCKS)
		return 0; /* no item: the end */
	b = malloc(sizeof *b);
	if (!b)
		return -ENOMEM; /* ends the pipeline, which returns this */
	b->size = SIZE;
	for (unsigned i = 0; i < SIZE; i++)
		b->text[i] = (unsigned char)('a' + i * (*made + 1) / 1000 % 26);
	++*made;
	*item = b;
	return 0;
}

/* Runs of a letter become a number and the letter. */
static int compress(void **item, void *context)
{
	struct block *b = *item;
	size_t out = 0, end;

	(void)context;
	for (size_t i = 0; i < b->size; i = end) {
		unsigned char letter = b->text[i];

		for (end = i + 1;
		     end < b->size && end - i < 255 && b->text[end] == letter;)
			end++;
		if (end - i > 1)
			b->text[out++] = (unsigned char)(end - i);
		b->text[out++] = letter;
	}
	b->size = out;
	return 0;
}

struct archive {
	size_t bytes;
	unsigned long check; /* depends on the order */
};

static int write_out(void **item, void *context)
{
	struct archive *a = context;
	struct block *b = *item;

	a->bytes += b->size;
	for (size_t i = 0; i < b->size; i++)
		a->check = (a->check * 31 + b->text[i]) % 1000003;
	free(b);
	return 0;
}

int main(void)
{
	unsigned made = 0;
	struct archive archive = {0, 0};
	struct filch_stage stage[] = {{FILCH_SERIAL, make, &made},
	                              {FILCH_PARALLEL, compress, NULL},
	                              {FILCH_SERIAL, write_out, &archive}};
	int err = filch_pipeline(stage, 3, 8, free);

	if (err) {
		fprintf(stderr, "the pipeline ended early: %s\n", strerror(-err));
		return 1;
	}
	printf("%u blocks, %zu bytes, check %lu\n", made, archive.bytes, archive.check);
}
