/* SPDX-License-Identifier: MIT */
/* The same with the checks of FILCH_DEBUG, which look at every spawn and join, too. */
#define FILCH_DEBUG 1
#include "tests/misuse/task/forgotten.inc.h"
