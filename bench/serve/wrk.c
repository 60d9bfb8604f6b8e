/* SPDX-License-Identifier: MIT */
/* One run: a server is started, wrk asks it for a file, and tells what it was like. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/serve/run.h"

/* ---- what wrk says ---- */

/* A number that ends by a unit of time, in us. */
static double time_us(const char *text)
{
	char *unit;
	double value = strtod(text, &unit);

	return !strncmp(unit, "us", 2)   ? value
	       : !strncmp(unit, "ms", 2) ? value * 1e3
	                                 : value * 1e6;
}

/* Each answer must be a good one. */
static double read_wrk(FILE *f, double *out)
{
	double requests = 0;
	char line[256], *at;

	while (fgets(line, sizeof line, f)) {
		if ((at = strstr(line, "99%")))
			out[SERVE_P99] = time_us(at + 3);
		else if ((at = strstr(line, "Requests/sec:")))
			out[SERVE_THROUGHPUT] = strtod(at + 13, NULL);
		else if (strstr(line, " requests in "))
			requests = strtod(line, NULL);
		else if (strstr(line, "Non-2xx") || strstr(line, "Socket errors"))
			rounds_fail(strtok(line, "\n"));
	}
	return requests;
}

static double run_wrk(const struct rounds_run *run, const char *program, unsigned port,
                      double *out)
{
	char connections[32], duration[32], url[64];
	char *argv[] = {(char *)program, "-t1", connections, duration, "--latency",
	                "--timeout",     "30s", url,         NULL};
	double requests;
	int pipe[2], status = 1;
	pid_t process;
	FILE *f;

	snprintf(connections, sizeof connections, "-c%zu", run->size);
	/* To connect takes its time, too. */
	snprintf(duration, sizeof duration, "-d%zus",
	         (run->quick ? 1 : 3) + run->size / 3000);
	snprintf(url, sizeof url, "http://127.0.0.1:%u/%zu.bin", port, run->param);
	if (pipe2(pipe, O_CLOEXEC))
		rounds_fail_errno("no wrk", errno);
	process = serve_start(argv, 1, 1, pipe[1]);
	close(pipe[1]);
	f = fdopen(pipe[0], "re");
	if (!f)
		rounds_fail_errno("no wrk", errno);
	requests = read_wrk(f, out);
	fclose(f);
	while (waitpid(process, &status, 0) < 0 && errno == EINTR)
		;
	if (status || !(out[SERVE_THROUGHPUT] > 0) || !(requests > 0))
		rounds_fail("wrk failed");
	return requests;
}

/* ---- a run ---- */

/* Of the process so far, in us. */
static double cpu_us(pid_t process)
{
	unsigned long user = 0, system = 0;
	char path[64];
	FILE *f;

	snprintf(path, sizeof path, "/proc/%ld/stat", (long)process);
	f = fopen(path, "re");
	if (f &&
	    fscanf(f, "%*d (%*[^)]) %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu",
	           &user, &system) != 2)
		user = system = 0;
	if (f)
		fclose(f);
	return (double)(user + system) * 1e6 / (double)sysconf(_SC_CLK_TCK);
}

/* The most memory that it has had, in MiB. */
static double memory_mib(pid_t process)
{
	char path[64], line[256];
	double kib = 0;
	FILE *f;

	snprintf(path, sizeof path, "/proc/%ld/status", (long)process);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof line, f))
		if (!strncmp(line, "VmHWM:", 6))
			kib = strtod(line + 6, NULL);
	if (f)
		fclose(f);
	return kib / 1024;
}

static bool enough_descriptors(size_t n)
{
	struct rlimit r;

	return !getrlimit(RLIMIT_NOFILE, &r) && r.rlim_max >= n + 256;
}

static bool measure(const struct rounds_run *run, const char *server, unsigned workers,
                    double *out)
{
	char program[SERVE_PATH], wrk[SERVE_PATH];
	struct serve_server s = {0};
	double before, requests;

	if (!serve_find("wrk", wrk) || (server && !serve_find(server, program)))
		return rounds_skip(
			"this needs nginx and wrk; 'make peers' installs them");
	if (!enough_descriptors(run->size))
		return rounds_skip("too few descriptors (ulimit -n)");
	serve_begin(&s, server ? program : NULL, workers, run->param);
	serve_check(&s, run->param);
	before = cpu_us(s.process);
	requests = run_wrk(run, wrk, s.port, out);
	out[SERVE_CPU] = (cpu_us(s.process) - before) / requests;
	out[SERVE_MEMORY] = memory_mib(s.process);
	serve_finish(&s);
	return true;
}

bool serve_filch(const struct rounds_run *run, double *out)
{
	return measure(run, NULL, 1, out);
}

bool serve_filch_2(const struct rounds_run *run, double *out)
{
	return measure(run, NULL, 2, out);
}

bool serve_nginx(const struct rounds_run *run, double *out)
{
	return measure(run, "nginx", 1, out);
}
