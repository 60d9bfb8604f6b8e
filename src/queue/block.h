/* SPDX-License-Identifier: MIT */
/*
 * One block of a BWoS queue: its entries, and the word by which owner and thieves hand a
 * range of them back and forth. See src/queue/README.md, "The block".
 *
 * From its low end, the word holds the index of the next entry to steal (16 bits), the
 * state (2 bits), and a tag that every grant changes (46 bits). Thieves move the index
 * with a compare-and-swap; only the owner changes the state and the tag.
 */
#ifndef FILCH_QUEUE_BLOCK_H
#define FILCH_QUEUE_BLOCK_H

#include <assert.h>
#include <stdalign.h>
#include <stdint.h>

#include "base/atomic.h"
#include "base/cpu.h"
#include "queue/queue.h"

enum filch__block_state {
	FILCH__HELD,   /* the whole block belongs to the owner */
	FILCH__OPEN,   /* [index, end) belongs to thieves; the owner works in the rest */
	FILCH__CLOSED, /* [index, end) belongs to thieves; the owner has left the block */
};

#define FILCH__INDEX_MASK 0xffffu
#define FILCH__STATE_SHIFT 16
#define FILCH__TAG_SHIFT 18

_Static_assert(FILCH_BLOCK_SIZE_MAX <= FILCH__INDEX_MASK, "an index must fit the word");

struct filch__block {
	/* Thieves write word and done; the owner writes all four when it hands entries
	 * over. */
	alignas(FILCH_LINE) _Atomic(uint64_t) word;
	_Atomic(uint64_t) level; /* place in the order; set while HELD */
	_Atomic(uint32_t) done;  /* entries that thieves have finished with; wraps */
	_Atomic(uint32_t) end;   /* end of the grant; set while HELD, raised while OPEN */

	/* Used by the owner alone. The number of entries reserved is claimed + (index -
	 * from); thieves have finished with all of them when it equals done. */
	alignas(FILCH_LINE) uint64_t tag;
	enum filch__block_state state;
	uint32_t size;             /* constant */
	uint32_t from;             /* index at the last grant */
	uint32_t claimed;          /* entries reserved under earlier grants; wraps */
	uint32_t read_lo, read_hi; /* thieves have read [lo, hi) since the last recall */
	struct filch__block *next_aside;
	struct filch__block *next_all;

	alignas(FILCH_LINE) filch_entry entry[];
};

_Static_assert(offsetof(struct filch__block, entry) == 2 * FILCH_LINE,
               "two lines of head");

static inline uint64_t filch__word(uint64_t tag, enum filch__block_state s,
                                   uint32_t index)
{
	return tag << FILCH__TAG_SHIFT | (uint64_t)s << FILCH__STATE_SHIFT | index;
}

static inline uint32_t filch__word_index(uint64_t word)
{
	return (uint32_t)(word & FILCH__INDEX_MASK);
}

static inline enum filch__block_state filch__word_state(uint64_t word)
{
	return (enum filch__block_state)(word >> FILCH__STATE_SHIFT & 3);
}

/* The result of a slow get, returned in registers: if the caller passed a pointer to its
 * variable, the fast path could not keep that variable in a register. */
struct filch__got {
	enum filch_result result;
	filch_entry entry;
#ifdef VERIFY_GENMC
	uint64_t more; /* too large for registers: GenMC returns no struct in them */
#endif
};

static inline enum filch_result filch__got(struct filch__got got, filch_entry *e)
{
	if (got.result == FILCH_OK)
		*e = got.entry;
	return got.result;
}

/* ---- the owner ---- */

static inline uint32_t filch__block_end(const struct filch__block *b)
{
	return load_rlx(&b->end); /* owner wrote it */
}

/* Hands entries [from, end) to the thieves. The block must be HELD. */
static inline void filch__block_grant(struct filch__block *b,
                                      enum filch__block_state state, uint32_t from,
                                      uint32_t end)
{
	assert(b->state == FILCH__HELD && state != FILCH__HELD);
	assert(from <= end && end <= b->size);
	b->state = state;
	b->from = from;
	/* B5 release: pairs with the acquire in filch__block_look(); carries the takeover
	 * before this grant, so that a thief that sees this end cannot use an older
	 * word. */
	store_rel(&b->end, end);
	/* B1 release: pairs with the acquire in filch__block_look(); carries the entries
	 * below end, end itself, and the block that was prepared above a closed one. */
	store_rel(&b->word, filch__word(++b->tag, state, from));
}

/* Adds entries to an OPEN grant, which may be drained. */
static inline void filch__block_extend(struct filch__block *b, uint32_t end)
{
	assert(b->state == FILCH__OPEN && end >= filch__block_end(b) && end <= b->size);
	/* B5 release: pairs with the acquire in filch__block_look(); carries the entries
	 * that it adds. */
	store_rel(&b->end, end);
}

/* Takes back the entries that thieves have not reserved: [result, end). The block must not
 * be HELD. It never waits: a thief may still be reading the entries that it reserved. */
static inline uint32_t filch__block_take(struct filch__block *b)
{
	uint64_t old;
	uint32_t index;

	assert(b->state != FILCH__HELD);
	/* Relaxed: the owner reads only what it wrote, and publishes nothing. */
	old = xchg_rlx(&b->word, filch__word(b->tag, FILCH__HELD, 0));
	index = filch__word_index(old);
	b->state = FILCH__HELD;
	b->claimed += index - b->from;
	if (index != b->from) {
		b->read_lo = b->from < b->read_lo ? b->from : b->read_lo;
		b->read_hi = index > b->read_hi ? index : b->read_hi;
	}
	return index;
}

/* Returns true if thieves have finished with all entries of this HELD block that they
 * reserved, so that the owner may overwrite these. */
static inline bool filch__block_idle(struct filch__block *b)
{
	assert(b->state == FILCH__HELD);
	/* B2 acquire: pairs with the release in filch__block_finish(); carries the
	 * thieves' reads, which must come before the owner's next write. */
	return load_acq(&b->done) == b->claimed;
}

/* The processor prefetches for a thief by about this many lines (measured). */
#define FILCH__READ_AHEAD 32

/* Regains the lines that thieves have read, for writing, before the owner fills the HELD
 * and idle block again. These lines are shared, and a write to a shared line waits for the
 * other core. Stores to one line after the other overlap their waits; the stores of a run
 * of puts do not, because few lines fit the store buffer at a time. (A prefetch for
 * writing does not help: it is satisfied with a line that is present for reading.) */
static inline void filch__block_recall(struct filch__block *b)
{
	const uint32_t line = FILCH_LINE / sizeof b->entry[0];
	uint32_t end = b->read_hi + FILCH__READ_AHEAD * line;

	if (!b->read_hi)
		return;
	assert(filch__block_idle(b));
	for (uint32_t i = b->read_lo / line * line; i < end && i < b->size; i += line)
		*(volatile filch_entry *)&b->entry[i] = 0;
	b->read_lo = UINT32_MAX;
	b->read_hi = 0;
}

/* Returns true if thieves have reserved all entries of the grant. This stays true until the
 * owner extends the grant or ends it. */
static inline bool filch__block_drained(struct filch__block *b)
{
	/* Relaxed: the oldest value that the owner can see is its own grant. */
	return b->state != FILCH__HELD &&
	       filch__word_index(load_rlx(&b->word)) == filch__block_end(b);
}

/* ---- a thief ---- */

struct filch__block_look {
	uint64_t word;
	enum filch__block_state state;
	uint32_t index, left; /* the entries [index, index + left) may be reserved */
};

/* Entries reserved by a thief and not yet finished. */
struct filch__claim {
	struct filch__block *block;
	uint32_t index, count;
};

static inline struct filch__block_look filch__block_look(struct filch__block *b)
{
	struct filch__block_look l;
	uint32_t end;

	/* B1 acquire: pairs with the release in filch__block_grant(); carries the entries
	 * and the end of the grant that the thief sees. */
	l.word = load_acq(&b->word);
	l.state = filch__word_state(l.word);
	l.index = filch__word_index(l.word);
	/* B5 acquire: pairs with the releases in filch__block_grant() and
	 * filch__block_extend(); carries the takeover that ended the grant seen above, if
	 * this is the end of a later grant, and the entries that an extension added. */
	end = load_acq(&b->end);
	l.left = l.state != FILCH__HELD && l.index < end ? end - l.index : 0;
	return l;
}

/* Returns true if the owner has gone up from this block and all of it is reserved; then it
 * stays so for as long as the block has its level. The look may have combined the word of
 * one grant with the end or the level of a later one; in that case the word has changed
 * since, and the result is false. */
static inline bool filch__block_drained_for_good(struct filch__block *b,
                                                 struct filch__block_look l)
{
	uint64_t now = load_rlx(&b->word); /* not older than end and level: B5, B6 */

	return l.state == FILCH__CLOSED && !l.left && now == l.word;
}

static inline uint64_t filch__block_level(struct filch__block *b)
{
	/* B6 acquire: pairs with the release in filch__order_fresh(); carries the
	 * takeover of the block from its previous level. */
	return load_acq(&b->level);
}

/* Reserves up to `want` entries. Returns false if the block has changed since the look.
 * Relaxed: a tag is used once, so the look has already acquired this very grant. */
static inline bool filch__block_reserve(struct filch__block *b,
                                        struct filch__block_look l, size_t want,
                                        struct filch__claim *c)
{
	uint32_t n = want < l.left ? (uint32_t)want : l.left;

	assert(n > 0);
	c->block = b;
	c->index = l.index;
	c->count = n;
	return cas_rlx(&b->word, &l.word, l.word + n); /* acquired by the look */
}

/* Copies the reserved entries out and lets the owner use their room again. */
static inline void filch__block_finish(const struct filch__claim *c, filch_entry *out)
{
	for (uint32_t i = 0; i < c->count; i++)
		out[i] = c->block->entry[c->index + i];
	/* B2 release: pairs with the acquire in filch__block_idle(); carries the reads
	 * above. */
	add_rel(&c->block->done, c->count);
}

/* The second half of a steal whose first half returned `r`. */
static inline enum filch_result filch__steal_finish(enum filch_result r,
                                                    const struct filch__claim *c,
                                                    filch_entry *out, size_t *n)
{
	*n = 0;
	if (r == FILCH_OK) {
		filch__block_finish(c, out);
		*n = c->count;
	}
	return r;
}

#endif
