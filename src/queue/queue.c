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
	struct filch_queue_options o = in ? *in : (struct filch_queue_options){0};
	const char *wrong = NULL;

	if (!o.block_size)
		o.block_size = 64;
	if (!o.blocks)
		o.blocks = 8;
	if (!power_of_two(o.block_size) || o.block_size > FILCH_BLOCK_SIZE_MAX)
		wrong = "block size must be a power of two from 1 to 32768";
	else if (!power_of_two(o.blocks) || o.blocks < 2 || o.blocks > FILCH_BLOCKS_MAX)
		wrong = "number of blocks must be a power of two from 2 to 1048576";
	if (wrong) {
		if (why)
			*why = wrong;
		return -EINVAL;
	}
	*out = o;
	return 0;
}

const char *filch_result_name(enum filch_result r)
{
	static const char *const name[] = {"OK", "EMPTY", "RETRY", "FULL"};

	return (size_t)r < sizeof name / sizeof *name ? name[r] : "?";
}
