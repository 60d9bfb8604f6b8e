/* SPDX-License-Identifier: MIT */
#include "pool/bind.h"

#include <stdio.h>

#include "base/thread.h"

/* 1: the workers of a pool of this process have homes. */
static _Atomic(uint32_t) taken;

/* ---- the decision ---- */

/* Whether the mask has all processors of the topology, and no other. */
static bool is_whole(const struct filch__topology *t, const cpu_set_t *may)
{
	for (size_t i = 0; i < t->pus; i++)
		if (t->unit[i].cpu >= CPU_SETSIZE || !CPU_ISSET(t->unit[i].cpu, may))
			return false;
	return (size_t)CPU_COUNT(may) == t->pus;
}

/* Says why workers that need not have homes have none, or returns NULL. */
static const char *refuse_auto(const struct filch__settings *s,
                               const struct filch__topology *t, const cpu_set_t *may,
                               bool others)
{
	if (!t->here)
		return "no effect: the topology may be that of another machine";
	if (!is_whole(t, may))
		return "no effect: the process has an affinity already";
	if (s->workers != t->pus)
		return "no effect: there are not as many workers as processors";
	return others ? "no effect: the workers of another pool have homes" : NULL;
}

/* Says why the workers have no homes, or returns NULL if nothing speaks against it. */
static const char *refuse(const struct filch__settings *s,
                          const struct filch__topology *t, const cpu_set_t *may,
                          bool others)
{
	if (s->bind == FILCH__BIND_OFF)
		return "workers run anywhere";
	if (t->groups < 2)
		return "no effect: all processors are equally near";
	if (!may)
		return "no effect: the system does not tell the affinity";
	return s->bind == FILCH__BIND_ON ? NULL : refuse_auto(s, t, may, others);
}

enum filch__home_kind filch__bind_decide(const struct filch__settings *s,
                                         const struct filch__topology *t,
                                         const cpu_set_t *may, bool others, char *why,
                                         size_t why_size)
{
	const char *refusal = refuse(s, t, may, others);
	bool on = s->bind == FILCH__BIND_ON;

	if (refusal) {
		snprintf(why, why_size, "%s", refusal);
		return FILCH__HOME_NONE;
	}
	snprintf(why, why_size, "workers %s one of %zu groups of processors each",
	         on ? "are bound to" : "return to", t->groups);
	return on ? FILCH__HOME_BOUND : FILCH__HOME_FREE;
}

static bool read_mask(cpu_set_t *may)
{
	struct filch__thread self = filch__thread_me();

	return filch__thread_may(&self, may);
}

enum filch__home_kind filch__bind_describe(const struct filch__settings *s,
                                           const struct filch__topology *t, char *why,
                                           size_t why_size)
{
	cpu_set_t may;

	return filch__bind_decide(s, t, read_mask(&may) ? &may : NULL,
	                          load_rlx(&taken), /* a hint */
	                          why, why_size);
}

/* ---- a pool ---- */

/* The first unit of the group that the caller is in: so the first worker, which is called
 * first, is near the thread that made the pool, and two processes do not both begin with
 * the same processors. */
static size_t first_unit(const struct filch__topology *t)
{
	int cpu = filch__thread_cpu();

	for (size_t i = 0; i < t->pus; i++)
		if ((int)t->unit[i].cpu == cpu)
			return t->unit[i].group;
	return 0;
}

void filch__bind_open(struct filch__pool_whole *p)
{
	struct filch__bound *b = &p->bound;
	uint32_t no = 0;
	char why[128];

	b->took = cas_rlx(&taken, &no, 1); /* a flag only */
	b->kind = filch__bind_decide(&p->settings, &p->topology,
	                             read_mask(&b->may) ? &b->may : NULL, !b->took, why,
	                             sizeof why);
	if (b->kind == FILCH__HOME_NONE)
		filch__bind_close(p);
	else
		p->topology.first = first_unit(&p->topology);
}

void filch__bind_close(struct filch__pool_whole *p)
{
	if (p->bound.took)
		store_rlx(&taken, 0); /* a flag only */
	p->bound.took = false;
}

void filch__bind_seat(struct filch__pool_whole *p, uint32_t i)
{
	const struct filch__topology *t = &p->topology;
	struct filch__home *h = &p->pool.seat[i].home;
	unsigned group;

	if (p->bound.kind == FILCH__HOME_NONE)
		return;
	group = t->unit[filch__topology_unit(t, i)].group;
	for (size_t k = 0; k < t->pus; k++)
		if (t->unit[k].group == group && t->unit[k].cpu < CPU_SETSIZE)
			CPU_SET(t->unit[k].cpu, &h->at);
	CPU_AND(&h->at, &h->at, &p->bound.may);
	h->kind = CPU_COUNT(&h->at) ? p->bound.kind : FILCH__HOME_NONE;
}

void filch__bind_after_fork(void)
{
	struct filch__worker *w = filch__worker_self();
	struct filch__thread self = filch__thread_me();

	store_rlx(&taken, 0); /* there is one thread */
	if (w && filch__seat_of(w)->home.kind == FILCH__HOME_BOUND)
		filch__thread_bind(&self, &filch__pool_whole(w->pool)->bound.may);
}
