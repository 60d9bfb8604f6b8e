/* SPDX-License-Identifier: MIT */
#include "explore/plain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "explore/graph.h"
#include "explore/search.h"

#define ARENA ((size_t)128 << 10) /* for each thread */
#define GRAIN 4                  /* smaller neighbours count as one */
#define STATE_MAX ((size_t)256 << 10)
#define BLOCKS 256

enum use { NEVER, PLAIN, ATOMIC, FREED };

/* One grain of memory. */
struct cell {
	uint32_t run; /* of another run: as if new */
	uint8_t use, writer;
	uint16_t written;
	uint16_t read[EXPLORE_THREADS];
	uint16_t touched[EXPLORE_THREADS]; /* last atomic access */
	const void *write_pc, *read_pc[EXPLORE_THREADS];
};

struct allocation {
	uintptr_t at;
	size_t size;
	bool freed;
};

static char *arena;
static struct cell *arena_cells, *state_cells;
static size_t used[EXPLORE_THREADS];
static struct allocation allocation[BLOCKS];
static int allocations;
static uint32_t run;
static uint64_t accesses; /* hash of all cells */

void plain_reset(void)
{
	if (!arena) {
		size_t cells = EXPLORE_THREADS * ARENA / GRAIN;

		arena = mmap((void *)0x200000000000, EXPLORE_THREADS * ARENA,
		             PROT_READ | PROT_WRITE,
		             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
		arena_cells = calloc(cells, sizeof *arena_cells);
		state_cells = calloc(STATE_MAX / GRAIN, sizeof *state_cells);
		if (arena == MAP_FAILED || !arena_cells || !state_cells ||
		    explore_state_size > STATE_MAX) {
			fprintf(stderr, "explore: no memory for the client\n");
			exit(2);
		}
	}
	memset(explore_state, 0, explore_state_size);
	memset(used, 0, sizeof used);
	allocations = 0;
	accesses = 0;
	run++;
}

bool plain_static(uintptr_t at)
{
	return at - (uintptr_t)explore_state < explore_state_size;
}

/* NULL for memory that is not watched: stacks and constants. */
static struct cell *cell_at(uintptr_t at)
{
	struct cell *c;

	if (at - (uintptr_t)arena < EXPLORE_THREADS * ARENA)
		c = &arena_cells[(at - (uintptr_t)arena) / GRAIN];
	else if (plain_static(at))
		c = &state_cells[(at - (uintptr_t)explore_state) / GRAIN];
	else
		return NULL;
	if (c->run != run) {
		memset(c, 0, sizeof *c);
		c->run = run;
		c->use = plain_static(at) ? PLAIN : NEVER;
	}
	return c;
}

static void count(const struct cell *c, int sign)
{
	uint64_t h = (uintptr_t)c, half[2];

	if (graph.identity == BY_GRAPH)
		return; /* they follow from the graph */
	_Static_assert(sizeof half == sizeof c->read, "times are two words");
	memcpy(half, c->read, sizeof half);
	h = h * 0x9e3779b97f4a7c15u + ((uint64_t)c->written << 8 | c->writer);
	h = graph_mix((h ^ half[0]) * 0xd6e8feb86659fd93u + half[1]);
	accesses += sign > 0 ? h : -h;
}

void plain_identify(uint64_t h[2])
{
	h[0] += accesses;
	h[1] += graph_mix(accesses);
}

static const char *thread_of(int t)
{
	return search.thread[t].name;
}

uint64_t plain_contents(void)
{
	uint64_t h = 0;

	for (int i = -1; i < allocations; i++) {
		uintptr_t from = i < 0 ? (uintptr_t)explore_state : allocation[i].at;
		size_t size = i < 0 ? explore_state_size : allocation[i].size;

		for (uintptr_t p = from; p < from + size; p += GRAIN) {
			const struct cell *c = cell_at(p);

			if (c->use == PLAIN && c->written)
				h = graph_mix(h + p + *(const uint32_t *)p);
		}
	}
	return h;
}

_Noreturn static void race(const char *what, int thread, const void *pc, uintptr_t at,
                           const char *other_what, int other, const void *other_pc)
{
	char here[300];

	snprintf(here, sizeof here, "%s", plain_where(pc));
	explore_fail("", 0,
	             "data race on %s: %s by %s at %s, unordered with %s by %s at %s",
	             plain_name(at), what, thread_of(thread), here, other_what,
	             thread_of(other), plain_where(other_pc));
}

/* The checks that a plain read and write share: what was written before is known. */
static void check_written(struct cell *c, const char *what, int thread, const void *pc,
                          uintptr_t at)
{
	const struct clock *now = &graph.thread[thread].now;

	if (c->use == FREED)
		explore_fail("", 0, "%s of freed memory, %s, by %s at %s", what,
		             plain_name(at), thread_of(thread), plain_where(pc));
	if (c->use == ATOMIC)
		explore_fail("", 0, "plain %s of an atomic word, %s, by %s at %s", what,
		             plain_name(at), thread_of(thread), plain_where(pc));
	if (c->written && c->writer != thread && now->at[c->writer] < c->written)
		race(what, thread, pc, at, "write", c->writer, c->write_pc);
}

/* When a plain access of the thread takes place, see graph.h. */
static uint16_t time_of(int thread)
{
	return (uint16_t)(graph.thread[thread].marks + 1);
}

void plain_read(uintptr_t at, size_t size, const void *pc)
{
	int thread = search.current;
	uint16_t time = time_of(thread);

	for (uintptr_t p = at & ~(uintptr_t)(GRAIN - 1); p < at + size; p += GRAIN) {
		struct cell *c = cell_at(p);

		if (!c)
			return;
		check_written(c, "read", thread, pc, at);
		if (c->use == NEVER)
			explore_fail(
				"", 0,
				"read of memory that was never written, %s, by %s at %s",
				plain_name(at), thread_of(thread), plain_where(pc));
		c->read_pc[thread] = pc;
		if (graph.identity == BY_EFFECT)
			graph_remember(thread, *(const uint32_t *)p);
		if (c->read[thread] == time)
			continue;
		count(c, -1);
		c->read[thread] = time;
		count(c, 1);
	}
}

void plain_write(uintptr_t at, size_t size, const void *pc)
{
	int thread = search.current;
	const struct clock *now = &graph.thread[thread].now;

	for (uintptr_t p = at & ~(uintptr_t)(GRAIN - 1); p < at + size; p += GRAIN) {
		struct cell *c = cell_at(p);

		if (!c)
			return;
		check_written(c, "write", thread, pc, at);
		count(c, -1);
		for (int t = 0; t < EXPLORE_THREADS; t++) {
			if (t != thread && now->at[t] < c->read[t])
				race("write", thread, pc, at, "read", t, c->read_pc[t]);
			c->read[t] = 0;
		}
		c->use = PLAIN;
		c->writer = (uint8_t)thread;
		c->written = time_of(thread);
		count(c, 1);
		c->write_pc = pc;
	}
}

void plain_atomic(const struct explore_site *s, int thread, uintptr_t at, size_t size)
{
	for (uintptr_t p = at & ~(uintptr_t)(GRAIN - 1); p < at + size; p += GRAIN) {
		struct cell *c = cell_at(p);

		if (!c)
			explore_fail(s->file, s->line,
			             "%s %s: neither in the client's state nor allocated",
			             s->op, s->what);
		if (c->use == FREED)
			explore_fail(s->file, s->line, "%s %s of freed memory by %s",
			             s->op, s->what, thread_of(thread));
		if (c->use == PLAIN && c->written)
			explore_fail(s->file, s->line,
			             "%s %s: %s wrote to it as plain memory", s->op,
			             s->what, thread_of(c->writer));
		c->use = ATOMIC;
		c->touched[thread] = time_of(thread);
	}
}

void plain_untouched(const char *what, int thread, uintptr_t at, size_t size)
{
	const struct clock *now = &graph.thread[thread].now;

	for (uintptr_t p = at; p < at + size; p += GRAIN)
		for (int t = 0; t < EXPLORE_THREADS; t++)
			if (t != thread && now->at[t] < cell_at(p)->touched[t])
				explore_fail(
					"", 0,
					"data race on %s: %s by %s, unordered with an "
					"atomic access by %s",
					plain_name(p), what, thread_of(thread),
					thread_of(t));
}

void plain_used(int thread, uintptr_t at, uint16_t time)
{
	struct cell *c = cell_at(at);

	count(c, -1);
	c->read[thread] = time;
	count(c, 1);
}

void plain_overwritten(const struct explore_site *s, int thread, uintptr_t at)
{
	const struct clock *now = &graph.thread[thread].now;
	struct cell *c = cell_at(at);

	for (int t = 0; t < EXPLORE_THREADS; t++)
		if (t != thread && now->at[t] < c->read[t])
			explore_fail(s->file, s->line,
			             "%s %s could be seen by %s, which keeps what it has "
			             "read there earlier, unordered",
			             s->op, s->what, thread_of(t));
}

/* ---- allocation ---- */

void *explore_aligned_alloc(size_t align, size_t size)
{
	int t = search.current;
	size_t at = (used[t] + align - 1) / align * align;

	/* A gap, so that running over the end is seen. */
	if (at + size + 64 > ARENA || allocations == BLOCKS)
		explore_fail("", 0, "%s: no memory left in the checker's arena",
		             thread_of(t));
	used[t] = at + size + 64;
	at += (size_t)t * ARENA;
	allocation[allocations++] =
		(struct allocation){(uintptr_t)arena + at, size, false};
	return arena + at;
}

void *explore_malloc(size_t size)
{
	return explore_aligned_alloc(16, size);
}

void explore_free(void *p)
{
	const void *pc = __builtin_return_address(0);
	int thread = search.current;

	if (!p)
		return;
	for (int i = 0; i < allocations; i++) {
		struct allocation *a = &allocation[i];

		if (a->at != (uintptr_t)p)
			continue;
		if (a->freed)
			explore_fail("", 0, "%s freed twice, by %s at %s",
			             plain_name(a->at), thread_of(thread),
			             plain_where(pc));
		a->freed = true;
		for (uintptr_t g = a->at; g < a->at + a->size; g += GRAIN) {
			plain_untouched("free", thread, g, GRAIN);
			if (cell_at(g)->use == PLAIN)
				plain_write(g, GRAIN, pc);
			cell_at(g)->use = FREED;
		}
		return;
	}
	explore_fail("", 0, "free of %p, which was not allocated, at %s", p,
	             plain_where(pc));
}

void plain_done(void)
{
	for (int i = 0; i < allocations; i++)
		if (!allocation[i].freed)
			explore_fail("", 0, "%s, of %zu bytes, was never freed",
			             plain_name(allocation[i].at), allocation[i].size);
}

/* ---- words for people ---- */

const char *plain_name(uintptr_t at)
{
	static char name[64];

	for (int i = 0; i < allocations; i++)
		if (at - allocation[i].at < allocation[i].size) {
			snprintf(name, sizeof name, "allocation %d+%zu", i,
			         (size_t)(at - allocation[i].at));
			return name;
		}
	if (plain_static(at))
		snprintf(name, sizeof name, "state+%zu",
		         (size_t)(at - (uintptr_t)explore_state));
	else
		snprintf(name, sizeof name, "%#zx", (size_t)at);
	return name;
}

const char *plain_where(const void *pc)
{
	static char line[300];
	char command[200];
	FILE *f;

	/* The call is the instruction before the return address. */
	snprintf(command, sizeof command, "addr2line -s -e /proc/%d/exe %p 2>/dev/null",
	         getpid(), (const void *)((const char *)pc - 1));
	f = popen(command, "r");
	if (!f || !fgets(line, sizeof line, f))
		snprintf(line, sizeof line, "?");
	if (f)
		pclose(f);
	line[strcspn(line, " \n")] = 0;
	return line;
}
