/* SPDX-License-Identifier: MIT */
/*
 * The search: runs the client once for every choice there is of thread, of value and of
 * place in a location's order. See README.md, "The search".
 */
#ifndef VERIFY_EXPLORE_SEARCH_H
#define VERIFY_EXPLORE_SEARCH_H

#include "explore/explore.h"

/* The thread that is running, and a name for each. */
int search_thread(void);
const char *search_thread_name(int thread);

/* This process, for tools that look into it. */
int search_pid(void);

#endif
