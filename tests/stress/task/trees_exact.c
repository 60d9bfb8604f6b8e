/* SPDX-License-Identifier: MIT */
/* As trees.c, with records that are found by their strand's list alone. */
#undef FILCH__LISTING
#define FILCH_EXACT 1
#include "tests/stress/task/trees_lazy.inc.h"
