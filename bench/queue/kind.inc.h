/* SPDX-License-Identifier: MIT */
/*
 * The workloads of the queue suite, compiled for one kind of queue at a time. KIND_STEALS
 * is 0 for the ideal queues, which have an owner only.
 */
#include "queue/select.h"

/* Always inlined into one function a placement, see BENCH_PLACE. */
static inline __attribute__((always_inline)) void QUEUE_ID(owner_body)(
	void *queue, struct stage *stage, uint64_t ns, size_t capacity, struct slice *out,
	int place)
{
	QUEUE_OWNER o = QUEUE_FN(owner)(queue);
	uint64_t start = filch__now_ns(), now, puts = 0, gets = 0;
	filch_entry e, check = 0;

	do {
		size_t n = 0;

		BENCH_PLACE(place);
		while (n < capacity && QUEUE_FN(put)(o, n + 1) == FILCH_OK) {
			BENCH_BARRIER();
			n++;
		}
		puts += n;
		check += n * (n + 1) / 2;
		n = 0;
		BENCH_PLACE(place);
		while (QUEUE_FN(get)(o, &e) == FILCH_OK) {
			BENCH_BARRIER();
			check -= e;
			n++;
		}
		gets += n;
		store_rlx(&stage->puts, puts); /* progress only */
		now = filch__now_ns();
	} while (now - start < ns);
	out->seconds = (double)(now - start) * 1e-9;
	out->puts = puts;
	out->gets = gets;
	out->check = check;
}

#define OWNER_AT(place)                                                         \
	static FILCH_NOINLINE void QUEUE_ID(owner_at_##place)(                  \
		void *queue, struct stage *stage, uint64_t ns, size_t capacity, \
		struct slice *out)                                              \
	{                                                                       \
		QUEUE_ID(owner_body)(queue, stage, ns, capacity, out, place);   \
	}
OWNER_AT(0)
OWNER_AT(16)
OWNER_AT(32)
OWNER_AT(48)
#undef OWNER_AT

#if KIND_THIEVES
static void *QUEUE_ID(thief)(void *arg)
{
	struct thief_job *job = arg;
	struct pace *pace = job->pace;
	struct slice *out = &job->result;
	QUEUE_THIEF t = QUEUE_FN(thief)(job->queue, job->seed);
	filch_entry *got = malloc(pace->batch_most * sizeof *got);
	uint64_t puts_then = 0, stolen_then = 0, steals_then = 0, steals = 0;
	uint64_t time_then = filch__ticks();

	bench_pin(job->seed);
	add_rlx(&job->stage->ready, 1); /* progress only */
	do {                            /* once at least, however late it comes */
		bool timed = ++steals % 64 == 0;
		uint64_t t0 = timed ? filch__ticks() : 0;
		enum filch_result r;
		size_t n = 1;

		if (pace->batch == 1)
			r = QUEUE_FN(steal)(&t, got);
		else
			r = QUEUE_FN(steal_batch)(&t, got, pace->batch, &n);
		if (r == FILCH_OK) {
			out->stolen += n;
			out->ok++;
			for (size_t i = 0; i < n; i++)
				out->check += got[i];
			if (timed) {
				double ns = (double)(filch__ticks() - t0) /
				            pace->ticks_ns;

				out->latency[ns < 2 * LATENCY_BINS ? (size_t)ns / 2
				                                   : LATENCY_BINS - 1]++;
			}
		} else if (r == FILCH_EMPTY) {
			out->empty++;
		} else {
			out->lost++;
		}
		spin_turns((uint64_t)pace->idle);
		if (steals % 256 == 0) {
			uint64_t puts = load_rlx(&job->stage->puts); /* progress only */
			uint64_t now = filch__ticks();

			if (puts - puts_then > 100000) {
				pace_adapt(pace, puts - puts_then,
				           out->stolen - stolen_then,
				           steals - steals_then,
				           (double)(now - time_then) / pace->ticks_ns);
				puts_then = puts;
				stolen_then = out->stolen;
				steals_then = steals;
				time_then = now;
			}
		}
	} while (!load_rlx(&job->stage->stop)); /* polled */
	free(got);
	return NULL;
}
#endif

#if KIND_STEALS
static void *QUEUE_ID(spine_thief)(void *arg)
{
	struct thief_job *job = arg;
	QUEUE_THIEF t = QUEUE_FN(thief)(job->queue, job->seed);
	filch_entry e;

	bench_pin(job->seed);
	add_rlx(&job->stage->ready, 1);        /* progress only */
	while (!load_rlx(&job->stage->stop)) { /* polled */
		if (QUEUE_FN(steal)(&t, &e) == FILCH_OK) {
			spin_turns(e);
			job->result.stolen++;
			store_rlx(&job->stage->done,
			          job->result.stolen); /* progress only */
		} else {
			filch__relax();
		}
	}
	return NULL;
}

static double QUEUE_ID(spine)(const struct filch_queue_options *o, size_t items,
                              uint64_t spin, uint64_t *stolen)
{
	QUEUE *q = aligned_alloc(FILCH_LINE, sizeof *q);
	struct stage *stage = aligned_alloc(FILCH_LINE, sizeof *stage);
	struct thief_job *job = calloc(1, sizeof *job);
	struct filch__random rnd = filch__random_seed(1); /* the same for every kind */
	size_t put = 0, ran = 0, held = 0;
	QUEUE_OWNER owner;
	pthread_t thread;
	uint64_t start;
	double seconds;
	filch_entry e;

	memset(stage, 0, sizeof *stage);
	*job = (struct thief_job){.queue = q, .stage = stage, .seed = 1};
	if (QUEUE_FN(init)(q, o) ||
	    pthread_create(&thread, NULL, QUEUE_ID(spine_thief), job))
		bench_fatal("cannot start", QUEUE_NAME);
	while (!load_rlx(&stage->ready)) /* polled */
		filch__relax();
	owner = QUEUE_FN(owner)(q);
	start = filch__now_ns();
	while (put < items) {
		size_t n = 1 + filch__random_below(&rnd, 30 - held);

		for (; n && put < items; n--, put++, held++)
			if (QUEUE_FN(put)(owner, spin) != FILCH_OK)
				bench_fatal("queue is full", QUEUE_NAME);
		for (n = 1 + filch__random_below(&rnd, held); n; n--) {
			if (QUEUE_FN(get)(owner, &e) != FILCH_OK) {
				held = 0;
				break;
			}
			spin_turns(e);
			ran++;
			held--;
		}
	}
	while (QUEUE_FN(get)(owner, &e) == FILCH_OK) {
		spin_turns(e);
		ran++;
	}
	while (ran + load_rlx(&stage->done) < items) /* polled */
		filch__relax();
	seconds = (double)(filch__now_ns() - start) * 1e-9;
	store_rlx(&stage->stop, 1); /* polled */
	pthread_join(thread, NULL);
	*stolen = job->result.stolen;
	if (ran + *stolen != items)
		bench_fatal("lost or doubled an entry", QUEUE_NAME);
	QUEUE_FN(destroy)(q);
	free(job);
	free(stage);
	free(q);
	return seconds;
}
#endif

static void QUEUE_ID(fill_drain)(const struct filch_queue_options *o, size_t thieves,
                                 struct pace *pace, uint64_t ns, size_t place,
                                 struct slice *out)
{
	static owner_fn *const at[] = {QUEUE_ID(owner_at_0), QUEUE_ID(owner_at_16),
	                               QUEUE_ID(owner_at_32), QUEUE_ID(owner_at_48)};
	QUEUE *q = aligned_alloc(FILCH_LINE, sizeof *q);

	if (!q || QUEUE_FN(init)(q, o))
		bench_fatal("cannot make a queue", QUEUE_NAME);
#if KIND_THIEVES
	run_with_thieves(q, thieves, pace, out, QUEUE_ID(thief), at[place % 4], ns,
	                 o->block_size * o->blocks);
#else
	(void)thieves;
	run_with_thieves(q, 0, pace, out, NULL, at[place % 4], ns,
	                 o->block_size * o->blocks);
#endif
#if KIND_STEALS || !KIND_THIEVES
	if (out->check || out->puts != out->gets + out->stolen)
		bench_fatal("lost or doubled an entry", QUEUE_NAME);
#endif
	QUEUE_FN(destroy)(q);
	free(q);
}
