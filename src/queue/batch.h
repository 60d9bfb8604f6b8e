/* SPDX-License-Identifier: MIT */
/*
 * steal_batch for queues whose thieves can only take one entry at a time.
 */
#ifndef FILCH_QUEUE_BATCH_H
#define FILCH_QUEUE_BATCH_H

/* The body of a steal_batch. It returns OK if at least one entry was taken, and otherwise
 * the result of the first steal. It is a macro, because the thief's type differs. */
#define FILCH__STEAL_ONE_BY_ONE(steal, thief, out, max, n) \
	do {                                               \
		enum filch_result r_ = FILCH_EMPTY;        \
		size_t max_ = (max);                       \
                                                           \
		for (*(n) = 0; *(n) < max_; ++*(n)) {      \
			r_ = steal((thief), &(out)[*(n)]); \
			if (r_ != FILCH_OK)                \
				break;                     \
		}                                          \
		return *(n) ? FILCH_OK : r_;               \
	} while (0)

#endif
