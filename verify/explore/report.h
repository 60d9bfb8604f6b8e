/* SPDX-License-Identifier: MIT */
/*
 * What is told of a failure, and what came of the executions.
 */
#ifndef VERIFY_EXPLORE_REPORT_H
#define VERIFY_EXPLORE_REPORT_H

/* Prints the execution so far. */
void report_trace(void);

/* Forgets what this execution, or what all of them, came to. */
void report_begin(void);
void report_clear(void);

/* Records the outcome of this execution. */
void report_outcome(void);

int report_outcomes(void);

/* Prints what was covered, and the outcomes if asked for. */
void report_print(void);

#endif
