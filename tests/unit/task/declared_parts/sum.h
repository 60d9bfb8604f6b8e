/* SPDX-License-Identifier: MIT */
/* Tasks that tests/unit/task/declared.c uses, and sum.c defines. */
#ifndef FILCH_TESTS_UNIT_TASK_DECLARED_H
#define FILCH_TESTS_UNIT_TASK_DECLARED_H

#include <filch/task.h>

/* 1 + ... + n, times a factor; and a task without a result. */
FILCH_TASK_DECL(long, other_sum, (int, n), (double, factor));
FILCH_TASK_VOID_DECL(other_note, (int, n));

extern int other_noted;

#endif
