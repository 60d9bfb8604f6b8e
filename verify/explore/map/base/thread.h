/* SPDX-License-Identifier: MIT */
/*
 * src/base/thread.h for code that runs under the model checker: no thread is on a known
 * processor.
 */
#include_next "base/thread.h"

#ifndef VERIFY_BASE_THREAD_H
#define VERIFY_BASE_THREAD_H

#define filch__thread_cpu() (-1)

#endif
