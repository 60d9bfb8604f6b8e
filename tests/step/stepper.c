/* SPDX-License-Identifier: MIT */
/*
 * Runs each hostile function once for each boundary between two instructions that it
 * executes, in a pool of one worker, and asks the worker for tasks just there: the trap
 * flag stops the program at each instruction, and the handler of that trap sends the
 * question, which arrives when the handler returns. Then a thief that is a plain thread
 * takes what was exposed:
 *
 *   at once   it steals the tasks and runs them before the next instruction
 *   join      it steals them at once, but runs a task when the strand waits for it
 *   nobody    nobody steals, and the join gets the task back
 *
 * A last run for each of these asks at every boundary. A run that takes very many steps (to
 * throw an exception takes some 10,000, outside this program) asks at several boundaries,
 * so that fewer runs do; only the first of them finds a task that is private for long, so
 * functions with groups, where that task is the point, have a run for each boundary. The
 * answer, and the number of tasks that have run, must be those of a run without questions.
 */
#include <filch.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "sched/hold.h"
#include "strand/above.h"
#include "strand/record.h"
#include "strand/worker.h"
#include "tests/step/step.h"

#define TRAP_FLAG 0x100
#define STEPS 5000 /* about how many a function may take in all runs of a mode */

long step_runs;

enum mode { AT_ONCE, AT_JOIN, NOBODY, MODES };
static const char *const mode_name[MODES] = {"at once", "join", "nobody"};

/* ---- the trap flag ---- */

/* Functions of their own: pushing flags within a function would overwrite its red zone. */
__asm__(".text\n"
        "step_on:\n\tpushfq\n\torq $0x100, (%rsp)\n\tpopfq\n\tret\n"
        "step_off:\n\tpushfq\n\tandq $~0x100, (%rsp)\n\tpopfq\n\tret\n");
void step_on(void);
void step_off(void);

/* ---- the thief ---- */

static struct {
	_Atomic(struct filch__deque *) steal; /* steal all that is there; NULL: done */
	_Atomic(bool) end;
	enum mode mode;
	struct filch__record *held[1024];
	size_t n;
} thief;

static void run_stolen(struct filch__record *r)
{
	uintptr_t waiter;

	filch__strand_call(NULL, r);
	waiter = filch__record_task(r)->size ? filch__record_done(r) : FILCH__RUNNING;
	if (waiter == FILCH__RUNNING)
		return;
	filch__guest_come(((struct filch__strand *)waiter)->pool);
	filch__wake(((struct filch__strand *)waiter)->pool,
	            (struct filch__strand *)waiter);
	filch__guest_go(((struct filch__strand *)waiter)->pool);
}

static void steal_all(struct filch__deque *d)
{
	struct filch_bwos_lifo_thief t = filch_bwos_lifo_thief(&d->q, 1);
	enum filch_result result;
	filch_entry e;

	do {
		result = filch_bwos_lifo_steal(&t, &e);
		if (result != FILCH_OK)
			continue;
		if (thief.mode == AT_ONCE)
			run_stolen((struct filch__record *)e);
		else
			thief.held[thief.n++] = (struct filch__record *)e;
	} while (result != FILCH_EMPTY);
}

/* Runs the held tasks for which the strand waits. */
static void run_awaited(void)
{
	for (size_t i = 0; i < thief.n; i++) {
		struct filch__record *r = thief.held[i];

		if (load_acq(filch__record_sync(r)) == FILCH__RUNNING)
			continue;
		thief.held[i--] = thief.held[--thief.n];
		run_stolen(r);
	}
}

static void *thief_main(void *arg)
{
	(void)arg;
	while (!load_acq(&thief.end)) {
		struct filch__deque *d = load_acq(&thief.steal);

		if (d) {
			steal_all(d);
			store_rel(&thief.steal, NULL);
		}
		run_awaited();
		sched_yield();
	}
	return NULL;
}

/* Has the thief take what the worker offers. Caller: the handler of the trap. */
static void let_thief(struct filch__worker *w)
{
	struct filch__deque *d = filch__offered(w);

	if (!d || thief.mode == NOBODY)
		return;
	store_rel(&thief.steal, d);
	while (load_acq(&thief.steal))
		sched_yield();
}

/* ---- the trap ---- */

static struct {
	long target;      /* the first boundary at which to ask */
	long period;      /* ask again after so many boundaries; 0: never */
	long boundary;    /* how many there were so far */
	long steps;       /* how many there were, outside this program too */
	bool asked;       /* at the boundary before this one */
	uint64_t exposed; /* how many tasks the worker has exposed in all runs */
} now;

static void ask(struct filch__worker *w)
{
	store_rlx(&w->question.asked, 1);
	pthread_kill(pthread_self(), w->answers.signal); /* blocked until we return */
	now.asked = true;
}

/* Whether the instruction is one of this program, not of a shared library. */
static bool is_ours(void *context)
{
	extern const char __executable_start[], etext[];
	const char *pc =
		(const char *)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];

	return pc >= __executable_start && pc < etext;
}

static void on_trap(int signal, siginfo_t *info, void *context)
{
	struct filch__worker *w = filch__worker_self();

	(void)signal;
	(void)info;
	now.steps++;
	if (!w || w->inside || !w->active || !is_ours(context))
		return;
	if (now.asked) {
		now.asked = false;
		let_thief(w);
		if (!now.period) {
			((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
			return;
		}
	}
	if (now.boundary == now.target) {
		now.target += now.period;
		ask(w);
	}
	now.boundary++;
}

FILCH_STATIC_TASK(long, plain, (const struct hostile *, h))
{
	return h->call();
}

FILCH_STATIC_TASK(long, stepped, (const struct hostile *, h))
{
	long answer;

	step_on();
	answer = h->call();
	step_off();
	now.exposed = load_rlx(&filch__worker_self()->counters.exposed);
	return answer;
}

/* ---- comparing ---- */

struct expected {
	long answer, runs, boundaries, steps;
};

/* Returns false if the question at this boundary has changed the outcome. */
static bool try_at(struct filch_pool *pool, const struct hostile *h, enum mode mode,
                   long target, long period, const struct expected *e)
{
	long answer;

	thief.mode = mode;
	now.target = target;
	now.period = period;
	now.boundary = now.steps = 0;
	now.asked = false;
	store_rlx((_Atomic(long) *)&step_runs, 0);
	answer = FILCH_RUN_ON(pool, stepped, h);
	if (answer == e->answer && step_runs == e->runs && !thief.n)
		return true;
	printf("%s, asked at boundary %ld and every %ld, stolen: %s: the answer is %ld, "
	       "not "
	       "%ld; %ld tasks have run, not %ld; %zu were stolen and never joined\n",
	       h->name, target, period, mode_name[mode], answer, e->answer, step_runs,
	       e->runs, thief.n);
	thief.n = 0;
	return false;
}

/* Asks at each boundary, in as many runs. */
static bool try_each(struct filch_pool *pool, const struct hostile *h, enum mode mode,
                     const struct expected *e)
{
	long most = 2 * STEPS / e->steps + 3; /* a run with one question ends early */
	bool some = !h->grouped && e->boundaries > most;

	for (long at = 0; at < (some ? most : e->boundaries); at++)
		if (!try_at(pool, h, mode, at, some ? most : 0, e))
			return false;
	return try_at(pool, h, mode, 0, 1, e);
}

static bool try_all(struct filch_pool *pool, const struct hostile *h)
{
	struct expected e;
	uint64_t before = now.exposed;
	bool ok;

	step_runs = 0;
	e.answer = FILCH_RUN_ON(pool, plain, h);
	e.runs = step_runs;
	ok = try_at(pool, h, NOBODY, -1, 0, &e); /* no question: counts the boundaries */
	e.boundaries = now.boundary;
	e.steps = now.steps;
	for (enum mode mode = h->grouped ? NOBODY : 0; ok && mode < MODES; mode++)
		ok = try_each(pool, h, mode, &e);
	printf("%-24s %5ld steps, %4ld boundaries, %3ld tasks: %s\n", h->name, e.steps,
	       e.boundaries, e.runs, ok ? "ok" : "WRONG");
	if (ok && now.exposed == before)
		printf("%s: no question has found a task\n", h->name);
	return ok && now.exposed > before;
}

static void open_trap(void)
{
	struct sigaction trap = {.sa_sigaction = on_trap,
	                         .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};

	sigfillset(&trap.sa_mask); /* the question comes when the handler has returned */
	sigaction(SIGTRAP, &trap, NULL);
}

int main(int argc, char **argv)
{
	struct filch_pool_options o = {.workers = 1, .ask = "signal"};
	struct filch_pool *pool;
	pthread_t thread;
	bool ok = true;

	if (filch_pool_create(&pool, &o, NULL) ||
	    pthread_create(&thread, NULL, thief_main, NULL))
		return 2;
	setvbuf(stdout, NULL, _IOLBF, 0);
	open_trap();
	for (size_t i = 0; i < hostiles; i++)
		if (argc < 2 || !strcmp(argv[1], hostile[i].name))
			ok = try_all(pool, &hostile[i]) && ok;
	store_rel(&thief.end, true);
	pthread_join(thread, NULL);
	filch_pool_destroy(pool);
	return !ok;
}
