/* SPDX-License-Identifier: MIT */
/*
 * filch bench dupes: the command against others of its kind, on a generated tree, with
 * its files in memory and without.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/dupes/run.h"
#include "bench/dupes/tree.h"
#include "bench/rounds.h"

enum { WARM, COLD };

/* The folder for all of it, made by the first run. */
static struct {
	char path[4096 - 64];
	char tree[4096 - 32], output[4096 - 32];
	uint64_t sets; /* what the first program has found */
	bool checked;
} work;

static volatile sig_atomic_t stop; /* the signal that says so */

static void on_signal(int number)
{
	stop = number;
}

static void clean_up(void)
{
	int r = tree_remove(work.path);

	if (r)
		fprintf(stderr, "filch bench dupes: cannot remove %s: %s\n", work.path,
		        strerror(r < 0 ? -r : errno));
}

/* Ends the command: clean_up() is called on the way. */
static _Noreturn void interrupted(void)
{
	exit(128 + stop);
}

/* In a process of its own: programs started by a process that was large once are said to
 * have been as large. */
static int make_tree(size_t files)
{
	pid_t pid = fork();
	int status;

	if (pid < 0)
		return -errno;
	if (!pid)
		_exit(-tree_make(work.tree, files, &stop));
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
		else if (stop)
			kill(pid, SIGTERM); /* which it heeds as we do */
	return WIFEXITED(status) ? -WEXITSTATUS(status) : -EINTR;
}

static void prepare(size_t files)
{
	const char *folder = getenv("TMPDIR");
	/* Without SA_RESTART: waiting for a program ends. */
	struct sigaction action = {.sa_handler = on_signal};
	int r;

	if (*work.path)
		return;
	snprintf(work.path, sizeof work.path, "%s/filch-dupes-XXXXXX",
	         folder && *folder ? folder : "/tmp");
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	if (!mkdtemp(work.path))
		rounds_fail_errno("cannot make a temporary folder", errno);
	atexit(clean_up);
	snprintf(work.tree, sizeof work.tree, "%s/tree", work.path);
	snprintf(work.output, sizeof work.output, "%s/output", work.path);
	r = mkdir(work.tree, 0700) ? -errno : make_tree(files);
	if (stop)
		interrupted();
	if (r)
		rounds_fail_errno("cannot make the files", -r);
	sync();
}

/* True if nothing of the files is in memory any more. */
static bool drop_caches(void)
{
	int fd = open("/proc/sys/vm/drop_caches", O_WRONLY | O_CLOEXEC);
	bool ok;

	sync();
	ok = fd >= 0 && write(fd, "3", 1) == 1;
	if (fd >= 0)
		close(fd);
	return ok || rounds_skip("only root may drop the caches");
}

/* What a program has found must be what the first one has. */
static void check(enum output_form form)
{
	uint64_t sets;

	if (!output_digest(work.output, form, &sets))
		rounds_fail_errno("cannot read what it found", errno);
	if (!work.checked)
		work.sets = sets;
	work.checked = true;
	rounds_check(sets && sets == work.sets);
}

static bool run_program(const struct rounds_run *run, char *const *argv,
                        const char *output, enum output_form form, double *out)
{
	struct child child;
	int r;

	prepare(run->size);
	if (run->param == COLD && !drop_caches())
		return false;
	r = child_run(argv, output, &stop, &child);
	if (stop)
		interrupted();
	if (r == -ENOENT)
		return rounds_skip("it is not installed; 'make peers' does that");
	if (r)
		rounds_fail_errno("cannot run it", -r);
	if (child.status)
		rounds_fail("it has failed");
	check(form);
	out[0] = child.seconds;
	out[1] = child.rss_mib;
	return true;
}

static bool run_filch(const struct rounds_run *run, char *workers, double *out)
{
	char *argv[] = {"/proc/self/exe", "dupes",   "--null", "--workers",
	                workers,          work.tree, NULL};

	return run_program(run, argv, work.output, OUTPUT_NULL, out);
}

static bool run_filch_1(const struct rounds_run *run, double *out)
{
	return run_filch(run, "1", out);
}

static bool run_filch_2(const struct rounds_run *run, double *out)
{
	return run_filch(run, "2", out);
}

/* With two workers and another queue: a program of its own (bench/app/peer.c), in which every
 * task of a group goes into the queue at once. */
static bool run_queue(const struct rounds_run *run, const char *queue,
                      const char *block_size, double *out)
{
	char path[4096];
	char *argv[] = {path, "dupes", "--null", "--workers", "2", work.tree, NULL};
	bool ok;

	if (!bench_peer(queue, path, sizeof path))
		return rounds_skip("its program was not built (FILCH_KINDS)");
	setenv("FILCH_BLOCK_SIZE", block_size, 1);
	ok = run_program(run, argv, work.output, OUTPUT_NULL, out);
	unsetenv("FILCH_BLOCK_SIZE");
	return ok;
}

#define QUEUE(name, queue, block_size)                                    \
	static bool run_##name(const struct rounds_run *run, double *out) \
	{                                                                 \
		return run_queue(run, queue, block_size, out);            \
	}
QUEUE(bwos_16, "bwos_lifo", "16")
QUEUE(bwos_64, "bwos_lifo", "64")
QUEUE(bwos_256, "bwos_lifo", "256")
QUEUE(chase_lev, "chase_lev", "64")
QUEUE(abp, "abp", "64")
QUEUE(locked, "locked", "64")
#undef QUEUE

static bool run_fdupes(const struct rounds_run *run, double *out)
{
	char *argv[] = {"fdupes", "-q", "-r", work.tree, NULL};

	return run_program(run, argv, work.output, OUTPUT_LINES, out);
}

static bool run_jdupes(const struct rounds_run *run, double *out)
{
	char *argv[] = {"jdupes", "-q", "-r", work.tree, NULL};

	return run_program(run, argv, work.output, OUTPUT_LINES, out);
}

static bool run_rdfind(const struct rounds_run *run, double *out)
{
	char *argv[] = {"rdfind",    "-dryrun", "true", "-outputname",
	                work.output, work.tree, NULL};

	return run_program(run, argv, "/dev/null", OUTPUT_RDFIND, out);
}

#define PEERS ROUNDS_BEST_PEER(1 << 2 | 1 << 3 | 1 << 4)

/* clang-format off */
#define BENCH(name, rounds, param)                                             \
	{name, 50000, 2000, rounds, 1, param,                                  \
	 {{"time", "s", false}, {"rss", "MiB", false}},                        \
	 {{"filch@2", 0, run_filch_2}, {"filch@1", 0, run_filch_1},            \
	  {"fdupes", 0, run_fdupes}, {"jdupes", 0, run_jdupes},                \
	  {"rdfind", 0, run_rdfind}},                                          \
	 {{0, PEERS, "speedup", 0}, {0, PEERS, "overhead", 1},                 \
	  {1, PEERS, "speedup", 0}, {1, PEERS, "overhead", 1}}}
#define BENCH_QUEUES                                                           \
	{"queues", 50000, 2000, 7, 5, WARM,                                    \
	 {{"time", "s", false}, {"rss", "MiB", false}},                        \
	 {{"bwos_lifo@16", 0, run_bwos_16}, {"bwos_lifo@64", 0, run_bwos_64},  \
	  {"bwos_lifo@256", 0, run_bwos_256}, {"chase_lev", 0, run_chase_lev}, \
	  {"abp", 0, run_abp}, {"locked", 0, run_locked}},                     \
	 {{0, 3, "speedup", 0}, {1, 3, "speedup", 0}, {2, 3, "speedup", 0},    \
	  {5, 3, "speedup", 0}}}
/* clang-format on */

static const struct rounds_bench benches[] = {BENCH("warm", 7, WARM),
                                              BENCH("cold", 5, COLD), BENCH_QUEUES};

static int run_suite(const struct bench_options *o)
{
	return rounds_suite(o, "dupes", benches, sizeof benches / sizeof *benches);
}

static const char help[] =
	"usage: filch bench dupes [OPTION...]\n"
	"\n"
	"Measures 'filch dupes' beside fdupes, jdupes and rdfind ('make peers' installs\n"
	"them) on a generated tree of 50,000 files, 1 GB, in TMPDIR or /tmp: with the "
	"files\n"
	"in memory (warm), after the caches were dropped (cold; only root may), or with\n"
	"each queue of Filch (queues; in memory). All must find the same sets. Times\n"
	"are of whole processes; rss is their largest resident size.\n"
	"\n"
	"  --filter REGEX      only what matches \"BENCH IMPL\" (extended regular "
	"expression)\n"
	"  --list              name everything that would run, and stop\n"
	"  --json              one JSON object a line instead of a table\n"
	"  --quick             2,000 files, one round\n"
	"  --rounds N          rounds of interleaved runs (1 to 101)\n"
	"\n"
	"Examples:\n"
	"  filch bench dupes --quick\n"
	"  filch bench dupes --filter '^warm (filch|jdupes)'\n"
	"  TMPDIR=/mnt/disk filch bench dupes --filter cold --json\n";

const struct bench_suite bench_dupes_suite = {
	.name = "dupes",
	.text = "filch dupes against other finders of duplicate files",
	.run = run_suite,
	.help = help};
