/* SPDX-License-Identifier: MIT */
/* Pieces of text that lie in memory of others and are not zero-terminated. */
#ifndef FILCH_CMD_SERVE_TEXT_H
#define FILCH_CMD_SERVE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

struct text {
	const char *at; /* NULL: there is no text */
	size_t length;
};

/* Compares with a word; the case of letters does not matter. */
static inline bool text_is(struct text t, const char *word)
{
	return t.length == strlen(word) && !strncasecmp(t.at, word, t.length);
}

/* Cuts off the blanks and tabs around the text. */
static inline struct text text_trim(struct text t)
{
	while (t.length && (*t.at == ' ' || *t.at == '\t'))
		t.at++, t.length--;
	while (t.length && (t.at[t.length - 1] == ' ' || t.at[t.length - 1] == '\t'))
		t.length--;
	return t;
}

/* Takes the next part of a list that is separated by commas. Returns false at the end. */
static inline bool text_part(struct text *list, struct text *part)
{
	const char *comma;

	if (!list->length)
		return false;
	comma = memchr(list->at, ',', list->length);
	part->at = list->at;
	part->length = comma ? (size_t)(comma - list->at) : list->length;
	list->at += part->length + (comma != NULL);
	list->length -= part->length + (comma != NULL);
	*part = text_trim(*part);
	return true;
}

#endif
