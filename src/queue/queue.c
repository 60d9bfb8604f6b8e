/* SPDX-License-Identifier: MIT */
#include "queue/queue.h"

#include <errno.h>

static bool power_of_two(size_t n)
{
	return n && !(n & (n - 1));
}

int filch_queue_options_resolve(struct filch_queue_options *out,
                                const struct filch_queue_options *in, const char **why)
{
	size_t block_size = in && in->block_size ? in->block_size : 64;
	size_t blocks = in && in->blocks ? in->blocks : 8;
	const char *wrong = NULL;

	if (!power_of_two(block_size) || block_size > FILCH_BLOCK_SIZE_MAX)
		wrong = "block size must be a power of two from 1 to 32768";
	else if (!power_of_two(blocks) || blocks < 2 || blocks > FILCH_BLOCKS_MAX)
		wrong = "number of blocks must be a power of two from 2 to 1048576";
	if (wrong) {
		if (why)
			*why = wrong;
		return -EINVAL;
	}
	/* Field by field, because GenMC cannot copy a struct. */
	out->block_size = block_size;
	out->blocks = blocks;
	out->fixed = in && in->fixed;
	out->start = in ? in->start : 0;
	return 0;
}

const char *filch_result_name(enum filch_result r)
{
	static const char *const name[] = {"OK", "EMPTY", "RETRY", "FULL"};

	return (size_t)r < sizeof name / sizeof *name ? name[r] : "?";
}
