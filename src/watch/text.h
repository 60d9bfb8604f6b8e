/* SPDX-License-Identifier: MIT */
/*
 * A text that grows, and JSON strings in it. When memory runs out, the text notes that it
 * failed, and drops everything that is added after that.
 */
#ifndef FILCH_WATCH_TEXT_H
#define FILCH_WATCH_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* Starts as {0}. */
struct filch__text {
	char *at; /* ends with 0 once anything was added */
	size_t length, room;
	bool failed;
};

__attribute__((format(printf, 2, 3))) void filch__text_add(struct filch__text *t,
                                                           const char *format, ...);

/* Adds a JSON string. Bytes that are not UTF-8 become U+FFFD. */
void filch__text_add_string(struct filch__text *t, const char *s);

void filch__text_free(struct filch__text *t);

#endif
