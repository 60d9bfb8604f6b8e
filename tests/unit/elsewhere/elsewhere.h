/* SPDX-License-Identifier: MIT */
/* What tests/unit/elsewhere.c uses of another file. */
#ifndef FILCH_TESTS_UNIT_ELSEWHERE_H
#define FILCH_TESTS_UNIT_ELSEWHERE_H

#include <filch/task.h>

/* 1 + ... + n, times a factor; and a task without a result. */
FILCH_TASK_DECL(long, elsewhere_sum, (int, n), (double, factor));
FILCH_TASK_VOID_DECL(elsewhere_note, (int, n));

extern int elsewhere_noted;

#endif
