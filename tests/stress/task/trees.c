/* SPDX-License-Identifier: MIT */
/* Random trees of tasks give what a serial evaluation gives, under every policy. */
#include "tests/stress/task/trees_lazy.inc.h"
