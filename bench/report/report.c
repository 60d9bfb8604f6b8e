/* SPDX-License-Identifier: MIT */
/*
 * filch bench report: the Python program beside this file does it all. It is told which
 * command it belongs to, of which version, and what compiled that.
 */
#include <filch/version.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/bench.h"
#include "commit.h"

#ifdef __clang__
#define COMPILER "clang " __clang_version__ FILCH_FLAGS
#else
#define COMPILER "gcc " __VERSION__ FILCH_FLAGS
#endif

int bench_report(int argc, char **argv)
{
	char python[] = "python3", keep_no_code[] = "-B", folder[4096], self[4096] = "";
	char version[] = FILCH_VERSION ", commit " FILCH_COMMIT, compiler[] = COMPILER;
	char *first[] = {python, keep_no_code, folder, self, version, compiler};
	const size_t n = sizeof first / sizeof *first;
	char **all = calloc(n + (size_t)argc, sizeof *all);

	if (!all || readlink("/proc/self/exe", self, sizeof self - 1) < 0 ||
	    !bench_peer("report", folder, sizeof folder)) {
		free(all);
		fputs("filch bench report: filch-bench-report is neither beside the "
		      "command nor in ../libexec/filch; please install Filch again\n",
		      stderr);
		return 1;
	}
	memcpy(all, first, sizeof first);
	memcpy(all + n, argv + 1, (size_t)argc * sizeof *argv); /* with its NULL */
	execv("/usr/bin/python3", all); /* the one that Debian's packages are for */
	execvp(python, all);
	free(all);
	fputs("filch bench report: Python is missing; please install python3, "
	      "python3-matplotlib and python3-jinja2\n",
	      stderr);
	return 1;
}
