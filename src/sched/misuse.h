/* SPDX-License-Identifier: MIT */
/*
 * Bad use that cannot be reported by a result.
 */
#ifndef FILCH_SCHED_MISUSE_H
#define FILCH_SCHED_MISUSE_H

/* Says what was called and what is wrong with it, and aborts. */
_Noreturn __attribute__((format(printf, 2, 3))) void filch__misuse(const char *call,
                                                                   const char *what, ...);

#endif
