/* SPDX-License-Identifier: MIT */
/* A group: any number of tasks, waited for together. Visits everything that can be reached
 * in a graph; how many tasks that takes nobody knows before. */
#include <filch.h>
#include <stdio.h>

#define NODES 10000

struct graph {
	struct filch_group group;
	struct filch_mutex lock; /* of all that follows */
	int seen[NODES];
	long visited;
};

/* Two edges a node. */
static int edge(int node, int i)
{
	return (node * 3 + i * 7 + 1) % NODES;
}

/* True for whoever comes first. */
static int enter(struct graph *g, int node)
{
	int first;

	filch_mutex_lock(&g->lock);
	first = !g->seen[node];
	g->seen[node] = 1;
	g->visited += first;
	filch_mutex_unlock(&g->lock);
	return first;
}

FILCH_TASK_VOID(visit, (struct graph *, g), (int, node))
{
	for (int i = 0; i < 2; i++) {
		int to = edge(node, i);

		if (enter(g, to))
			FILCH_GROUP_SPAWN(&g->group, visit, g, to);
	}
}

FILCH_TASK(long, reach, (struct graph *, g), (int, from))
{
	filch_group_begin(&g->group);
	if (enter(g, from))
		FILCH_GROUP_SPAWN(&g->group, visit, g, from);
	filch_group_wait(&g->group);
	return g->visited;
}

int main(void)
{
	static struct graph g;

	printf("%ld nodes can be reached\n", FILCH_RUN(reach, &g, 0));
}
