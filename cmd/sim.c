/* SPDX-License-Identifier: MIT */
/*
 * filch sim: becomes filch-sim, which has Filch's sources once more, compiled to run in
 * virtual time. It is beside the command as built, or in libexec as installed.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd/filch.h"

int cmd_sim(int argc, char **argv)
{
	static const char *const folders[] = {"", "/../libexec/filch"};
	char self[4096], path[4200];
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

	(void)argc;
	if (n > 0) {
		self[n] = 0;
		*strrchr(self, '/') = 0;
		for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
			snprintf(path, sizeof path, "%s%s/filch-sim", self, folders[i]);
			execv(path, argv);
		}
	}
	fputs("filch sim: filch-sim is neither beside the command nor in "
	      "../libexec/filch; it is built where Filch is compiled for the same "
	      "machine, with hwloc and without sanitizers\n",
	      stderr);
	return 1;
}
