/* SPDX-License-Identifier: MIT */
/* The subcommands of the filch command; each lives in a file or folder of its name. */
#ifndef FILCH_CMD_FILCH_H
#define FILCH_CMD_FILCH_H

#include <filch/version.h>

/* argv[0] is the subcommand's name. The result is the exit code: 2 for a wrong call. */
int cmd_bench(int argc, char **argv);
int cmd_dupes(int argc, char **argv);
int cmd_info(int argc, char **argv);
int cmd_serve(int argc, char **argv);
int cmd_sim(int argc, char **argv);
int cmd_top(int argc, char **argv);

#endif
