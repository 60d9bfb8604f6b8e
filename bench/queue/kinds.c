/* SPDX-License-Identifier: MIT */
/* The queue suite's workloads for every kind of queue, and what they share. */
#include "bench/queue/run.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "bench/bench.h"
#include "bench/seam/ideal.h"
#include "bench/seam/watched.h"

_Noreturn void bench_fatal(const char *what, const char *kind)
{
	fprintf(stderr, "filch bench: %s: %s\n", kind, what);
	exit(1);
}

/* Stretches or shrinks the idle time by how far the last stretch was off. */
void pace_adapt(struct pace *p, uint64_t puts, uint64_t stolen, uint64_t steals,
                double ns)
{
	double want = p->hz > 0 ? p->hz * ns * 1e-9 : p->share * (double)puts;
	double have = p->hz > 0 ? (double)steals : (double)stolen;
	double off;

	if (want <= 0)
		return;
	off = have / want;
	if (off < 0.5)
		off = 0.5;
	if (off > 2)
		off = 2;
	if (p->idle < 1 && off < 0.97 && p->hz <= 0 && p->batch < p->batch_most) {
		p->batch *= 2;
		p->idle = 8;
		return;
	}
	p->idle = (p->idle + 2) * off - (off < 1 ? 2 * off : 0);
	if (p->idle < 0.5)
		p->idle = off > 1 ? 1 : 0;
	if (p->idle > 1e7)
		p->idle = 1e7;
}

/* Starts thieves, lets the owner run, and adds everything up. What the thieves took after
 * the owner's last look counts as stolen. */
void run_with_thieves(void *queue, size_t thieves, struct pace *pace, struct slice *out,
                      void *(*thief)(void *), owner_fn *owner, uint64_t ns,
                      size_t capacity)
{
	struct stage *stage = aligned_alloc(FILCH_LINE, sizeof *stage);
	struct thief_job *job = calloc(thieves + 1, sizeof *job);
	pthread_t *thread = calloc(thieves + 1, sizeof *thread);

	if (!stage || !job || !thread)
		bench_fatal("out of memory", "thieves");
	memset(stage, 0, sizeof *stage);
	memset(out, 0, sizeof *out);
	for (size_t i = 0; i < thieves; i++) {
		job[i] = (struct thief_job){
			.queue = queue, .stage = stage, .pace = &pace[i], .seed = i + 1};
		if (pthread_create(&thread[i], NULL, thief, &job[i]))
			bench_fatal("cannot start a thread", "thief");
	}
	while (load_rlx(&stage->ready) < thieves) /* polled */
		filch__relax();
	owner(queue, stage, ns, capacity, out);
	store_rlx(&stage->stop, 1); /* polled */
	for (size_t i = 0; i < thieves; i++) {
		pthread_join(thread[i], NULL);
		out->stolen += job[i].result.stolen;
		out->ok += job[i].result.ok;
		out->empty += job[i].result.empty;
		out->lost += job[i].result.lost;
		out->check -= job[i].result.check;
		for (size_t b = 0; b < LATENCY_BINS; b++)
			out->latency[b] += job[i].result.latency[b];
	}
	free(thread);
	free(job);
	free(stage);
}

#define KIND_STEALS 0
#define KIND_THIEVES 0
#define FILCH_QUEUE ideal_lifo
#include "bench/queue/kind.inc.h"
#undef FILCH_QUEUE
#define FILCH_QUEUE ideal_fifo
#include "bench/queue/kind.inc.h"
#undef FILCH_QUEUE
#undef KIND_THIEVES
#define KIND_THIEVES 1
#define FILCH_QUEUE watched_lifo
#include "bench/queue/kind.inc.h"
#undef FILCH_QUEUE
#undef KIND_STEALS
#define KIND_STEALS 1
#define FILCH_QUEUE_EACH "bench/queue/kind.inc.h"
#include "queue/each.h"

const struct queue_kind queue_kinds[] = {
	{"ideal_lifo", false, fill_drain_ideal_lifo, NULL},
	{"ideal_fifo", false, fill_drain_ideal_fifo, NULL},
	{"watched_lifo", false, fill_drain_watched_lifo, NULL},
#define ROW(kind, order, text) {#kind, true, fill_drain_##kind, spine_##kind},
	FILCH_QUEUE_KINDS(ROW)
#undef ROW
};
const size_t queue_kinds_n = sizeof queue_kinds / sizeof *queue_kinds;

const struct queue_kind *queue_kind_find(const char *name)
{
	for (size_t i = 0; i < queue_kinds_n; i++)
		if (!strcmp(queue_kinds[i].name, name))
			return &queue_kinds[i];
	return NULL;
}
