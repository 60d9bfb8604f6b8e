/* SPDX-License-Identifier: MIT */
/* As tasks.c, with joins that look whether somebody is hungry. */
#define FILCH_ASK_POLL 1
#include "tests/stress/tasks_lazy.inc.h"
