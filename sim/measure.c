/* SPDX-License-Identifier: MIT */
/*
 * Each machine is simulated in a process of its own, since the runtime keeps something for
 * the next pool of a process, which would change the result. The result comes back
 * through a pipe. Pointers in it lead to what both processes have.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/kernel.h"
#include "sim/result.h"

#define SETTLE_STEP_NS 100000

/* ---- in the process that simulates ---- */

static struct filch_stats at_begin;

static void read_stats(const struct filch_pool *pool, struct filch_stats *out)
{
	struct sim_thread *me = sim.me;

	sim.me = NULL; /* so that it takes no time and moves no line */
	filch_pool_stats(pool, -1, out);
	sim.me = me;
}

void sim_begin(struct filch_pool *pool)
{
	read_stats(pool, &at_begin);
	sim_cache_mark();
	sim_mark();
}

static void collect(const struct sim_options *o, const struct filch_pool *pool,
                    struct sim_result *r)
{
	struct filch_stats end;

	r->cores = sim.machine.cores;
	r->time = sim.me->now - sim.marked;
	r->signals = sim.asks;
	r->wakes = sim.wakes;
	r->switches = sim.switches;
	r->messages = sim_cache_moves();
	r->places = sim_cache_places(r->place, o->top);
	r->lines = sim_cache_lines(r->line, o->top);
	for (unsigned i = 0; i < sim.machine.cores; i++) {
		const struct sim_core *c = &sim.core[i];

		r->work += c->worked;
		if (!c->first_work)
			continue;
		r->busy++;
		if (c->first_work - sim.marked > r->spread)
			r->spread = c->first_work - sim.marked;
	}
	read_stats(pool, &end);
#define COUNTER(name, text) r->stats.name = end.name - at_begin.name;
	FILCH_COUNTERS(COUNTER)
#undef COUNTER
}

static bool all_sleep(void)
{
	for (const struct sim_thread *t = sim.threads; t; t = t->all)
		if (t != sim.me && t->state != SIM_SLEEPING)
			return false;
	return true;
}

/* Right after the pool is made some workers sleep and others still search. Waits until all
 * sleep, so that runs can be compared, for at most this long. */
static void settle(uint64_t ns)
{
	uint64_t end = sim_now() + ns;
	uint32_t never = 0;

	while (sim_now() < end && !all_sleep())
		sim_futex_wait(&never, 0, SETTLE_STEP_NS);
}

struct simulated {
	const struct sim_options *o;
	struct sim_result *r;
};

static void *simulated_main(void *arg)
{
	struct simulated *s = arg;
	struct filch_pool_options po = s->o->pool;
	struct filch_pool *pool;
	const char *why;

	po.workers = sim.machine.cores;
	po.topology = s->r->topology;
	if (filch_pool_create(&pool, &po, &why)) {
		fprintf(stderr, "filch sim: %s\n", why);
		exit(2);
	}
	settle(s->o->settle * 1000);
	s->o->program->run(pool, &s->o->arguments);
	collect(s->o, pool, s->r);
	filch_pool_destroy(pool);
	return NULL;
}

static int simulate(const struct sim_options *o, size_t machine, struct sim_result *r)
{
	struct simulated s = {o, r};
	struct sim_machine m = {.costs = o->costs};

	if (o->topology)
		snprintf(r->topology, sizeof r->topology, "%s", o->topology);
	else
		sim_machine_describe(o->cores[machine], r->topology, sizeof r->topology);
	if (!sim_machine_init(&m, o->cores[machine], r->topology))
		return 2;
	if (o->trace && machine == sim_options_largest(o))
		setenv("FILCH_TRACE", o->trace, 1);
	sim_seed = o->arguments.seed;
	sim_run(&m, simulated_main, &s);
	sim_machine_destroy(&m);
	return 0;
}

static bool write_all(int fd, const void *from, size_t n)
{
	const char *p = from;

	while (n) {
		ssize_t done = write(fd, p, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return false;
		p += done;
		n -= (size_t)done;
	}
	return true;
}

/* ---- in the process that waits for it ---- */

static bool read_all(int fd, void *to, size_t n)
{
	char *p = to;

	while (n) {
		ssize_t done = read(fd, p, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return false;
		p += done;
		n -= (size_t)done;
	}
	return true;
}

/* Returns the exit code of the process. */
static int wait_for(pid_t child)
{
	int status;

	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return 1;
	if (WIFSIGNALED(status))
		fprintf(stderr, "filch sim: the simulation was ended by signal %d (%s)\n",
		        WTERMSIG(status), strsignal(WTERMSIG(status)));
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

int sim_measure(const struct sim_options *o, size_t machine, struct sim_result *out)
{
	int ends[2], code;
	pid_t child = -1;
	bool whole;

	memset(out, 0, sizeof *out);
	fflush(NULL);
	if (!pipe(ends))
		child = fork();
	if (child < 0) {
		perror("filch sim: no process can be made");
		return 1;
	}
	if (!child) {
		close(ends[0]);
		code = simulate(o, machine, out);
		if (!code && !write_all(ends[1], out, sizeof *out))
			code = 1;
		exit(code); /* which writes the trace */
	}
	close(ends[1]);
	whole = read_all(ends[0], out, sizeof *out);
	close(ends[0]);
	code = wait_for(child);
	return code || whole ? code : 1;
}
