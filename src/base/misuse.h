/* SPDX-License-Identifier: MIT */
/*
 * Bad use that cannot be reported by a result.
 */
#ifndef FILCH_BASE_MISUSE_H
#define FILCH_BASE_MISUSE_H

/* Says which call is wrong and in what way, and aborts. */
_Noreturn __attribute__((format(printf, 2, 3))) void filch__misuse(const char *call,
                                                                   const char *what, ...);

#endif
