/* SPDX-License-Identifier: MIT */
#include <filch/version.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "bench/report/report.h"
#include "commit.h"

/* The value of the first line "name : value" of a file. */
static void look_up(const char *path, const char *name, char *text, size_t size)
{
	FILE *file = fopen(path, "re");
	char line[256], *value;

	snprintf(text, size, "unknown");
	while (file && fgets(line, sizeof line, file))
		if (!strncmp(line, name, strlen(name)) && (value = strchr(line, ':'))) {
			value += 1 + strspn(value + 1, " \t");
			value[strcspn(value, "\n")] = 0;
			snprintf(text, size, "%s", value);
			break;
		}
	if (file)
		fclose(file);
}

static void find_compiler(char *text, size_t size)
{
#ifdef __clang__
	snprintf(text, size, "clang " __clang_version__ FILCH_FLAGS);
#else
	snprintf(text, size, "gcc " __VERSION__ FILCH_FLAGS);
#endif
}

static void find_load(char *text, size_t size)
{
	double load;

	if (getloadavg(&load, 1) == 1)
		snprintf(text, size, "%.1f in the minute before", load);
}

void report_machine(struct report_machine *m, int set)
{
	time_t now = time(NULL);
	struct utsname name;
	struct tm tm;
	cpu_set_t may;
	char memory[32];

	gmtime_r(&now, &tm);
	strftime(m->date, sizeof m->date, "%Y-%m-%d %H:%M UTC", &tm);
	snprintf(m->set, sizeof m->set, "%s", set == REPORT_FULL ? "full" : "quick");
	look_up("/proc/cpuinfo", "model name", m->processor, sizeof m->processor);
	CPU_ZERO(&may);
	(void)sched_getaffinity(0, sizeof may, &may);
	snprintf(m->processors, sizeof m->processors, "%d of %ld processors",
	         CPU_COUNT(&may), sysconf(_SC_NPROCESSORS_ONLN));
	look_up("/proc/meminfo", "MemTotal", memory, sizeof memory);
	snprintf(m->memory, sizeof m->memory, "%.1f GiB",
	         strtod(memory, NULL) / (1 << 20));
	if (!uname(&name))
		snprintf(m->system, sizeof m->system, "%.16s %.40s %.16s", name.sysname,
		         name.release, name.machine);
	find_compiler(m->compiler, sizeof m->compiler);
	snprintf(m->version, sizeof m->version, FILCH_VERSION ", commit " FILCH_COMMIT);
	find_load(m->load, sizeof m->load);
}
