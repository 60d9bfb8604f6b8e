/* SPDX-License-Identifier: MIT */
#include "sim/cache.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/engine.h"

#define NOBODY UINT32_MAX
#define BY 8 /* places that are counted for each line */

struct sim_line {
	uint64_t tag;     /* address / 64; 0: a free slot of the table */
	uint64_t busy;    /* until then it is under way to another core */
	uint32_t owner;   /* the core that wrote it last; NOBODY: none */
	uint32_t version; /* changes whenever a core loses it */
	uint32_t sharers_n;
	bool exclusive; /* the owner alone has it */
	uint64_t moves;
	struct {
		struct sim_site *site;
		uint64_t moves;
	} by[BY];
	uint64_t sharers[]; /* a bit for each core */
};

static struct {
	struct sim_line **at; /* open addressing */
	size_t n, room;
	uint64_t moves;
	struct sim_site *sites;
} lines;

/* Plain accesses have no site; one is made for each place in the code. */
static struct {
	struct sim_site **at;
	size_t n, room;
} plains;

/* The word that sim_read(), sim_write() or sim_update() was told of last. The access itself
 * comes next, and is none of the plain ones. */
static const volatile void *told;

static void *or_end(void *p)
{
	if (!p) {
		fprintf(stderr, "filch sim: no memory for the caches\n");
		exit(1);
	}
	return p;
}

static size_t hash(uint64_t x)
{
	x *= 0x9e3779b97f4a7c15u;
	return (size_t)(x >> 20);
}

/* ---- finding a line ---- */

static struct sim_line **slot_of(uint64_t tag)
{
	size_t i = hash(tag) & (lines.room - 1);

	while (lines.at[i] && lines.at[i]->tag != tag)
		i = (i + 1) & (lines.room - 1);
	return &lines.at[i];
}

static void grow(void)
{
	struct sim_line **old = lines.at;
	size_t n = lines.room;

	lines.room = n ? n * 2 : 1 << 16;
	lines.at = or_end(calloc(lines.room, sizeof *lines.at));
	for (size_t i = 0; i < n; i++)
		if (old[i])
			*slot_of(old[i]->tag) = old[i];
	free(old);
}

static struct sim_line *find(uint64_t tag)
{
	struct sim_line **slot;

	if (lines.n * 2 >= lines.room)
		grow();
	slot = slot_of(tag);
	if (!*slot) {
		size_t words = (sim.machine.cores + 63) / 64;

		*slot = or_end(calloc(1, sizeof **slot + words * sizeof(uint64_t)));
		(*slot)->tag = tag;
		(*slot)->owner = NOBODY;
		lines.n++;
	}
	return *slot;
}

static bool has(const struct sim_line *l, unsigned core)
{
	return l->sharers[core / 64] >> core % 64 & 1;
}

static void give(struct sim_line *l, unsigned core)
{
	if (!has(l, core)) {
		l->sharers[core / 64] |= (uint64_t)1 << core % 64;
		l->sharers_n++;
	}
}

/* ---- moving it ---- */

static double cost_of(enum sim_distance d)
{
	const struct sim_costs *c = &sim.machine.costs;
	const double cost[SIM_DISTANCES] = {0, c->core, c->cache, c->socket, c->far};

	return cost[d];
}

/* How long it takes to fetch the line for reading: from whoever wrote it last. */
static double to_read(const struct sim_line *l, unsigned core)
{
	if (l->owner == NOBODY || l->owner == core)
		return sim.machine.costs.memory;
	return cost_of(sim_distance(&sim.machine, core, l->owner));
}

/* How long it takes to fetch it for writing: until the farthest of those who have it has
 * given it up. */
static double to_write(const struct sim_line *l, unsigned core)
{
	enum sim_distance most = SIM_SAME;
	unsigned others = l->sharers_n - has(l, core);

	if (!others)
		return l->sharers_n ? 0 : sim.machine.costs.memory;
	for (unsigned w = 0; w < (sim.machine.cores + 63) / 64; w++)
		for (uint64_t bits = l->sharers[w]; bits; bits &= bits - 1) {
			unsigned other = w * 64 + (unsigned)__builtin_ctzll(bits);
			enum sim_distance d = sim_distance(&sim.machine, core, other);

			most = d > most ? d : most;
		}
	return cost_of(most) + sim.machine.costs.recall * (others - 1);
}

static void count(struct sim_line *l, struct sim_site *site, uint64_t waited)
{
	size_t least = 0;

	if (!site->known) {
		site->known = true;
		site->next = lines.sites;
		lines.sites = site;
	}
	lines.moves++;
	l->moves++;
	site->moves++;
	site->waited += waited;
	for (size_t i = 0; i < BY; i++) {
		if (l->by[i].site == site) {
			l->by[i].moves++;
			return;
		}
		if (l->by[i].moves < l->by[least].moves)
			least = i;
	}
	l->by[least].site = site;
	l->by[least].moves++; /* too many rather than lose a frequent one */
}

/* Fetches the line for the core of the running thread. Returns when it is there. */
static uint64_t fetch(struct sim_line *l, struct sim_site *site, bool writes)
{
	struct sim_thread *me = sim.me;
	unsigned core = me->core->index;
	bool elsewhere = l->sharers_n > has(l, core);
	uint64_t start = me->now > l->busy ? me->now : l->busy;
	uint64_t end;

	if (writes) {
		end = start + SIM_PS(to_write(l, core));
		l->busy = end;
		l->version++;
		memset(l->sharers, 0, (sim.machine.cores + 63) / 64 * sizeof(uint64_t));
		l->sharers_n = 0;
		l->owner = core;
		l->exclusive = true;
	} else {
		end = start + SIM_PS(to_read(l, core));
		l->busy = start + SIM_PS(sim.machine.costs.serve);
		if (l->exclusive)
			l->version++; /* its owner may no longer write it unseen */
		l->exclusive = false;
	}
	give(l, core);
	if (elsewhere)
		count(l, site, end - me->now);
	return end;
}

static struct sim_near *near_of(uint64_t tag)
{
	return &sim.me->core->near[tag % SIM_NEAR];
}

static bool is_near(const struct sim_near *n, uint64_t tag, bool writes)
{
	return n->tag == tag && n->line->version == n->version && (n->own || !writes);
}

static void keep_near(struct sim_line *l)
{
	*near_of(l->tag) = (struct sim_near){
		l->tag, l, l->version, l->exclusive && l->owner == sim.me->core->index};
}

/* Puts a store whose line is there at `end` into the store buffer of the running thread's
 * core. Stores leave the buffer in their order; while it is full, the thread waits. */
static void buffer_store(uint64_t end)
{
	struct sim_core *c = sim.me->core;
	uint64_t *slot;

	if (end <= sim.me->now && c->drain <= sim.me->now)
		return;
	slot = &c->store[c->stores++ % SIM_STORES];
	if (*slot > sim.me->now)
		sim.me->now = *slot;
	if (end > c->drain)
		c->drain = end;
	*slot = c->drain;
}

static uint64_t tag_of(const volatile void *p)
{
	return (uint64_t)(uintptr_t)p / 64;
}

void sim_read(struct sim_site *site, const volatile void *p)
{
	uint64_t tag = tag_of(p);
	struct sim_line *l;

	if (!sim.me)
		return;
	told = p;
	sim_spend(sim.machine.costs.hit);
	if (is_near(near_of(tag), tag, false)) {
		if (sim.me->now > sim.next + SIM_AHEAD || sim.me->pending)
			sim_sync();
		return;
	}
	sim_sync();
	l = find(tag);
	if (!has(l, sim.me->core->index))
		sim.me->now = fetch(l, site, false);
	keep_near(l);
}

void sim_write(struct sim_site *site, const volatile void *p)
{
	uint64_t tag = tag_of(p);
	struct sim_line *l;

	if (!sim.me)
		return;
	told = p;
	sim_spend(sim.machine.costs.hit);
	if (is_near(near_of(tag), tag, true)) {
		buffer_store(sim.me->now);
		if (sim.me->now > sim.next + SIM_AHEAD || sim.me->pending)
			sim_sync();
		return;
	}
	sim_sync();
	l = find(tag);
	if (l->exclusive && l->owner == sim.me->core->index)
		buffer_store(sim.me->now);
	else
		buffer_store(fetch(l, site, true));
	keep_near(l);
}

void sim_update(struct sim_site *site, const volatile void *p)
{
	struct sim_line *l;

	if (!sim.me)
		return;
	sim_fence();
	sim_sync();
	told = p;
	l = find(tag_of(p));
	if (!l->exclusive || l->owner != sim.me->core->index)
		sim.me->now = fetch(l, site, true);
	else if (l->busy > sim.me->now)
		sim.me->now = l->busy;
	keep_near(l);
}

void sim_fence(void)
{
	struct sim_thread *me = sim.me;

	if (!me)
		return;
	if (me->core->drain > me->now)
		me->now = me->core->drain;
	sim_spend(sim.machine.costs.update);
	sim_sync();
}

/* ---- plain accesses ---- */

static struct sim_site *plain_site(void *pc)
{
	size_t i;

	if (plains.n * 2 >= plains.room) {
		struct sim_site **old = plains.at;
		size_t n = plains.room;

		plains.room = n ? n * 2 : 4096;
		plains.at = or_end(calloc(plains.room, sizeof *plains.at));
		for (size_t k = 0; k < n; k++)
			if (old[k]) {
				i = hash((uintptr_t)old[k]->what) & (plains.room - 1);
				while (plains.at[i])
					i = (i + 1) & (plains.room - 1);
				plains.at[i] = old[k];
			}
		free(old);
	}
	i = hash((uintptr_t)pc) & (plains.room - 1);
	while (plains.at[i] && plains.at[i]->what != pc)
		i = (i + 1) & (plains.room - 1);
	if (!plains.at[i]) {
		plains.at[i] = or_end(calloc(1, sizeof **plains.at));
		plains.at[i]->what = pc; /* and no file */
		plains.n++;
	}
	return plains.at[i];
}

void sim_plain(const volatile void *p, bool writes, void *pc)
{
	uint64_t tag = tag_of(p);
	struct sim_line *l;
	uint64_t end;

	if (!sim.me || p == told)
		return;
	sim_spend(sim.machine.costs.plain);
	if (tag == tag_of(&errno))
		return; /* all simulated threads share one, real ones do not */
	end = sim.me->now;
	if (!is_near(near_of(tag), tag, writes)) {
		l = find(tag);
		if (writes ? !l->exclusive || l->owner != sim.me->core->index
		           : !has(l, sim.me->core->index))
			end = fetch(l, plain_site(pc), writes);
		keep_near(l);
	}
	if (writes)
		buffer_store(end);
	else
		sim.me->now = end;
}

/* ---- counting ---- */

void sim_cache_clear(void)
{
	for (size_t i = 0; i < lines.room; i++)
		free(lines.at[i]);
	free(lines.at);
	lines.at = NULL;
	lines.n = lines.room = 0;
	sim_cache_mark();
}

void sim_cache_mark(void)
{
	lines.moves = 0;
	for (struct sim_site *s = lines.sites; s; s = s->next)
		s->moves = s->waited = 0;
	for (size_t i = 0; i < lines.room; i++)
		if (lines.at[i]) {
			lines.at[i]->moves = 0;
			memset(lines.at[i]->by, 0, sizeof lines.at[i]->by);
		}
}

uint64_t sim_cache_moves(void)
{
	return lines.moves;
}

static struct sim_place place_of(const struct sim_site *s, uint64_t moves)
{
	struct sim_place p = {s, NULL, moves, s->waited};

	if (!s->file) {
		p.site = NULL;
		p.pc = (void *)(uintptr_t)s->what;
	}
	return p;
}

/* Puts an element where it belongs among the n first, which are sorted. */
#define INSERT(top, n, used, element, field)                              \
	do {                                                              \
		size_t i_ = (used) < (n) ? (used)++ : (n);                \
		for (; i_ && (top)[i_ - 1].field < (element).field; i_--) \
			if (i_ < (n))                                     \
				(top)[i_] = (top)[i_ - 1];                \
		if (i_ < (n))                                             \
			(top)[i_] = (element);                            \
	} while (0)

size_t sim_cache_places(struct sim_place *top, size_t n)
{
	size_t used = 0;

	for (struct sim_site *s = lines.sites; s; s = s->next) {
		struct sim_place p = place_of(s, s->moves);

		if (p.moves)
			INSERT(top, n, used, p, waited);
	}
	return used;
}

size_t sim_cache_lines(struct sim_hot *top, size_t n)
{
	size_t used = 0;

	for (size_t i = 0; i < lines.room; i++) {
		struct sim_line *l = lines.at[i];
		struct sim_hot h;
		size_t most = 0;

		if (!l || !l->moves)
			continue;
		for (size_t k = 1; k < BY; k++)
			if (l->by[k].moves > l->by[most].moves)
				most = k;
		h = (struct sim_hot){l->moves, l->tag * 64,
		                     place_of(l->by[most].site, l->by[most].moves)};
		INSERT(top, n, used, h, moves);
	}
	return used;
}
