/* SPDX-License-Identifier: MIT */
/* Groups that are never waited for, in a plain build. */
#include "tests/misuse/task/forgotten.inc.h"
