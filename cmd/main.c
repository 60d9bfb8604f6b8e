/* SPDX-License-Identifier: MIT */
/* The filch command. */
#include <stdio.h>
#include <string.h>

#include "cmd/filch.h"

static const char help[] =
	"usage: filch COMMAND [OPTION...]\n"
	"\n"
	"  filch bench SUITE   measure Filch against its yardsticks "
	"(filch bench --help)\n"
	"  filch dupes DIR...  find files with the same contents "
	"(filch dupes --help)\n"
	"  filch info          what Filch finds on this machine, and its "
	"settings\n"
	"  filch serve [DIR]   serve a directory over HTTP (filch serve --help)\n"
	"  filch sim PROGRAM   run the scheduler on simulated cores (filch sim --help)\n"
	"  filch top [PID]     what a running Filch program does (filch top --help)\n"
	"  filch --version\n"
	"  filch --help\n";

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (!strcmp(what, "bench"))
		return cmd_bench(argc - 1, argv + 1);
	if (!strcmp(what, "dupes"))
		return cmd_dupes(argc - 1, argv + 1);
	if (!strcmp(what, "info"))
		return cmd_info(argc - 1, argv + 1);
	if (!strcmp(what, "serve"))
		return cmd_serve(argc - 1, argv + 1);
	if (!strcmp(what, "sim"))
		return cmd_sim(argc - 1, argv + 1);
	if (!strcmp(what, "top"))
		return cmd_top(argc - 1, argv + 1);
	if (!strcmp(what, "--version")) {
		puts("filch " FILCH_VERSION);
		return 0;
	}
	if (!strcmp(what, "--help") || !strcmp(what, "help")) {
		fputs(help, stdout);
		return 0;
	}
	if (*what)
		fprintf(stderr, "filch: there is no command '%s'\n\n", what);
	fputs(help, stderr);
	return 2;
}
