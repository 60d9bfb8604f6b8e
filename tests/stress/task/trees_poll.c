/* SPDX-License-Identifier: MIT */
/* As trees.c, with joins that look whether their worker is asked. */
#define FILCH_ASK_POLL 1
#include "tests/stress/task/trees_lazy.inc.h"
